import type { Stage } from "../../testing/authorisation-stage.ts";
import { png } from "../../testing/files.ts";

/** The callers. `me` has taken what is taken; the last six are not signed in, and always get 401. */
export const ACTORS = [
  "me",
  "a colleague",
  "an admin",
  "an agent of another workspace",
  "an admin of another workspace",
  "nobody",
  "a customer",
  "the application",
  "who signed out",
  "whose session is over",
  "who was disabled",
] as const;
export type Actor = (typeof ACTORS)[number];

type Role = "me" | "colleague" | "admin" | "foreign agent" | "foreign admin" | "nobody";

export interface Cell {
  readonly actor: Actor;
  readonly action: string;
  readonly object: string;
  readonly expected: number;
}

export interface Played {
  readonly cell: Cell;
  readonly status: number;
  /** The body without its request id; empty for a stream. */
  readonly body: string;
}

/** The answers for the person who has it, for a colleague, and for the people of another workspace. */
type Row = readonly [
  me: number,
  colleague: number,
  admin: number,
  foreignAgent: number,
  foreignAdmin: number,
];

const GONE: Row = [404, 404, 404, 404, 404];
const all = (status: number): Row => [status, status, status, status, status];
const here = (me: number, others = me): Row => [me, others, others, 404, 404];
const there = (status: number): Row => [404, 404, 404, status, status];
/** What only admins do: an agent is refused before anything is looked up. */
const admins = (admin: number, foreign: number): Row => [403, 403, admin, 403, foreign];

/** Not ids: an array, an object, a number, a piece of SQL, and the real one in capitals. */
const ODD = ["missing", "array", "object", "number", "1 or 1", "upper case"] as const;
const eachOdd = (row: Row) => Object.fromEntries(ODD.map((object) => [object, row]));

/** The calls that are allowed for a conversation, by its state. `elsewhere` waits in the other workspace. */
const CONVERSATIONS: Readonly<Record<string, Readonly<Record<string, Row>>>> = {
  "GET conversations/:id": {
    waiting: here(200),
    taken: here(200),
    ended: here(200),
    elsewhere: there(200),
    ...eachOdd(GONE),
  },
  "GET conversations/:id/earlier": {
    waiting: here(200),
    taken: here(200),
    ended: here(200),
    elsewhere: there(200),
    ...eachOdd(GONE),
  },
  "POST conversations/:id/take": {
    waiting: here(200),
    taken: here(200, 409),
    ended: here(409),
    elsewhere: there(200),
    ...eachOdd(GONE),
  },
  "POST conversations/:id/reopen": {
    waiting: here(409),
    taken: here(200, 409),
    ended: here(200),
    elsewhere: there(409),
    ...eachOdd(GONE),
  },
  "POST conversations/:id/messages": {
    waiting: here(403),
    taken: here(201, 403),
    ended: here(409),
    elsewhere: there(403),
    ...eachOdd(GONE),
  },
  "POST conversations/:id/attachments": {
    waiting: here(403),
    taken: here(201, 403),
    ended: here(409),
    elsewhere: there(403),
    ...eachOdd(GONE),
  },
  "GET conversations/:id/attachments/:file": {
    waiting: here(200),
    taken: here(200),
    ended: here(200),
    elsewhere: there(200),
    ...eachOdd(GONE),
  },
  "POST conversations/:id/read": {
    waiting: here(200),
    taken: here(200),
    ended: here(200),
    elsewhere: there(200),
    ...eachOdd(GONE),
  },
  "POST conversations/:id/customer": {
    waiting: here(200),
    taken: here(200),
    ended: here(200),
    elsewhere: there(200),
    ...eachOdd(GONE),
  },
  "POST conversations/:id/typing": {
    waiting: here(403),
    taken: here(200, 403),
    ended: here(409),
    elsewhere: there(403),
    ...eachOdd(GONE),
  },
  "POST conversations/:id/draft": {
    waiting: here(403),
    taken: here(200, 403),
    ended: here(409),
    elsewhere: there(403),
    ...eachOdd(GONE),
  },
  // No action has this id; service/actions/actions.test.ts has one that exists.
  "POST conversations/:id/actions": {
    waiting: GONE,
    taken: GONE,
    ended: GONE,
    elsewhere: GONE,
    ...eachOdd(GONE),
  },
  "POST conversations/:id/return": {
    waiting: here(403),
    taken: here(200, 403),
    ended: here(409),
    elsewhere: there(403),
    ...eachOdd(GONE),
  },
  "POST conversations/:id/resolve": {
    waiting: here(200),
    taken: here(200, 403),
    ended: here(200),
    elsewhere: there(200),
    ...eachOdd(GONE),
  },
};

