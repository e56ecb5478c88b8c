import type { SessionState } from "../../../shared/api/session.ts";
import type { Environment, TabMessage } from "../environment.ts";
import { settle } from "./manual-time.ts";
import { AT, createScriptedBff, json, problem, type Received } from "./scripted-bff.ts";
import { createMapStorage, startChat } from "./start-chat.ts";

const SESSION = "POST /api/session";

/** A BFF that knows identity tokens such as "ann#1": each customer has a separate log, each token one use. */
export function createIdentityBff() {
  const bff = createScriptedBff();
  const used = new Set<string>();
  const bearers = new Map<string, string>();
  const words = new Map<string, string[]>();
  /** The visitor in whose session a linked conversation was begun. */
  const starters = new Map<string, string>();
  let count = 0;
  /** Those who wait for a person: requests with the same id, as a service may give them for one conversation each. */
  const waiters = new Set<string>();
  const conversationOf = (who: string): SessionState["conversation"] => {
    const said = words.get(who);
    if (!said) return null;
    const messages = said.map((body, index) => ({
      id: `${who}${index}`,
      seq: index + 1,
      role: "agent" as const,
      body,
      at: AT,
    }));
    const handoff = waiters.has(who) && { handoff: { id: "handoff-1", status: "requested" as const } };
    const id = `of-${starters.get(who) ?? who}`;
    return { id, status: "open", epoch: "e1", lastSeq: messages.length, messages, ...handoff };
  };
  const answer = (request: Received): Response => {
    const { token } = request.body as { token?: string };
    const bearer = request.authorization?.replace("Bearer ", "");
    const before = bearer === undefined ? undefined : bearers.get(bearer);
    if (bearer !== undefined && before === undefined) return problem("unauthenticated");
    if (token !== undefined && (!token.includes("#") || used.has(token))) return problem("identity_replayed");
    if (token !== undefined) used.add(token);
    const who = token?.split("#")[0] ?? before ?? `anon_${count}`;
    const isSame = bearer !== undefined && before === who;
    if (!isSame) count += 1;
    const given = isSame ? bearer : `bearer-${count}-`.padEnd(43, "x");
    if (bearer && !isSame) {
      bearers.delete(bearer);
      // Linked: the messages of the anonymous visitor and the agent come along.
      if (before?.startsWith("anon_") && words.has(before)) {
        words.set(who, words.get(before) ?? []);
        starters.set(who, before);
      }
    }
    bearers.set(given, who);
    return json(isSame ? 200 : 201, {
      token: given,
      expiresAt: AT,
      customer: { externalId: who, identified: !who.startsWith("anon_") },
      route: { channel: "web", agentProvider: "knowledge" },
      capabilities: ["turns", "events", "messages"],
      conversation: conversationOf(who),
    });
  };
  let gate: Promise<void> | undefined;
  const fetch: typeof bff.fetch = async (path, init) => {
    if (init.method !== "POST" || path !== "/api/session") return bff.fetch(path, init);
    const waiting = gate;
    gate = undefined;
    await waiting;
    bff.script(SESSION, answer);
    return bff.fetch(path, init);
  };
  /** The next session call is answered only after `until`. */
  const holdSession = (until: Promise<void>) => {
    gate = until;
  };
  let tokens = 0;
  const nextToken = () => ++tokens;
  return { ...bff, fetch, bearers, words, waiters, nextToken, holdSession };
}

/** As a site's server writes them: UTF-8 in base64url, without padding. */
function claimsOf(who: string): string {
  const bytes = new TextEncoder().encode(JSON.stringify({ sub: who }));
  return btoa(String.fromCharCode(...bytes))
    .replaceAll("+", "-")
    .replaceAll("/", "_")
    .replaceAll("=", "");
}

/** A panel whose page calls `identify`; the tokens that its site returns are listed. */
export function startVisit(
  options: {
    bff?: ReturnType<typeof createIdentityBff>;
    storage?: ReturnType<typeof createMapStorage>;
    tabStorage?: ReturnType<typeof createMapStorage>;
    tabs?: Environment["tabs"];
    randomId?: Environment["randomId"];
    describe?: Parameters<typeof startChat>[4];
  } = {},
) {
  const {
    bff = createIdentityBff(),
    storage = createMapStorage(),
    tabStorage = createMapStorage(),
    tabs,
    randomId,
    describe,
  } = options;
  const more = { fetch: bff.fetch, tabStorage, ...(tabs && { tabs }), ...(randomId && { randomId }) };
  const started = startChat(bff as ReturnType<typeof createScriptedBff>, storage, more, undefined, describe);
  const { chat } = started;
  let turn = 0;
  const page = { who: undefined as string | null | undefined, asked: 0, isSilent: false };
  chat.identity.site.connect((id) => {
    page.asked += 1;
    if (page.isSilent) return;
    const { who } = page;
    if (typeof who === "string") chat.identity.site.answer(id, `${who}#${bff.nextToken()}.${claimsOf(who)}.`);
    else chat.identity.site.answer(id, who === null ? "null" : undefined);
  });
  const identify = (who: string | null | undefined) => {
    page.who = who;
    turn = Math.abs(turn) + 1;
    chat.identity.identify(turn);
  };
  const shown = () =>
    chat.identity.isChanging.value
      ? "held"
      : chat.conversation.log.value.messages.map(({ body }) => body).join();
  const who = () => {
    const { kind } = chat.session.state.value;
    return kind === "ready" ? chat.session.customer()?.externalId : kind;
  };
  return { ...started, bff, page, identify, shown, who, tabStorage };
}

export async function visitOf(name: string, options: Parameters<typeof startVisit>[0] = {}) {
  const visit = startVisit(options);
  visit.bff.words.set(name, [`words of ${name}`]);
  visit.identify(name);
  visit.chat.open();
  await settle();
  return visit;
}

/** Tabs of one browser. */
export function createTabs() {
  const listeners = new Map<number, (message: TabMessage) => void>();
  return () => {
    const id = listeners.size;
    return {
      post(message: TabMessage) {
        for (const [other, hear] of listeners) if (other !== id) hear(message);
      },
      listen: (hear: (message: TabMessage) => void) => void listeners.set(id, hear),
    };
  };
}
