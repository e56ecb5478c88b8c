import type { Stage } from "./authorisation-stage.ts";
import { png } from "./files.ts";

/** The callers. The last six prove no customer: they get 401 for every request. */
export const ACTORS = [
  "anonymous A",
  "anonymous B",
  "identified A",
  "identified B",
  "identified A of another workspace",
  "nobody",
  "an expired session",
  "a revoked credential",
  "the application",
  "a desk agent",
  "a desk admin",
] as const;
export type Actor = (typeof ACTORS)[number];

const UNPROVEN: ReadonlySet<Actor> = new Set(ACTORS.slice(5));

/** The targets; odd ones are derived from the id of identified A's open conversation. */
export const OBJECTS = [
  "anonymous A's",
  "identified A's",
  "identified A's, ended",
  "missing",
  "array",
  "object",
  "number",
  "1 or 1",
  "upper case",
] as const;
export type ObjectKind = (typeof OBJECTS)[number];

/** How the table classifies the id in a path or a body. */
type Shape = "open" | "ended" | "missing" | "odd";

interface Action {
  readonly method: string;
  readonly path: (id: unknown, file: string) => string;
  /** With an id of a conversation, and one of an answer in it. */
  readonly body?: (id: unknown, answerId: string) => unknown;
  /** A body that is not JSON. */
  readonly file?: Uint8Array<ArrayBuffer>;
  readonly accept?: string;
  /** Changes an ended conversation as well. */
  readonly changesEnded?: boolean;
  /** Changes something: then each cell that succeeds has its own conversation. */
  readonly changes: boolean;
  /** The status for the owner, and for anybody else, by the shape of the id. */
  readonly answers: Readonly<Record<Shape, readonly [owner: number, other: number]>>;
}

const at = (id: unknown, more = "") =>
  `/v1/support/conversations/${encodeURIComponent(typeof id === "string" ? id : JSON.stringify(id))}${more}`;
const turn = { clientMessageId: "cell", content: { body: "written by a cell", format: "plain" } };
const NONE = [404, 404] as const;

