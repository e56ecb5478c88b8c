import { randomUUID } from "node:crypto";
import type * as z from "zod/mini";
import type { V1Operation } from "../../shared/operation.ts";
import { capabilities } from "../../shared/v1/capabilities.ts";
import { startConversation } from "../../shared/v1/conversations.ts";
import { sessions } from "../../shared/v1/sessions.ts";
import type { Target } from "./target.ts";

export interface Call {
  /** A session's token; the application's credential where the operation wants that; `null` sends none. */
  readonly bearer?: string | null;
  readonly id?: string;
  readonly query?: string;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Any service of the contract, by plain `fetch`. */
export interface Client {
  send(operation: V1Operation, call: Call): Promise<Response>;
  /** Sends, wants a 2xx, and checks the answer against the contract. Throws otherwise. */
  call<O extends V1Operation>(operation: O, call: Call): Promise<z.infer<O["answer"]>>;
  /** A customer that no other run knows, with a session. */
  openSession(externalId?: string): Promise<{ token: string; externalId: string }>;
  startConversation(token: string): Promise<string>;
  /** What the service declares; nothing where it has no such endpoint. */
  readCapabilities(): Promise<readonly string[]>;
}

export function createClient(target: Target): Client {
  const send = (operation: V1Operation, call: Call) => {
    const bearer = call.bearer === undefined ? target.credential : call.bearer;
    return fetch(target.baseUrl + operation.path.replace(":id", call.id ?? "") + (call.query ?? ""), {
      method: operation.method,
      headers: {
        ...(bearer === null ? {} : { authorization: `Bearer ${bearer}` }),
        ...(target.publicKey ? { [target.publicKey.header]: target.publicKey.value } : {}),
        ...(target.handoffSecret && operation.id === "handoffs"
          ? { [target.handoffSecret.header]: target.handoffSecret.value }
          : {}),
        ...(call.body === undefined ? {} : { "content-type": "application/json" }),
        ...call.headers,
      },
      ...(call.body === undefined ? {} : { body: JSON.stringify(call.body) }),
      redirect: "manual",
    });
  };
  const call = async <O extends V1Operation>(operation: O, given: Call): Promise<z.infer<O["answer"]>> => {
    const response = await send(operation, given);
    if (!response.ok) throw new Error(`${operation.id} answered ${response.status}.`);
    const text = await response.text();
    return operation.answer.parse(text === "" ? undefined : JSON.parse(text)) as z.infer<O["answer"]>;
  };
  return {
    send,
    call,
    async openSession(externalId = newExternalId()) {
      const { token } = await call(sessions, { body: { externalId } });
      return { token, externalId };
    },
    async startConversation(token) {
      return (await call(startConversation, { bearer: token, body: {} })).conversation.id;
    },
    async readCapabilities() {
      const { token } = await this.openSession();
      const response = await send(capabilities, { bearer: token });
      if (response.status === 404) return [];
      return capabilities.answer.parse(await response.json()).capabilities;
    },
  };
}

export function newExternalId(): string {
  return `contract-${randomUUID()}`;
}

export function newKey(): string {
  return randomUUID();
}
