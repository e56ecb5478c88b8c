import { readBlocks, type TestBff, type TestRequest } from "./test-bff.ts";

/** Callers with a live session. The others only request A's conversation. */
export const PROVEN = ["anonymous A", "anonymous B", "identified A", "identified B"] as const;
export type Proven = (typeof PROVEN)[number];

/** Callers without a session: no token, or one that is not (or no longer) a session here. */
export const UNPROVEN = [
  "nobody",
  "garbage",
  "who logged out",
  "whose session is over",
  "an anonymous visitor who was identified since",
  "a session of another site",
  "the service's own token",
  "the application",
] as const;
export type Unproven = (typeof UNPROVEN)[number];

/** The place and the form in which a foreign conversation's id is sent. */
export const OBJECTS = [
  "own",
  "in the query",
  "in a header",
  "in the path",
  "in the body",
  "in the body, as an array",
  "in the body, as an object",
  "in the body, as a number",
  "in the body, as 1 or 1",
  "in the body, in capitals",
  "missing, in the query",
  "missing, in the body",
  "of a customer, in the body",
] as const;
export type ObjectKind = (typeof OBJECTS)[number];

interface Action {
  readonly method: string;
  readonly path: string;
  readonly body?: object;
  readonly headers?: Readonly<Record<string, string>>;
  /** A body that is not JSON. */
  readonly file?: string;
  /** The status for a live session that requests its own conversation. */
  readonly own: number;
}

export const ACTIONS = {
  resume: { method: "POST", path: "/api/session", body: {}, own: 200 },
  start: { method: "POST", path: "/api/conversation", body: say("k2"), own: 201 },
  send: { method: "POST", path: "/api/conversation/messages", body: say("k3"), own: 201 },
  earlier: { method: "GET", path: "/api/conversation/messages", own: 200 },
  list: { method: "GET", path: "/api/conversations", own: 200 },
  search: { method: "POST", path: "/api/conversations/search", body: { text: "parcel" }, own: 200 },
  stream: { method: "GET", path: "/api/conversation/events", own: 200 },
  handoff: { method: "POST", path: "/api/conversation/handoff", body: {}, own: 201 },
  // Nobody was asked for in these conversations.
  propose: { method: "GET", path: "/api/conversation/summary", own: 409 },
  summarise: {
    method: "POST",
    path: "/api/conversation/summary",
    body: { handoffId: "hand_1", text: "written by a cell" },
    own: 409,
  },
  answer: {
    method: "POST",
    path: "/api/conversation/actions",
    body: { actionId: "act_1", approved: true },
    own: 200,
  },
  rate: { method: "POST", path: "/api/conversation/rating", body: { score: "up" }, own: 200 },
  feedback: {
    method: "POST",
    path: "/api/conversation/feedback",
    body: { messageId: "msg_1", score: "up" },
    own: 200,
  },
  contact: {
    method: "POST",
    path: "/api/conversation/contact",
    body: { email: "ann@shop.example" },
    own: 200,
  },
  read: { method: "POST", path: "/api/conversation/read", body: { seq: 1 }, own: 200 },
  typing: { method: "POST", path: "/api/conversation/typing", body: {}, own: 200 },
  upload: {
    method: "POST",
    path: "/api/conversation/attachments",
    headers: { "idempotency-key": "cell", "x-file-name": "a.pdf" },
    file: "%PDF-1.7\n%%EOF\n",
    own: 201,
  },
  erase: { method: "DELETE", path: "/api/conversation/content", own: 200 },
  end: { method: "DELETE", path: "/api/conversation", own: 200 },
  logout: { method: "DELETE", path: "/api/session", own: 200 },
} as const satisfies Readonly<Record<string, Action>>;
export type ActionName = keyof typeof ACTIONS;

export interface Cell {
  readonly actor: Proven | Unproven;
  readonly action: ActionName;
  readonly object: ObjectKind;
  readonly expected: number;
}

/** They name the conversation on the screen, and are refused if it is not the session's own. */
const NAMING: ReadonlySet<Action> = new Set([
  ACTIONS.handoff,
  ACTIONS.rate,
  ACTIONS.contact,
  ACTIONS.read,
  ACTIONS.erase,
  ACTIONS.end,
]);

/**
 * Every combination of caller, action and place for an id. No call reaches a conversation by an id, so an added one must
 * be refused or ignored.
 */
