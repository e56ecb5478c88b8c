import { createFakeService, type FakeService, json } from "../../service/testing/fake/fake-service.ts";
import type { Kind } from "../../service/testing/fake/kinds.ts";
import { png } from "../../service/testing/files.ts";
import { requestHandoff } from "../../shared/api/conversation.ts";
import { listConversations } from "../../shared/api/history.ts";
import type { V1Id } from "../../shared/v1/contract.ts";
import { FILE } from "../../shared/v1/limits.ts";
import { createTestBff, type TestBff } from "./test-bff.ts";
import { createTestClock, settle, type TestClock } from "./test-clock.ts";
import { completed, withTurnLines } from "./turn-lines.ts";

/** Longer than any call may take, in the table's own time. */
const LATE_MS = 8001;
/** The same for a file upload. */
const LATE_UPLOAD_MS = FILE.timeMs + 1;

const RIGHT: Partial<Record<V1Id, unknown>> = {
  identify: { customer: { externalId: "e" } },
  sessions: { token: "t" },
  turns: { message: { id: "m", seq: 2, clientMessageId: "second" } },
};
const plain = (body: BodyInit | null, status = 200, type = "application/json") =>
  new Response(body, { status, headers: { "content-type": type } });

/** Answers of a service that prove nothing. */
export const FAULTS: Readonly<Record<string, (operation: V1Id) => Response | Promise<Response>>> = {
  "200 empty": () => new Response(null, { status: 200 }),
  "200 {}": () => json({}),
  "200 []": () => json([]),
  "200 null": () => plain("null"),
  "200 HTML": () => plain("<h1>Welcome</h1>", 200, "text/html"),
  "200 truncated": (operation) =>
    plain(JSON.stringify(RIGHT[operation] ?? { conversation: { id: "c" } }).slice(0, -3)),
  "200 of another": (operation) =>
    json(OTHER[operation] ?? { id: "other", conversation: { id: 7 }, handoff: { id: "h" } }),
  "201 without an id": () => json({ conversation: {}, handoff: {}, message: {} }, 201),
  "202": (operation) => json(RIGHT[operation] ?? { conversation: { id: "conv-1" } }, 202),
  "204": () => new Response(null, { status: 204 }),
  "302": () => new Response(null, { status: 302, headers: { location: "http://169.254.169.254/" } }),
  ...Object.fromEntries(
    [400, 401, 403, 404, 409, 410, 418, 422, 429, 500, 502, 503, 504, 507].map((status) => [
      String(status),
      () => json({ message: "no" }, status),
    ]),
  ),
  "more than 1 MB": () => json({ filler: "x".repeat(2_000_000) }),
  "reset before": () => Promise.reject(Object.assign(new Error("reset"), { code: "ECONNRESET" })),
  "reset after the head": () =>
    plain(
      new ReadableStream({
        start: (body) => {
          body.enqueue(Buffer.from("{"));
          body.error(Object.assign(new Error("reset"), { code: "ECONNRESET" }));
        },
      }),
    ),
  "never answered": () => new Promise<Response>(() => undefined),
  "never ended": () => plain(new ReadableStream({ start: (body) => body.enqueue(Buffer.from("{")) })),
};
export const OTHER: Partial<Record<V1Id, unknown>> = {
  identify: { externalId: "somebody else" },
  sessions: { token: "" },
  supportSelection: { channel: "", agentProvider: "a", reason: "", ttlSeconds: 1 },
  providerSelection: { provider: 7 },
  conversations: { conversation: { id: ["conv-1"] } },
  turns: { message: { id: "m", seq: 2, clientMessageId: "another" } },
  handoffs: { handoff: { id: "h", conversationId: "another", status: "accepted" } },
  proposeSummary: { summary: { conversationId: "another", handoffId: "hand_1", sentences: [] } },
  sendSummary: {
    summary: { conversationId: "conv-1", handoffId: "hand_1", sentences: [{ text: "Another text." }] },
  },
  endConversation: { conversation: { id: "another", status: "ended" } },
  attachments: {
    attachment: { id: "att-1", conversationId: "conv-1", name: "a.png", type: "image/png", size: 12 },
    received: { size: 12, sha256: "0".repeat(64) },
  },
  ratings: { rating: { conversationId: "conv-1", score: "down" } },
  feedback: { feedback: { conversationId: "conv-1", messageId: "msg_1", score: "down" } },
  contacts: { contact: { conversationId: "conv-1", email: "another@shop.example" } },
  reads: { read: { conversationId: "conv-1", seq: 1 } },
  typing: { typing: { conversationId: "another" } },
  eraseConversation: { erased: { conversationId: "another" } },
  actionApprovals: { action: { id: "act_1", approved: false } },
  reopen: { conversation: { id: "another", status: "open" } },
};

/** Answers that the contract accepts as proof: two bodies are unspecified, and an end may be empty. */
export const PROOF: Partial<Record<V1Id, readonly string[]>> = {
  identify: ["200 {}", "201 without an id"],
  endConversation: ["200 empty", "204"],
  actionApprovals: ["200 empty", "200 {}", "201 without an id", "204"],
};

/** A step of the customer, and the call that it makes. */
export interface Step {
  readonly operation: V1Id;
  /** What the service can do, where the step needs less than all. */
  readonly kind?: Kind;
  readonly takes: (bff: TestBff, service: FakeService) => Promise<() => Promise<Response>>;
}
export const inConversation =
  (method: string, path: string, body?: unknown): Step["takes"] =>
  async (bff) => {
    const { token } = await bff.startConversation();
    const headers: Record<string, string> = body === undefined ? {} : { "content-type": "application/json" };
    return () =>
      bff.request(method, path, {
        token,
        headers,
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      });
  };