export const ACTIONS = {
  read: {
    method: "GET",
    path: (id) => at(id, "/messages"),
    changes: false,
    answers: { open: [200, 404], ended: [200, 404], missing: NONE, odd: NONE },
  },
  send: {
    method: "POST",
    path: (id) => at(id, "/turns"),
    body: () => turn,
    changes: true,
    answers: { open: [201, 404], ended: [409, 404], missing: NONE, odd: NONE },
  },
  "send and stream": {
    method: "POST",
    path: (id) => at(id, "/turns"),
    body: () => turn,
    accept: "application/x-ndjson",
    changes: true,
    answers: { open: [200, 404], ended: [409, 404], missing: NONE, odd: NONE },
  },
  stream: {
    method: "GET",
    path: (id) => at(id, "/events"),
    changes: false,
    answers: { open: [200, 404], ended: [200, 404], missing: NONE, odd: NONE },
  },
  handoff: {
    method: "POST",
    path: () => "/v1/support/handoffs",
    body: (conversationId) => ({ conversationId, reason: "written by a cell" }),
    changes: true,
    // In a body, an id of a wrong form is a validation error.
    answers: { open: [201, 404], ended: [409, 404], missing: NONE, odd: [400, 400] },
  },
  "ask for a proposed summary": {
    method: "GET",
    path: (id) => at(id, "/summary"),
    changes: false,
    // Nobody was asked for there.
    answers: { open: [409, 404], ended: [409, 404], missing: NONE, odd: NONE },
  },
  "send a summary": {
    method: "POST",
    path: (id) => at(id, "/summary"),
    body: () => ({ handoffId: "hand_1", text: "written by a cell" }),
    changes: true,
    answers: { open: [409, 404], ended: [409, 404], missing: NONE, odd: NONE },
  },
  end: {
    method: "DELETE",
    path: (id) => at(id),
    changes: true,
    answers: { open: [200, 404], ended: [200, 404], missing: NONE, odd: NONE },
  },
  upload: {
    method: "POST",
    path: (id) => at(id, "/attachments"),
    file: png(),
    changes: true,
    answers: { open: [201, 404], ended: [409, 404], missing: NONE, odd: NONE },
  },
  "read a file": {
    method: "GET",
    path: (id, file) => at(id, `/attachments/${file}`),
    changes: false,
    answers: { open: [200, 404], ended: [200, 404], missing: NONE, odd: NONE },
  },
  rate: {
    method: "POST",
    path: (id) => at(id, "/rating"),
    body: () => ({ score: "up", comment: "written by a cell" }),
    changes: true,
    changesEnded: true,
    answers: { open: [200, 404], ended: [200, 404], missing: NONE, odd: NONE },
  },
  "give feedback": {
    method: "POST",
    path: (id) => at(id, "/feedback"),
    body: (_id, messageId) => ({ messageId, score: "up" }),
    changes: true,
    changesEnded: true,
    answers: { open: [200, 404], ended: [200, 404], missing: NONE, odd: NONE },
  },
  "leave an address": {
    method: "POST",
    path: (id) => at(id, "/contact"),
    // An address is the customer's in all their conversations, also in those that must not change.
    body: () => ({ email: null }),
    changes: true,
    changesEnded: true,
    answers: { open: [200, 404], ended: [200, 404], missing: NONE, odd: NONE },
  },
  "say how far it was read": {
    method: "POST",
    path: (id) => at(id, "/read"),
    body: () => ({ seq: 1 }),
    changes: true,
    changesEnded: true,
    answers: { open: [200, 404], ended: [200, 404], missing: NONE, odd: NONE },
  },
  "say that they are writing": {
    method: "POST",
    path: (id) => at(id, "/typing"),
    body: () => ({}),
    changes: false,
    answers: { open: [200, 404], ended: [409, 404], missing: NONE, odd: NONE },
  },
  "open again": {
    method: "POST",
    path: (id) => at(id, "/reopen"),
    changes: true,
    changesEnded: true,
    answers: { open: [200, 404], ended: [200, 404], missing: NONE, odd: NONE },
  },
  "answer an action": {
    method: "POST",
    path: (id) => at(id, "/action-approvals"),
    body: () => ({ actionId: "act_1", approved: true }),
    changes: true,
    // The agent asked for none.
    answers: { open: NONE, ended: NONE, missing: NONE, odd: NONE },
  },
  erase: {
    method: "DELETE",
    path: (id) => at(id, "/content"),
    changes: true,
    changesEnded: true,
    answers: { open: [200, 404], ended: [200, 404], missing: NONE, odd: NONE },
  },
} as const satisfies Readonly<Record<string, Action>>;
export type ActionName = keyof typeof ACTIONS;

export interface Cell {
  readonly actor: Actor;
  readonly action: ActionName;
  readonly object: ObjectKind;
  readonly expected: number;
}

/** Every cell of the table: who does what to which conversation, and the expected answer. */
export const CELLS: readonly Cell[] = Object.keys(ACTIONS).flatMap((name) => {
  const action = name as ActionName;
  return OBJECTS.flatMap((object) =>
    ACTORS.map((actor) => ({ actor, action, object, expected: expectedOf(action, actor, object) })),
  );
});

function expectedOf(action: ActionName, actor: Actor, object: ObjectKind): number {
  if (UNPROVEN.has(actor)) return 401;
  const [owner, other] = ACTIONS[action].answers[shapeOf(object)];
  return isOwner(actor, object) ? owner : other;
}

export function isOwner(actor: Actor, object: ObjectKind): boolean {
  return object.startsWith(`${actor}'s`);
}

function shapeOf(object: ObjectKind): Shape {
  if (object.endsWith("A's")) return "open";
  if (object.endsWith("ended")) return "ended";
  // It has the form of an id, but does not exist.
  return object === "missing" || object === "upper case" ? "missing" : "odd";
}

export interface Played {
  readonly cell: Cell;
  readonly status: number;
  /** The body without its request id; empty for a stream. */
  readonly body: string;
}

