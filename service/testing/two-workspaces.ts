import * as fc from "fast-check";
import type { Stage } from "./authorisation-stage.ts";

/** The same names in both workspaces: only the workspace distinguishes them. */
const EXTERNAL_IDS = ["ann", "bob", "anon_1"] as const;
const ACTIONS = ["start", "say", "read", "follow", "handoff", "end", "profile", "history"] as const;
const DESK_ACTIONS = ["list", "look", "take", "reply", "return", "resolve", "audit", "users"] as const;

export interface Operation {
  readonly side: 0 | 1;
  readonly who: (typeof EXTERNAL_IDS)[number];
  readonly does: (typeof ACTIONS)[number] | (typeof DESK_ACTIONS)[number];
  /** Selects one of the existing conversations, of either workspace. */
  readonly pick: number;
}

export const operations = (count: number) =>
  fc.array(
    fc.record<Operation>({
      side: fc.constantFrom(0, 1),
      who: fc.constantFrom(...EXTERNAL_IDS),
      does: fc.constantFrom(...ACTIONS, ...DESK_ACTIONS, "start", "say", "say"),
      pick: fc.nat(1000),
    }),
    { minLength: count, maxLength: count },
  );

interface Conversation {
  readonly id: string;
  readonly side: 0 | 1;
  readonly who: string;
}

/** The foreign data that one run saw. */
export interface Outcome {
  readonly done: number;
  readonly crossed: readonly string[];
  /** Answers that were correctly allowed: a run in which everything is refused proves nothing. */
  readonly allowed: number;
}

/** Runs the operations against both workspaces and compares each answer with the caller's rights. */
export async function runOperations(stage: Stage, list: readonly Operation[]): Promise<Outcome> {
  const sides = await Promise.all([openSide(stage, 0), openSide(stage, 1)]);
  const conversations: Conversation[] = [];
  const crossed: string[] = [];
  let allowed = 0;
  let count = 0;
  const sideOf = (side: 0 | 1) => (side === 0 ? sides[0] : sides[1]);
  for (const operation of list) {
    count += 1;
    const own = sideOf(operation.side);
    if (operation.does === "start") {
      const id = await own.start(operation.who);
      conversations.push({ id, side: operation.side, who: operation.who });
      continue;
    }
    const target = conversations[operation.pick % Math.max(1, conversations.length)];
    const { status, text } = await own.run(operation, target?.id ?? "none", count);
    if (status < 300) allowed += 1;
    if (isCrossed(operation, target, status, text)) {
      crossed.push(
        `${operation.side} ${operation.who} ${operation.does} ${target?.side} ${target?.who}: ${status}`,
      );
    }
  }
  for (const side of [0, 1] as const) {
    if (
      sideOf(side)
        .heard()
        .includes(markOf(side === 0 ? 1 : 0))
    )
      crossed.push(`the desk's line of ${side}`);
  }
  await Promise.all(sides.map((side) => side.close()));
  return { done: count, crossed, allowed };
}

/** The other workspace's words in an answer, or a success for something of the other. */
function isCrossed(
  operation: Operation,
  target: Conversation | undefined,
  status: number,
  text: string,
): boolean {
  if (text.includes(markOf(operation.side === 0 ? 1 : 0))) return true;
  const needsNoTarget = ["profile", "history", "list", "audit", "users"].includes(operation.does);
  if (needsNoTarget || target === undefined) return false;
  const isDesk = DESK_ACTIONS.some((action) => action === operation.does);
  const isTheirs = target.side === operation.side && (isDesk || target.who === operation.who);
  return isTheirs ? status === 404 : status !== 404;
}

/** Appears in everything that is written on one side: bodies, profiles, reasons, names. */
function markOf(side: 0 | 1): string {
  return side === 0 ? "mark-of-one" : "mark-of-two";
}

