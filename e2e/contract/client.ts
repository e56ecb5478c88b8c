import { createHash, randomUUID } from "node:crypto";
import type * as z from "zod/mini";
import { mediaTypeOf } from "../../bff/upstream/transport.ts";
import type { Operation } from "../../bff/upstream/verified.ts";
import type { Sent, StreamForm } from "../../shared/operation.ts";
import { capabilities } from "../../shared/v1/capabilities.ts";
import type { V1Id } from "../../shared/v1/contract.ts";
import { startConversation } from "../../shared/v1/conversations.ts";
import { TURN_STREAM } from "../../shared/v1/limits.ts";
import { providerSelection } from "../../shared/v1/provider-selection.ts";
import { sessions } from "../../shared/v1/sessions.ts";
import { supportSelection } from "../../shared/v1/support-selection.ts";
import { type Answered, accept, ContractError, createMask, readAnswer } from "./answered.ts";
import { type ServiceAddress, TargetError } from "./environment.ts";

export interface Call {
  /** The session's token, for operations that a session authenticates. */
  readonly token?: string;
  /** Replaces the credentials of the operation; `null` sends none. */
  readonly forged?: string | null;
  readonly id?: string;
  readonly attachmentId?: string;
  readonly query?: string;
  readonly body?: unknown;
  /** A raw file, instead of `body`. */
  readonly file?: Uint8Array<ArrayBuffer>;
  readonly headers?: Readonly<Record<string, string>>;
}

/** How the service uses the freedom that the contract leaves. */
export interface Facts {
  /** Its declared capabilities; empty if it has no such endpoint. */
  readonly capabilities: readonly string[];
  /** False if the service has only provider-selection. */
  readonly hasSupportSelection: boolean;
}

/** Any service of the contract, through plain `fetch`. */
export interface Client {
  send(operation: Operation, call: Call): Promise<Response>;
  /**
   * Sends a call, and returns what the answer verifiably says by a BFF's own check.
   * @throws ContractError
   */
  call<O extends Operation>(operation: O, call: Call): Promise<z.infer<O["answer"]>>;
  /**
   * Opens a stream that a BFF would read; undefined if its answer is verified in the other form instead.
   * @throws ContractError
   */
  open<O extends Operation & { readonly stream: StreamForm }>(
    operation: O,
    call: Call,
  ): Promise<Response | undefined>;
  /** Sends a call that the service must refuse. @throws ContractError with `why` */
  refuses(operation: Operation, call: Call, why: string): Promise<void>;
  /** Fails the test for what an answer says. */
  reject(operation: Operation, answer: unknown, why: string): never;
  /** Whether this call requires any credentials. */
  isProven(operation: Operation): boolean;
  /** Whether a customer's session authenticates each of these calls, so that the service can tell customers apart. */
  provesCustomer(...operations: readonly Operation[]): boolean;
  /** A new customer, unknown to other runs, with a session. */
  openSession(externalId?: string): Promise<{ token: string; externalId: string }>;
  startConversation(token: string): Promise<string>;
  /**
   * Opens a first session, and reads the capabilities. @throws TargetError with a sentence if the service can't be
   * reached
   */
  readFacts(): Promise<Facts>;
}

export function createClient(target: ServiceAddress): Client {
  const send = (operation: Operation, call: Call) =>
    fetch(addressOf(target, operation, call), requestOf(target, operation, call));
  const mask = createMask([target.credential, target.handoffSecret?.value]);
  const call = async <O extends Operation>(operation: O, given: Call): Promise<z.infer<O["answer"]>> => {
    const answered = await send(operation, given)
      .then((response) => readAnswer(operation, response))
      .catch((error: unknown) => {
        throw isLate(error)
          ? new Error(`${operation.method} ${operation.path} did not answer ${inTime(operation)}.`)
          : error;
      });
    return accept(operation, sentIn(given) as Sent<O>, answered, mask);
  };
  const open: Client["open"] = async (operation, given) => {
    const headers = { accept: operation.stream.accept, ...given.headers };
    const response = await send(operation, { ...given, headers });
    const { statuses, mediaTypes } = operation.stream;
    const mediaType = mediaTypeOf(response.headers.get("content-type"));
    if (!statuses.includes(response.status) || !mediaTypes.includes(mediaType)) {
      const why = response.status >= 400 ? "the call failed." : "a BFF reads no such stream.";
      throw new ContractError(await headOf(operation, response), why, mask);
    }
    if (mediaType !== "application/json") return response;
    accept(operation, sentIn(given) as Sent<typeof operation>, await readAnswer(operation, response), mask);
    return undefined;
  };
  const openSession = async (externalId = newExternalId()) => {
    const { token } = await call(sessions, { body: { externalId } });
    return { token, externalId };
  };
  let providerId: string | undefined;
  return {
    send,
    call,
    open,
    async refuses(operation, given, why) {
      const response = await send(operation, given);
      if (response.ok)
        throw new ContractError(await headOf(operation, response), `it must refuse this: ${why}`, mask);
      await response.body?.cancel();
    },
    reject(operation, answer, why) {
      const bytes = new TextEncoder().encode(JSON.stringify(answer));
      throw new ContractError({ operation, status: operation.status, mediaType: "", bytes }, why, mask);
    },
    openSession,
    isProven: ({ id }) => target.schemes[id] !== "none",
    provesCustomer: (...operations) => operations.every(({ id }) => target.schemes[id] === "session"),
    async startConversation(token) {
      const body = providerId === undefined ? {} : { providerId };
      return (await call(startConversation, { token, body })).conversation.id;
    },
    async readFacts() {
      const customer = await firstSession(target, send);
      const selection = { token: customer.token, body: { userID: customer.externalId } };
      const { status } = await send(supportSelection, selection);
      const hasSupportSelection = !lacks(supportSelection, status);
      // The older form: the selected provider is the one to start with.
      if (!hasSupportSelection) providerId = (await call(providerSelection, selection)).provider;
      const response = await send(capabilities, { token: customer.token });
      if (lacks(capabilities, response.status)) return { capabilities: [], hasSupportSelection };
      if (!response.ok)
        throw new TargetError(
          `capabilities answered ${response.status}; 404 would mean none. Is AUTH_CAPABILITIES right?`,
        );
      const declared = accept(
        capabilities,
        sentIn({}) as Sent<typeof capabilities>,
        await readAnswer(capabilities, response),
        mask,
      );
      return { capabilities: declared.capabilities, hasSupportSelection };
    },
  };
}