export const CELLS: readonly Cell[] = Object.entries(ACTIONS).flatMap(([name, action]) => {
  const isFitting = (object: ObjectKind) => "body" in action || !object.includes("body");
  return OBJECTS.filter(isFitting).flatMap((object) =>
    [...PROVEN, ...UNPROVEN].map((actor) => {
      const cell = { actor, action: name as ActionName, object };
      return { ...cell, expected: expectedOf(cell, action) };
    }),
  );
});

function expectedOf({ actor, object }: Omit<Cell, "expected">, action: Action): number {
  // This path does not exist for anybody, so the answer reveals nothing.
  if (object === "in the path") return 404;
  const startsAnew = actor === "nobody" && action === ACTIONS.resume;
  if (!isProven(actor) && !startsAnew) return 401;
  if (object.includes("body")) return 400;
  if (object.endsWith("query") && NAMING.has(action)) return 502;
  return startsAnew ? 201 : action.own;
}

export function isProven(actor: Proven | Unproven): actor is Proven {
  return PROVEN.some((proven) => proven === actor);
}

export interface Played {
  readonly cell: Cell;
  readonly status: number;
  readonly body: string;
}

/** What the cells of one table share. */
export interface Table {
  readonly bff: TestBff;
  /** The target conversation of all callers. */
  readonly conversationId: string;
  /** A live session of this actor, in a separate conversation: a new one with each call. */
  bearerOf(actor: Proven): Promise<string>;
  /**
   * The session that this actor uses for everything refused: it changes nothing, so the next cell finds it unchanged.
   */
  standingBearerOf(actor: Proven): Promise<string>;
  readonly dead: Readonly<Record<Unproven, string | undefined>>;
}

/** Runs one cell over HTTP; for a stream, the first events are its body. */
export async function play(table: Table, cell: Cell): Promise<Played> {
  const action: Action = ACTIONS[cell.action];
  const token = await tokenOf(table, cell);
  const { path, ...init } = requestOf(action, cell.object, table.conversationId);
  const answer = await table.bff.request(action.method, path, { ...init, token });
  if (answer.headers.get("content-type")?.startsWith("text/event-stream")) {
    const blocks = await readBlocks(answer, 2);
    await answer.body?.cancel();
    return { cell, status: answer.status, body: blocks.join("\n") };
  }
  const text = await answer.text();
  return { cell, status: answer.status, body: text.replace(/"requestId":"[^"]*"/, '"requestId":""') };
}

function tokenOf(table: Table, { actor, expected }: Cell): Promise<string> | string | undefined {
  if (!isProven(actor)) return table.dead[actor];
  return expected < 400 ? table.bearerOf(actor) : table.standingBearerOf(actor);
}

function requestOf(action: Action, object: ObjectKind, id: string): TestRequest & { path: string } {
  const query = new URLSearchParams({ conversationId: object.startsWith("missing") ? "conv_0" : id });
  const named = object.includes("body") ? { conversationId: formOf(object, id) } : {};
  const body = object.startsWith("of a customer") ? { externalId: "ann" } : named;
  const headers = object === "in a header" ? { "x-conversation-id": id, "idempotency-key": id } : {};
  return {
    path: pathOf(action.path, object, id, query),
    headers: {
      ...action.headers,
      ...headers,
      ...(action.body ? { "content-type": "application/json" } : {}),
    },
    ...(action.file === undefined ? {} : { body: action.file }),
    ...(action.body ? { body: JSON.stringify({ ...action.body, ...body }) } : {}),
  };
}

function pathOf(path: string, object: ObjectKind, id: string, query: URLSearchParams): string {
  if (object.endsWith("query")) return `${path}?${query}`;
  if (object !== "in the path") return path;
  return path.includes("conversation")
    ? path.replace("/conversation", `/conversations/${id}`)
    : `${path}/conversations/${id}`;
}

function formOf(object: ObjectKind, id: string): unknown {
  if (object.endsWith("array")) return [id];
  if (object.endsWith("object")) return { id };
  if (object.endsWith("number")) return 1;
  if (object.endsWith("1 or 1")) return "1 or 1";
  if (object.endsWith("capitals")) return id.toUpperCase();
  return object.startsWith("missing") ? "conv_0" : id;
}

function say(clientMessageId: string) {
  return { clientMessageId, body: "written by a cell" };
}