/** A customer who waits for a person, and what they do about the summary. */
async function whileWaiting(bff: TestBff) {
  const { token } = await bff.startConversation();
  const asked = await bff.post("/api/conversation/handoff", {}, token);
  const { handoff } = requestHandoff.answer.parse(await asked.json());
  const given = { handoffId: handoff.id, text: "The lamp is broken." };
  return {
    propose: () => bff.request("GET", "/api/conversation/summary", { token }),
    send: () => bff.post("/api/conversation/summary", given, token),
  };
}
/** A customer whose agent asks whether it may do something; they allow it. */
const allowAction: Step["takes"] = async (bff, service) => {
  const lines = withTurnLines(service);
  const { token } = await bff.startSession();
  const started = bff.post("/api/conversation", SECOND, token);
  // The turn may come later than one rest of the event loop.
  while (lines.length === 0) await settle();
  const action = {
    type: "action.requested",
    actionId: "act_1",
    name: "cancel_order",
    approvalRequired: true,
  };
  lines[0]?.send(action, completed("May I?"));
  lines[0]?.end();
  await started;
  await settle();
  return () => bff.post("/api/conversation/actions", { actionId: "act_1", approved: true }, token);
};
/** A customer who goes back to an ended conversation, and writes in it. */
const writeInEnded: Step["takes"] = async (bff) => {
  const { token } = await bff.startConversation();
  await bff.request("DELETE", "/api/conversation", { token });
  const past = await bff.request("GET", "/api/conversations", { token });
  const { conversations } = listConversations.answer.parse(await past.json());
  await bff.post("/api/conversations/current", { of: conversations[0]?.reference }, token);
  return () => bff.post("/api/conversation", SECOND, token);
};
const startSession: Step["takes"] = (bff) => Promise.resolve(() => bff.post("/api/session", {}));
const SECOND = { clientMessageId: "second", body: "And this?" };
export const STEPS: readonly Step[] = [
  { operation: "identify", takes: startSession },
  { operation: "sessions", takes: startSession },
  { operation: "supportSelection", takes: startSession },
  { operation: "providerSelection", takes: startSession },
  {
    operation: "conversations",
    takes: async (bff) => {
      const { token } = await bff.startSession();
      return () => bff.post("/api/conversation", SECOND, token);
    },
  },
  { operation: "turns", takes: inConversation("POST", "/api/conversation/messages", SECOND) },
  { operation: "handoffs", takes: inConversation("POST", "/api/conversation/handoff", {}) },
  { operation: "proposeSummary", takes: async (bff) => (await whileWaiting(bff)).propose },
  { operation: "sendSummary", takes: async (bff) => (await whileWaiting(bff)).send },
  { operation: "endConversation", takes: inConversation("DELETE", "/api/conversation") },
  {
    operation: "attachments",
    takes: async (bff) => {
      const { token } = await bff.startConversation();
      const headers = { "idempotency-key": "file-1", "x-file-name": "a.png" };
      return () => bff.request("POST", "/api/conversation/attachments", { token, headers, body: png() });
    },
  },
  { operation: "ratings", takes: inConversation("POST", "/api/conversation/rating", { score: "up" }) },
  {
    operation: "feedback",
    takes: inConversation("POST", "/api/conversation/feedback", { messageId: "msg_1", score: "up" }),
  },
  {
    operation: "contacts",
    takes: inConversation("POST", "/api/conversation/contact", { email: "ann@shop.example" }),
  },
  { operation: "reads", takes: inConversation("POST", "/api/conversation/read", { seq: 2 }) },
  { operation: "actionApprovals", kind: "turns", takes: allowAction },
  { operation: "reopen", takes: writeInEnded },
  { operation: "typing", takes: inConversation("POST", "/api/conversation/typing", {}) },
  { operation: "eraseConversation", takes: inConversation("DELETE", "/api/conversation/content") },
];
/** Takes one step under one fault, and returns what the customer's side sees. `prepare` changes the service before it. */
export async function atTheDoor(
  step: Step,
  fault: string,
  prepare: (service: FakeService) => void = () => undefined,
): Promise<{ answer: Response; service: FakeService }> {
  const service = createFakeService(step.kind && { kind: step.kind });
  prepare(service);
  const clock = createTestClock();
  if (step.operation === "providerSelection") service.answer("supportSelection", () => json({}, 404));
  const bff = createTestBff({ service, clock });
  const act = await step.takes(bff, service);
  service.answer(step.operation, () => {
    const make = FAULTS[fault];
    if (!make) throw new Error(`no such fault: ${fault}`);
    return make(step.operation);
  });
  const lateMs = step.operation === "attachments" ? LATE_UPLOAD_MS : LATE_MS;
  const answer = await untilAnswered(act(), clock, lateMs);
  return { answer, service };
}

/** Waits for an answer, and lets time limits pass for answers that never arrive. */
async function untilAnswered(
  pending: Promise<Response>,
  clock: TestClock,
  lateMs: number,
): Promise<Response> {
  let answer: Response | undefined;
  const done = pending.then((given) => {
    answer = given;
  });
  for (let round = 0; round < 4 && !answer; round += 1) {
    await settle();
    if (!answer) await clock.advance(lateMs);
  }
  await done;
  if (!answer) throw new Error("no answer");
  return answer;
}
