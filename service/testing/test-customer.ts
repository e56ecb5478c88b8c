import type * as z from "zod/mini";
import { type Attachment, FILE_NAME_HEADER } from "../../shared/attachment.ts";
import { attachments } from "../../shared/v1/attachments.ts";
import { startConversation } from "../../shared/v1/conversations.ts";
import { readMessages } from "../../shared/v1/messages.ts";
import { sessions } from "../../shared/v1/sessions.ts";
import { sendTurn } from "../../shared/v1/turns.ts";

type Request = (path: string, init?: RequestInit) => Promise<Response>;

/** One customer of the service, over HTTP, with the answers checked against the contract. */
export interface TestCustomer {
  readonly externalId: string;
  readonly token: string;
  get(path: string, headers?: Record<string, string>): Promise<Response>;
  post(path: string, body: unknown, headers?: Record<string, string>): Promise<Response>;
  delete(path: string): Promise<Response>;
  /** Starts a conversation and returns its id. */
  start(): Promise<string>;
  /** Sends a turn and returns the stored message. */
  say(
    id: string,
    body: string,
    clientMessageId?: string,
  ): Promise<z.infer<typeof sendTurn.answer>["message"]>;
  /** Uploads a file for a message. */
  upload(id: string, file: Uint8Array, name?: string): Promise<Attachment>;
  transcript(id: string): Promise<z.infer<typeof readMessages.answer>>;
}

let keys = 0;

export async function openCustomer(
  request: Request,
  credential: string,
  externalId: string,
): Promise<TestCustomer> {
  const opened = await request("/v1/sdk/sessions", json({ externalId }, credential));
  const { token } = sessions.answer.parse(await opened.json());
  const post = (path: string, body: unknown, headers: Record<string, string> = {}) =>
    request(path, json(body, token, headers));
  const get = (path: string, headers: Record<string, string> = {}) =>
    request(path, { headers: { authorization: `Bearer ${token}`, ...headers } });
  return {
    externalId,
    token,
    get,
    post,
    delete: (path) => request(path, { method: "DELETE", headers: { authorization: `Bearer ${token}` } }),
    async start() {
      const answer = await post("/v1/support/conversations", {});
      return startConversation.answer.parse(await answer.json()).conversation.id;
    },
    async say(id, body, clientMessageId) {
      keys += 1;
      const turn = { clientMessageId: clientMessageId ?? `key-${keys}`, content: { body, format: "plain" } };
      const answer = await post(`/v1/support/conversations/${id}/turns`, turn);
      return sendTurn.answer.parse(await answer.json()).message;
    },
    async upload(id, file, name = "picture.png") {
      const answer = await request(`/v1/support/conversations/${id}/attachments`, {
        method: "POST",
        headers: { authorization: `Bearer ${token}`, [FILE_NAME_HEADER]: encodeURIComponent(name) },
        body: Uint8Array.from(file),
      });
      return attachments.answer.parse(await answer.json()).attachment;
    },
    async transcript(id) {
      const answer = await get(`/v1/support/conversations/${id}/messages`);
      return readMessages.answer.parse(await answer.json());
    },
  };
}

/** A JSON request with a bearer token. */
export function json(body: unknown, bearer: string, headers: Record<string, string> = {}): RequestInit {
  return {
    method: "POST",
    headers: { "content-type": "application/json", authorization: `Bearer ${bearer}`, ...headers },
    body: JSON.stringify(body),
  };
}
