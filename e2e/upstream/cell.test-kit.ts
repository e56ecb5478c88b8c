import type { Kind } from "../../service/testing/fake/kinds.ts";
import { FailureCode, Problem } from "../../shared/errors.ts";
import type { Door, DoorAnswer } from "./door.test-kit.ts";
import type { Endpoint } from "./endpoint.ts";
import { FAULT_NAMES, FAULTS, type FaultName, isAddressFault, type Verdict } from "./faults.ts";
import type { MockUpstream } from "./mock.ts";
import { UPSTREAM_TEXT } from "./wire.ts";

/** One step of a customer's way, as the browser makes it. */
export type Step =
  | "session"
  | "first message"
  | "message"
  | "file"
  | "handoff"
  | "end"
  | "erasure"
  | "resume";

/** One cell of the table: what the upstream does to which call, and the customer's step that makes this call. */
export interface Cell {
  readonly kind: Kind;
  readonly step: Step;
  readonly endpoint: Endpoint;
  readonly fault: FaultName;
  readonly verdict: Verdict;
}

interface Row {
  readonly kind: Kind;
  readonly step: Step;
  readonly endpoint: Endpoint;
  /** The previous call in the same step, after which a fault of the address has to begin. */
  readonly after?: Endpoint;
}

/** The seven endpoints, and what a service may have beyond them, each with the step that calls it. */
export const ROWS: readonly Row[] = [
  { kind: "full", step: "session", endpoint: "identify" },
  { kind: "full", step: "session", endpoint: "sessions", after: "identify" },
  { kind: "full", step: "session", endpoint: "capabilities", after: "sessions" },
  { kind: "full", step: "session", endpoint: "supportSelection", after: "capabilities" },
  { kind: "provider-only", step: "session", endpoint: "providerSelection", after: "supportSelection" },
  { kind: "full", step: "first message", endpoint: "conversations" },
  { kind: "seven", step: "first message", endpoint: "conversations" },
  { kind: "full", step: "first message", endpoint: "turns", after: "conversations" },
  { kind: "full", step: "message", endpoint: "turns" },
  { kind: "full", step: "handoff", endpoint: "handoffs" },
  { kind: "seven", step: "handoff", endpoint: "handoffs" },
  { kind: "full", step: "end", endpoint: "endConversation" },
  { kind: "seven", step: "end", endpoint: "endConversation" },
  { kind: "full", step: "resume", endpoint: "messages" },
  { kind: "full", step: "file", endpoint: "attachments" },
  { kind: "full", step: "erasure", endpoint: "eraseConversation" },
];

export const CELLS: readonly Cell[] = ROWS.flatMap(({ kind, step, endpoint }) =>
  FAULT_NAMES.map((fault) => ({
    kind,
    step,
    endpoint,
    fault,
    verdict: FAULTS[fault].verdict(endpoint),
  })).filter(({ verdict }) => verdict !== "none"),
);

export function nameOf({ kind, step, endpoint, fault }: Cell): string {
  return `${endpoint} (${kind}, ${step}) ${fault}`;
}

/** The order in which one step calls the service: nothing after a failed call may be called. */
const ORDER: readonly Endpoint[] = [
  "identify",
  "sessions",
  "capabilities",
  "supportSelection",
  "providerSelection",
  "conversations",
  "turns",
];

const BEFORE: Record<Step, readonly Step[]> = {
  session: [],
  "first message": ["session"],
  message: ["session", "first message"],
  handoff: ["session", "first message"],
  end: ["session", "first message"],
  file: ["session", "first message"],
  erasure: ["session", "first message"],
  resume: ["session", "first message"],
};

/** The result of one cell. */
export interface Outcome {
  readonly answer: DoorAnswer;
  /** Endpoints that were called during the fault. */
  readonly called: readonly Endpoint[];
  /** The same step again, after the service has recovered. */
  readonly retry: DoorAnswer;
  readonly complaints: readonly string[];
}