/** Every person of the desk may read every customer of their workspace. */
const CUSTOMERS: Readonly<Record<string, Readonly<Record<string, Row>>>> = {
  "GET customers/:id": {
    customer: here(200),
    "customer elsewhere": there(200),
    ...eachOdd(GONE),
  },
};

/** The calls that are allowed for accounts, and without a target (`-`). */
const PEOPLE: Readonly<Record<string, Readonly<Record<string, Row>>>> = {
  "POST users/:id/link": {
    person: admins(201, 404),
    "person elsewhere": admins(404, 201),
    ...eachOdd(admins(404, 404)),
  },
  "POST users/:id/disable": {
    person: admins(200, 404),
    "person elsewhere": admins(404, 200),
    ...eachOdd(admins(404, 404)),
  },
  "POST users/:id/enable": {
    person: admins(200, 404),
    "person elsewhere": admins(404, 200),
    ...eachOdd(admins(404, 404)),
  },
  "GET users": { "-": admins(200, 200) },
  "POST users": { "-": admins(201, 201) },
  "GET audit": { "-": admins(200, 200) },
  "GET conversations": { "-": all(200) },
  "GET events": { "-": all(200) },
  "GET session": { "-": all(200) },
  // The cell sends a wrong current password, so an authenticated caller gets that refusal.
  "POST password": { "-": all(400) },
  "GET anything": { "-": all(404) },
  "POST logout": { "-": all(200) },
};

const ROLES: Readonly<Record<Actor, Role>> = {
  me: "me",
  "a colleague": "colleague",
  "an admin": "admin",
  "an agent of another workspace": "foreign agent",
  "an admin of another workspace": "foreign admin",
  nobody: "nobody",
  "a customer": "nobody",
  "the application": "nobody",
  "who signed out": "nobody",
  "whose session is over": "nobody",
  "who was disabled": "nobody",
};
const COLUMNS: readonly Role[] = ["me", "colleague", "admin", "foreign agent", "foreign admin"];

/** Every cell of the desk's table. Sign-out comes last, because it ends the caller's session. */
export const CELLS: readonly Cell[] = Object.entries({ ...CONVERSATIONS, ...CUSTOMERS, ...PEOPLE }).flatMap(
  ([action, objects]) =>
    Object.entries(objects).flatMap(([object, row]) =>
      ACTORS.map((actor) => ({
        actor,
        action,
        object,
        expected: row[COLUMNS.indexOf(ROLES[actor])] ?? 401,
      })),
    ),
);

/** The input of a call besides its credentials. */
const BODIES: Readonly<Record<string, unknown>> = {
  "POST conversations/:id/messages": { clientMessageId: "cell", body: "written by a cell" },
  "POST conversations/:id/read": { seq: 1 },
  "POST conversations/:id/actions": { actionId: "act_1", approved: true },
  "POST conversations/:id/customer": { name: "Ann", email: null },
  "POST password": { password: "not the present one", newPassword: "seven quiet harbour stones" },
};