async function openSide(stage: Stage, side: 0 | 1) {
  const mark = markOf(side);
  const workspace = await stage.addWorkspace(`${mark} shop`);
  const desk = await workspace.person(`${mark}@shop.example`, "admin");
  const customers = new Map(
    await Promise.all(EXTERNAL_IDS.map(async (id) => [id, await workspace.customer(id)] as const)),
  );
  const customerOf = (who: Operation["who"]) => {
    const customer = customers.get(who);
    if (!customer) throw new Error("no such customer");
    return customer;
  };
  const call = (method: string, path: string, body: object = {}) =>
    stage.request(`/desk/api/${path}`, {
      method,
      headers: { ...desk.headers, "content-type": "application/json" },
      ...(method === "GET" ? {} : { body: JSON.stringify(body) }),
    });
  const line = listen(await call("GET", "events"));
  let started = 0;
  const at = (id: string, more = "") => `/v1/support/conversations/${id}${more}`;

  function answerTo({ who, does }: Operation, id: string, count: number): Promise<Response> {
    const customer = customerOf(who);
    const turn = { clientMessageId: `k${count}`, content: { body: `${mark} ${count}`, format: "plain" } };
    const reply = { clientMessageId: `h${count}`, body: `${mark} of a person` };
    const answers: Record<Exclude<Operation["does"], "start">, () => Promise<Response>> = {
      say: () => customer.post(at(id, "/turns"), turn),
      read: () => customer.get(at(id, "/messages")),
      follow: () => customer.get(at(id, "/events")),
      // The same key on both sides: what was stored for one must not answer the other.
      handoff: () =>
        customer.post(
          "/v1/support/handoffs",
          { conversationId: id, reason: mark },
          { "idempotency-key": `h-${id}` },
        ),
      end: () => customer.delete(at(id)),
      history: () => customer.get("/v1/support/conversations"),
      profile: () =>
        stage.request("/v1/customers/identify", {
          method: "POST",
          headers: { authorization: `Bearer ${workspace.credential}`, "content-type": "application/json" },
          body: JSON.stringify({ externalId: who, displayName: mark, attributes: { mark } }),
        }),
      list: () => call("GET", "conversations"),
      look: () => call("GET", `conversations/${id}`),
      take: () => call("POST", `conversations/${id}/take`),
      reply: () => call("POST", `conversations/${id}/messages`, reply),
      return: () => call("POST", `conversations/${id}/return`),
      resolve: () => call("POST", `conversations/${id}/resolve`),
      audit: () => call("GET", "audit"),
      users: () => call("GET", "users"),
    };
    return does === "start" ? customer.get("/v1/support/capabilities") : answers[does]();
  }

  return {
    async start(who: Operation["who"]): Promise<string> {
      // Both sides count alike, so that both use the same keys.
      started += 1;
      const headers = { "idempotency-key": `s-${who}-${started}` };
      const answer = await customerOf(who).post("/v1/support/conversations", { subject: "x" }, headers);
      return ((await answer.json()) as { conversation: { id: string } }).conversation.id;
    },
    async run(operation: Operation, id: string, count: number): Promise<{ status: number; text: string }> {
      const answer = await answerTo(operation, id, count);
      return { status: answer.status, text: await textOf(answer) };
    },
    heard: () => line.heard(),
    close: () => line.close(),
  };
}

/** From a stream, what arrives at once. */
async function textOf(answer: Response): Promise<string> {
  if (!answer.headers.get("content-type")?.startsWith("text/event-stream")) return answer.text();
  const line = listen(answer);
  await new Promise<void>((resolve) => setImmediate(resolve));
  await line.close();
  return line.heard();
}

function listen(answer: Response) {
  const reader = answer.body?.getReader();
  const decoder = new TextDecoder();
  let text = "";
  const done = (async () => {
    for (;;) {
      const chunk = await reader?.read();
      if (!chunk || chunk.done) return;
      text += decoder.decode(chunk.value, { stream: true });
    }
  })();
  return {
    heard: () => text,
    async close(): Promise<void> {
      await reader?.cancel();
      await done;
    },
  };
}