/**
 * Runs one cell: a customer's path up to the step, the fault, the step, the recovery, the step again. `done` overrides
 * whether the request takes effect despite the fault.
 */
export async function runCell(cell: Cell, mock: MockUpstream, door: Door, done?: boolean): Promise<Outcome> {
  const customer = createCustomer(door);
  for (const step of BEFORE[cell.step]) {
    const answer = await customer.take(step);
    if (!isSuccess(answer)) throw new Error(`${step} failed on a healthy upstream: ${answer.text}`);
  }
  const row = ROWS.find(({ endpoint, step }) => endpoint === cell.endpoint && step === cell.step);
  const from = mock.requests.length;
  const armed = isAddressFault(cell.fault) && row?.after !== undefined ? { after: row.after } : {};
  mock.setFault(cell.endpoint, cell.fault, { ...armed, ...(done === undefined ? {} : { done }) });
  const answer = await customer.take(cell.step);
  const called = mock.requests.slice(from).flatMap(({ endpoint }) => endpoint ?? []);
  await mock.clearFaults();
  const retry = await customer.take(cell.step);
  const outcome = { answer, called, retry };
  const complaints = [
    ...judge(cell, outcome),
    ...judgeState(cell, mock),
    ...judgeSecrets(mock, door, outcome),
  ];
  return { ...outcome, complaints };
}

function isSuccess({ status }: DoorAnswer): boolean {
  return status >= 200 && status < 300;
}

/** Checks the answer. */
function judge(cell: Cell, { answer, called, retry }: Omit<Outcome, "complaints">): string[] {
  const complaints: string[] = [];
  if (cell.verdict === "fails") {
    if (isSuccess(answer)) complaints.push(`FALSE SUCCESS ${answer.status} ${answer.text}`);
    complaints.push(...judgeProblem(cell, answer), ...judgeCalls(cell, called));
  }
  if (cell.verdict === "holds" && !isSuccess(answer))
    complaints.push(`a verified answer was refused: ${answer.status} ${answer.text}`);
  if (cell.verdict === "free" && !isSuccess(answer)) complaints.push(...judgeProblem(cell, answer));
  if (!isSuccess(retry) && !mayStayRefused(cell, retry))
    complaints.push(`a retry on a healthy upstream failed: ${retry.status} ${retry.text}`);
  return complaints;
}

/** A 404 may be taken to mean that the conversation is gone; a small service may have forgotten an ended one. */
function mayStayRefused(cell: Cell, retry: DoorAnswer): boolean {
  const code = (retry.json as { code?: string } | undefined)?.code;
  if (cell.fault === "status-404" && code === "no_conversation") return true;
  // An erased conversation can't be erased again.
  if (cell.step === "erasure" && cell.verdict !== "fails" && code === "no_conversation") return true;
  // With only the seven endpoints, the first message was the conversation's subject: no endpoint could take it again.
  if (cell.step === "first message" && cell.kind === "seven" && cell.verdict !== "fails") return true;
  return cell.step === "end" && cell.kind === "seven" && code !== "internal";
}

/** A problem document with a known code that is not a bug of ours. */
function judgeProblem(cell: Cell, answer: DoorAnswer): string[] {
  const parsed = Problem.safeParse(answer.json);
  if (answer.type !== "application/problem+json" || !parsed.success) {
    return isSuccess(answer) ? [] : [`no problem document: ${answer.type} ${answer.text.slice(0, 200)}`];
  }
  const complaints: string[] = [];
  const { code, status, retryAfter } = parsed.data;
  if (!FailureCode.safeParse(code).success || code === "internal") complaints.push(`the code is ${code}`);
  if (status !== answer.status) complaints.push(`the document says ${status}, the answer ${answer.status}`);
  if (cell.verdict === "fails" && ["status-429", "status-503"].includes(cell.fault) && retryAfter !== 7)
    complaints.push(`Retry-After of the service was lost: ${retryAfter}`);
  return complaints;
}