/** The input of the call, for the check that its answer is about the same. */
function sentIn({ id = "", attachmentId = "", body, file }: Call) {
  const sha256 = file && createHash("sha256").update(file).digest("hex");
  return {
    params: { id, attachmentId },
    request: body,
    upload: file && { size: file.byteLength, sha256 },
  };
}

/** An answer without its body, where that is a stream that never ends. */
async function headOf(operation: Operation, response: Response): Promise<Answered> {
  if (!/event-stream|ndjson/.test(response.headers.get("content-type") ?? ""))
    return readAnswer(operation, response);
  await response.body?.cancel();
  return readAnswer(operation, new Response(null, { status: response.status, headers: response.headers }));
}

async function firstSession(
  { baseUrl }: ServiceAddress,
  send: Client["send"],
): Promise<{ token: string; externalId: string }> {
  const externalId = newExternalId();
  const response = await send(sessions, { body: { externalId } }).catch((error: unknown) => {
    throw new TargetError(`The service at ${baseUrl} does not answer (${reasonOf(error)}).`);
  });
  if (response.status === 401 || response.status === 403) {
    throw new TargetError(
      `The service at ${baseUrl} refuses APPLICATION_CREDENTIAL (sessions answered ${response.status}). Is it of this workspace, with its APPLICATION_PUBLIC_KEY?`,
    );
  }
  const answer = response.ok
    ? sessions.answer.safeParse(await response.json().catch(() => undefined))
    : undefined;
  if (!answer?.success) {
    const wrong = answer?.error.issues.some(({ path }) => path[0] === "expiresIn");
    const why = response.ok ? `, ${wrong ? "with a wrong expiresIn" : "without a token"}` : "";
    throw new TargetError(
      `The service at ${baseUrl} gives no session (sessions answered ${response.status}${why}). Does BASE_URL end where /v1 begins?`,
    );
  }
  return { token: answer.data.token, externalId };
}

function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return "no connection";
  const { cause } = error;
  const code = cause instanceof Error && "code" in cause ? cause.code : undefined;
  if (typeof code === "string") return code;
  return isLate(error) ? inTime(sessions) : "no connection";
}

/** Whether the answer says that the service lacks this endpoint, as the contract allows. */
const lacks = ({ absent = [] }: Operation, status: number) => absent.includes(status);
const isLate = (error: unknown) => error instanceof Error && error.name === "TimeoutError";
const inTime = ({ limits }: Operation) => `within the ${limits.timeMs / 1000} s that a BFF waits`;

function addressOf({ baseUrl }: ServiceAddress, { path }: Operation, call: Call): string {
  const filled = path.replace(":id", call.id ?? "").replace(":attachmentId", call.attachmentId ?? "");
  return baseUrl + filled + (call.query ?? "");
}

const ACCEPTED: Partial<Record<V1Id, string>> = { events: "text/event-stream", attachmentContent: "*/*" };

function requestOf(target: ServiceAddress, operation: Operation, call: Call): RequestInit {
  const bearer = call.forged === undefined ? bearerOf(target, operation, call) : call.forged;
  return {
    method: operation.method,
    headers: {
      accept: ACCEPTED[operation.id] ?? "application/json",
      // As a BFF, which reads no compressed answer.
      "accept-encoding": "identity",
      ...(bearer === null ? {} : { authorization: `Bearer ${bearer}` }),
      ...(target.publicKey ? { [target.publicKey.header]: target.publicKey.value } : {}),
      ...(target.handoffSecret && operation.id === "handoffs"
        ? { [target.handoffSecret.header]: target.handoffSecret.value }
        : {}),
      ...(call.body === undefined ? {} : { "content-type": "application/json" }),
      ...(call.file === undefined ? {} : { "content-type": "application/octet-stream" }),
      ...call.headers,
    },
    ...(call.body === undefined ? {} : { body: JSON.stringify(call.body) }),
    ...(call.file === undefined ? {} : { body: call.file }),
    redirect: "manual",
    signal: AbortSignal.timeout(patienceOf(operation, call)),
  };
}

/** As long as a BFF waits; for a stream, as long as an answer may take. */
function patienceOf({ id, limits, stream }: Operation, { headers }: Call): number {
  const isStream = id === "events" || (stream && headers?.["accept"] === stream.accept);
  return isStream ? TURN_STREAM.totalMs : limits.timeMs;
}

function bearerOf(
  { schemes, credential }: ServiceAddress,
  { id }: Operation,
  { token }: Call,
): string | null {
  const bearers = { application: credential, session: token ?? null, none: null };
  return bearers[schemes[id]];
}

export function newExternalId(): string {
  return `contract-${randomUUID()}`;
}

export function newKey(): string {
  return randomUUID();
}