/** The people and the conversations of the table, and a function that runs one cell over HTTP. */
export async function openTable(stage: Stage) {
  const one = await stage.addWorkspace("one");
  const two = await stage.addWorkspace("two");
  const expired = await one.customer("cus-expired");
  const revoked = await one.revokedCredential();
  stage.clock.advance(901_000);
  const customers = {
    "anonymous A": await one.customer("anon_a"),
    "anonymous B": await one.customer("anon_b"),
    "identified A": await one.customer("ann"),
    "identified B": await one.customer("bob"),
    "identified A of another workspace": await two.customer("ann"),
  };
  const bearer = (token: string) => ({ authorization: `Bearer ${token}` });
  const headers: Record<Actor, Record<string, string>> = {
    "anonymous A": bearer(customers["anonymous A"].token),
    "anonymous B": bearer(customers["anonymous B"].token),
    "identified A": bearer(customers["identified A"].token),
    "identified B": bearer(customers["identified B"].token),
    "identified A of another workspace": bearer(customers["identified A of another workspace"].token),
    nobody: {},
    "an expired session": bearer(expired.token),
    "a revoked credential": bearer(revoked),
    "the application": bearer(one.credential),
    "a desk agent": (await one.person("agent@shop.example", "agent")).headers,
    "a desk admin": (await one.person("admin@shop.example", "admin")).headers,
  };
  const files = new Map<unknown, string>();
  const agentAnswers = new Map<unknown, string>();
  const begin = async (actor: "anonymous A" | "identified A") => {
    const id = await customers[actor].start();
    await customers[actor].say(id, `canary of ${actor}`);
    files.set(id, (await customers[actor].upload(id, png())).id);
    await stage.settled();
    const { messages } = await customers[actor].transcript(id);
    agentAnswers.set(id, messages.find(({ role }) => role === "agent")?.id ?? "");
    return id;
  };
  const kept = { "anonymous A's": await begin("anonymous A"), "identified A's": await begin("identified A") };
  const ended = await begin("identified A");
  await customers["identified A"].delete(`/v1/support/conversations/${ended}`);
  const odd: Partial<Record<ObjectKind, unknown>> = {
    missing: `${kept["identified A's"].slice(0, -4)}zzzz`,
    array: [kept["identified A's"]],
    object: { id: kept["identified A's"] },
    number: 1,
    "1 or 1": "1 or 1",
    "upper case": kept["identified A's"].toUpperCase(),
    "identified A's, ended": ended,
    ...kept,
  };

  async function play(cell: Cell): Promise<Played> {
    const action: Action = ACTIONS[cell.action];
    const isEnded = cell.object.endsWith("ended");
    const succeeds = cell.expected < 300 && action.changes && (!isEnded || action.changesEnded === true);
    const id = succeeds ? await begin(cell.actor as "anonymous A" | "identified A") : odd[cell.object];
    if (succeeds && isEnded) await customers["identified A"].delete(at(id));
    // For a missing conversation, the answer and the file of identified A's conversation are requested.
    const ofIt = (known: ReadonlyMap<unknown, string>) =>
      known.get(id) ?? known.get(kept["identified A's"]) ?? "";
    const body = action.body?.(id, ofIt(agentAnswers));
    const file = ofIt(files);
    const answer = await stage.request(action.path(id, file), {
      method: action.method,
      headers: {
        ...headers[cell.actor],
        ...(body === undefined ? {} : { "content-type": "application/json" }),
        ...(action.accept === undefined ? {} : { accept: action.accept }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      ...(action.file === undefined ? {} : { body: action.file }),
    });
    return { cell, status: answer.status, body: await bodyOf(answer) };
  }

  return { play, customers, kept: { ...kept, "identified A's, ended": ended } };
}

/** Cancels a stream: it is enough that it was opened. */
async function bodyOf(answer: Response): Promise<string> {
  if (/event-stream|ndjson/.test(answer.headers.get("content-type") ?? "")) {
    await answer.body?.cancel();
    return "";
  }
  const text = await answer.text();
  return text.replace(/"requestId":"[^"]*"/, '"requestId":""');
}