/** The people and the conversations, and a function that runs one cell over HTTP. */
export async function openDeskTable(stage: Stage) {
  const one = await stage.addWorkspace("one");
  const two = await stage.addWorkspace("two");
  const over = await one.person("over@shop.example", "admin");
  stage.clock.advance(12 * 60 * 60 * 1000);
  const me = await one.person("me@shop.example", "agent");
  const admin = await one.person("admin@shop.example", "admin");
  const gone = await one.person("gone@shop.example", "admin");
  await stage.store.deskPeople.disable({ workspaceId: one.id, userId: gone.id, by: admin.id });
  const left = await one.person("left@shop.example", "admin");
  await stage.request("/desk/api/logout", {
    method: "POST",
    headers: { ...left.headers, "content-type": "application/json" },
    body: "{}",
  });
  const bearer = (token: string) => ({ ...withoutCookie(me.headers), authorization: `Bearer ${token}` });
  const headers: Record<Actor, Record<string, string>> = {
    me: me.headers,
    "a colleague": (await one.person("colleague@shop.example", "agent")).headers,
    "an admin": admin.headers,
    "an agent of another workspace": (await two.person("agent@other.example", "agent")).headers,
    "an admin of another workspace": (await two.person("admin@other.example", "admin")).headers,
    nobody: withoutCookie(me.headers),
    "a customer": bearer((await one.customer("ann")).token),
    "the application": bearer(one.credential),
    "who signed out": left.headers,
    "whose session is over": over.headers,
    "who was disabled": gone.headers,
  };

  let made = 0;
  const files = new Map<string, string>();
  async function conversation(state: string): Promise<string> {
    // Each has a customer of its own: what the team types about one shows in all conversations of that customer.
    made += 1;
    const customer = await (state === "elsewhere" ? two : one).customer(`customer-${state}-${made}`);
    const id = await customer.start();
    const file = await customer.upload(id, png());
    files.set(id, file.id);
    const turn = { clientMessageId: "canary", content: { body: `canary ${state}`, format: "plain" } };
    await customer.post(`/v1/support/conversations/${id}/turns`, { ...turn, attachments: [{ id: file.id }] });
    await customer.post("/v1/support/handoffs", { conversationId: id });
    if (state === "ended") await customer.delete(`/v1/support/conversations/${id}`);
    const target = { workspaceId: one.id, conversationId: id };
    if (state === "taken") await stage.store.desk.acceptHandoff(target, { id: me.id, name: "Me" });
    return id;
  }
  async function person(object: string): Promise<string> {
    made += 1;
    const { id: workspaceId } = object === "person" ? one : two;
    const account = { workspaceId, email: `p${made}@x.example`, name: "P", role: "agent" as const };
    return (await stage.store.deskAccounts.addUser({ ...account, passwordHash: "scrypt$" })).id;
  }
  const kept: Record<string, string> = {};
  for (const state of ["waiting", "taken", "ended", "elsewhere"]) kept[state] = await conversation(state);
  for (const object of ["person", "person elsewhere"]) kept[object] = await person(object);
  const ownerOf = async (workspaceId: string, state: string) =>
    (await stage.store.desk.readDeskSummary({ workspaceId, conversationId: kept[state] ?? "" }))?.customerId;
  kept["customer"] = (await ownerOf(one.id, "taken")) ?? "";
  kept["customer elsewhere"] = (await ownerOf(two.id, "elsewhere")) ?? "";

  function oddId(action: string, object: string): string {
    const of = action.includes("users") ? "person" : action.includes("customers") ? "customer" : "taken";
    const real = kept[of] ?? "";
    const forms: Record<string, string> = {
      missing: `${real.slice(0, -4)}zzzz`,
      array: JSON.stringify([real]),
      object: JSON.stringify({ id: real }),
      number: "1",
      "1 or 1": "1 or 1",
      "upper case": real.toUpperCase(),
    };
    return forms[object] ?? "";
  }
  /** A cell that changes something has its own conversation; all others share one, and must find it unchanged. */
  async function idFor({ action, object, expected }: Cell): Promise<string> {
    const shared = kept[object];
    if (shared === undefined) return oddId(action, object);
    if (expected >= 300 || action.startsWith("GET")) return shared;
    return object.startsWith("person") ? person(object) : conversation(object);
  }

  async function play(cell: Cell): Promise<Played> {
    made += 1;
    const [method = "", path = ""] = cell.action.split(" ");
    const id = await idFor(cell);
    const file = files.get(id) ?? files.get(kept["taken"] ?? "") ?? "";
    const isUpload = path.endsWith("/attachments");
    const invitation = { email: `invited${made}@x.example`, name: "P", role: "agent" };
    const body = cell.action === "POST users" ? invitation : (BODIES[cell.action] ?? {});
    const answer = await stage.request(
      `/desk/api/${path.replace(":id", encodeURIComponent(id)).replace(":file", file)}`,
      {
        method,
        headers: { ...headers[cell.actor], "content-type": "application/json" },
        ...(method === "GET" ? {} : { body: isUpload ? Uint8Array.from(png()) : JSON.stringify(body) }),
      },
    );
    return { cell, status: answer.status, body: await bodyOf(answer) };
  }
  return { play, kept, one, two };
}

/** The headers of a page without a session: its origin is right, so only the session is missing. */
function withoutCookie(headers: Record<string, string>): Record<string, string> {
  const { cookie: _, ...rest } = headers;
  return rest;
}

async function bodyOf(answer: Response): Promise<string> {
  if (answer.headers.get("content-type")?.startsWith("text/event-stream")) {
    await answer.body?.cancel();
    return "";
  }
  return (await answer.text()).replace(/"requestId":"[^"]*"/, '"requestId":""');
}