/** At most two retries and one renewal of the token; nothing later in the order. */
function judgeCalls(cell: Cell, called: readonly Endpoint[]): string[] {
  const complaints: string[] = [];
  const tries = called.filter((endpoint) => endpoint === cell.endpoint).length;
  if (tries > 3) complaints.push(`${cell.endpoint} was called ${tries} times`);
  const first = called.indexOf(cell.endpoint);
  const behind = ORDER.indexOf(cell.endpoint);
  const later = called
    .slice(first + 1)
    .filter((endpoint) => endpoint !== "messages" && ORDER.indexOf(endpoint) > behind && behind >= 0);
  if (later.length > 0) complaints.push(`${later.join(", ")} called after ${cell.endpoint} had failed`);
  return complaints;
}

/**
 * One conversation, one hand-off, each message once, if the service honours keys; and no contract violation of the
 * client.
 */
function judgeState(cell: Cell, mock: MockUpstream): string[] {
  const complaints = [...mock.violations, ...mock.canaryCalls.map((call) => `followed a redirect: ${call}`)];
  if (cell.kind !== "full" || cell.fault === "status-404") return complaints;
  const conversations = [...mock.conversations.values()];
  if (conversations.length > 1) complaints.push(`${conversations.length} conversations were made`);
  for (const { events } of conversations) {
    const keys = events.flatMap((event) =>
      event.type === "message.created" && event.message.role === "customer"
        ? [event.message.clientMessageId]
        : [],
    );
    if (new Set(keys).size !== keys.length) complaints.push("a message was stored twice");
    const handoffs = events.filter(({ type }) => type === "handoff.requested").length;
    if (handoffs > 1) complaints.push(`${handoffs} hand-offs were made`);
  }
  return complaints;
}

/** None of the service's own text or secrets reaches the browser or the log. */
function judgeSecrets(
  mock: MockUpstream,
  door: Door,
  { answer, retry }: Omit<Outcome, "complaints">,
): string[] {
  const { credential, handoffSecret } = mock.secrets;
  const secrets = [UPSTREAM_TEXT.slice(0, 20), credential, handoffSecret, ...mock.tokens.keys()];
  const bytes = [answer, retry].map(({ text, headers }) => `${text} ${JSON.stringify(headers)}`).join("\n");
  return secrets.flatMap((secret) => [
    ...(bytes.includes(secret) ? [`the browser was given ${secret}`] : []),
    ...(door.logged().includes(secret) ? [`the log was given ${secret}`] : []),
  ]);
}

const FILE = "%PDF-1.7\n%%EOF\n";

/** A customer whose client stores the token and the keys of unconfirmed messages. */
function createCustomer(door: Door) {
  let token: string | undefined;
  const first = { clientMessageId: "cm-first", body: "How long does delivery take?" };
  const second = { clientMessageId: "cm-second", body: "And to the islands?" };

  async function open(): Promise<DoorAnswer> {
    const answer = await door.call("POST", "/api/session", { body: {} });
    if (isSuccess(answer)) token = (answer.json as { token: string }).token;
    return answer;
  }
  const steps: Record<Step, () => Promise<DoorAnswer>> = {
    session: open,
    "first message": () => door.call("POST", "/api/conversation", { token, body: first }),
    message: () => door.call("POST", "/api/conversation/messages", { token, body: second }),
    handoff: () => door.call("POST", "/api/conversation/handoff", { token, body: { reason: "asked" } }),
    file: () => door.call("POST", "/api/conversation/attachments", { token, file: FILE }),
    erasure: () => door.call("DELETE", "/api/conversation/content", { token }),
    end: () => door.call("DELETE", "/api/conversation", { token }),
    resume: () => door.call("POST", "/api/session", { token, body: {} }),
  };
  return { take: (step: Step) => steps[step]() };
}
