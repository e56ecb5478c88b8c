// @vitest-environment node
import { signal } from "@preact/signals";
import { describe, expect, it } from "vitest";
import { requestHandoff } from "../../shared/api/conversation.ts";
import { MAX_PORT_MESSAGE, type ToLoader } from "../../shared/frame-port.ts";
import type { Environment } from "./environment.ts";
import { acceptPort, attachPort, createPageFacts, type Greeting } from "./loader-port.ts";
import { settle } from "./testing/manual-time.ts";
import { problem } from "./testing/scripted-bff.ts";
import { startChat, startConversation } from "./testing/start-chat.ts";
import { createTabs } from "./testing/start-visit.ts";
import { createTexts } from "./texts.ts";

const parent = {} as Window;
const ORIGINS = ["https://shop.example"];
const port = () => new MessageChannel().port1;
const greeting = (changes: Partial<Greeting> = {}): Greeting => ({
  data: { parley: 1, type: "connect" },
  isTrusted: true,
  origin: "https://shop.example",
  ports: [port()],
  source: parent,
  ...changes,
});

describe("the handshake", () => {
  it("accepts the port of the page that embeds the frame", () => {
    const good = greeting();
    expect(acceptPort(good, parent, ORIGINS)).toBe(good.ports[0]);
  });

  const cyclic: { parley: number; type: string; self?: unknown } = { parley: 1, type: "connect" };
  cyclic.self = cyclic;
  const refused: Record<string, Partial<Greeting>> = {
    "another window": { source: {} as Window },
    "no window": { source: null },
    "a made-up event": { isTrusted: false },
    "an origin that only starts alike": { origin: "https://shop.example.evil.tld" },
    "an origin with another port": { origin: "https://shop.example:8443" },
    "an origin without TLS": { origin: "http://shop.example" },
    "the null origin": { origin: "null" },
    "no port": { ports: [] },
    "two ports": { ports: [port(), port()] },
    "another version": { data: { parley: 2, type: "connect" } },
    "a version as text": { data: { parley: "1", type: "connect" } },
    "another type": { data: { parley: 1, type: "open" } },
    text: { data: "connect" },
    nothing: { data: null },
    "a cycle": { data: cyclic },
    "too much": { data: { parley: 1, type: "connect", more: "x".repeat(MAX_PORT_MESSAGE) } },
    "a getter that throws": {
      data: {
        parley: 1,
        get type(): string {
          throw new Error("no");
        },
      },
    },
  };
  for (const [name, change] of Object.entries(refused)) {
    it(`refuses ${name}, without an answer`, () => {
      expect(acceptPort(greeting(change), parent, ORIGINS)).toBeUndefined();
    });
  }

  it("an empty list allows nobody", () => {
    expect(acceptPort(greeting(), parent, [])).toBeUndefined();
  });
});

function attach(more: Partial<Environment> = {}, ...visit: Parameters<typeof startChat>) {
  const [bff, storage] = visit;
  const started = startChat(bff, storage, more);
  const { port1, port2 } = new MessageChannel();
  const received: ToLoader[] = [];
  port2.onmessage = ({ data }: MessageEvent<ToLoader>) => received.push(data);
  const facts = createPageFacts();
  const language = signal({ texts: createTexts({}, "en") });
  let focused = 0;
  const warnings: string[] = [];
  const { dress } = attachPort(port1, {
    chat: started.chat,
    facts,
    onFocus: () => {
      focused += 1;
    },
    afterPaint: (run) => run(),
    language,
    warn: (sentence) => warnings.push(sentence),
    isValid: (_, text) => text !== "no-color",
    css: "b{}",
  });
  const tell = async (message: unknown) => {
    port2.postMessage(message);
    await settle();
    await settle();
  };
  const events = () => received.flatMap((message) => (message.type === "event" ? [message.event] : []));
  const close = () => {
    port1.close();
    port2.close();
  };
  return {
    ...started,
    dress,
    facts,
    language,
    received,
    events,
    warnings,
    tell,
    focused: () => focused,
    close,
  };
}

describe("the port", () => {
  it("reports ready before anything else", async () => {
    const { received, close } = attach();
    await settle();
    expect(received[0]).toEqual({ type: "ready", css: "b{}" });
    close();
  });

  it("other rules for the frame do not say that it is ready", async () => {
    const { dress, received, close } = attach();
    await settle();
    dress("iframe{}");
    await settle();
    expect(received.at(-1)).toEqual({ type: "css", css: "iframe{}" });
    close();
  });

  it("settings and preloading start no session; opening does, and only a gesture moves the focus", async () => {
    const { tell, bff, chat, facts, focused, close } = attach();
    await tell({
      type: "settings",
      settings: { title: "Shop", color: 7, greeting: { toString: "x" } },
      page: { url: "https://shop.example/a" },
    });
    expect(facts.settings.value).toEqual({ title: "Shop" });
    expect(facts.page.value).toEqual({ url: "https://shop.example/a" });
    expect(bff.received).toEqual([]);
    await tell({ type: "opened", focus: false });
    expect(focused()).toBe(0);
    expect(chat.isOpen.value).toBe(true);
    expect(bff.calls("POST /api/session")).toHaveLength(1);
    await tell({ type: "opened", focus: true });
    expect(focused()).toBe(1);
    await tell({ type: "closed" });
    expect(chat.isOpen.value).toBe(false);
    close();
  });

  it("LANG6 names the launcher in the panel's language with the unread count, or by the owner's label", async () => {
    const { chat, language, facts, events, close } = attach();
    const label = async () => {
      await settle();
      return events().findLast(({ type }) => type === "label")?.title;
    };
    expect(await label()).toBe("Open chat");
    chat.conversation.unread.value = 2;
    expect(await label()).toBe("Open chat, 2 unread");
    const german = { openChat: "Chat öffnen", openChatUnread: "Chat öffnen. Neue Nachrichten: {count}" };
    language.value = { texts: createTexts(german, "de") };
    expect(await label()).toBe("Chat öffnen. Neue Nachrichten: 2");
    facts.settings.value = { label: "Frag Ada" };
    expect(await label()).toBe("Frag Ada, 2");
    chat.conversation.unread.value = 0;
    expect(await label()).toBe("Frag Ada");
    close();
  });

  it("LANG1 another language is sent to the BFF once while a session runs", async () => {
    const { tell, bff, close } = attach();
    const set = (locale: string) => tell({ type: "settings", settings: { locale }, page: { url: "" } });
    await set("de");
    await set("fr");
    expect(bff.received).toEqual([]);
    await tell({ type: "opened", focus: true });
    await set("de");
    await set("de");
    await settle();
    expect(bff.calls("POST /api/session")).toHaveLength(2);
    close();
  });

  it("sends the page ids, roles and times, never message text, never the token", async () => {
    const { tell, bff, chat, received, events, close } = attach();
    await tell({ type: "opened", focus: true });
    chat.outbox.send("CANARY of the customer");
    await settle();
    bff.say("CANARY of the agent");
    await settle();
    await tell({ type: "closed" });
    bff.say("CANARY two");
    await settle();
    await settle();
    const types = events().map((event) => event.type);
    expect(types).toContain("message:sent");
    expect(types).toContain("message:received");
    expect(types).toContain("conversation:started");
    expect(events().findLast((event) => event.type === "unread")).toEqual({ type: "unread", count: 1 });
    expect(events().find((event) => event.type === "message:sent")).toEqual({
      type: "message:sent",
      messageId: "m2",
      role: "customer",
      at: "2026-11-21T10:00:00.000Z",
    });
    expect(JSON.stringify(received)).not.toMatch(/CANARY|token-/);
    close();
  });

  it("newMessage fills the composer and sends nothing: only the customer sends", async () => {
    const { tell, bff, chat, received, close } = attach();
    await tell({ type: "command", id: 1, command: { name: "newMessage", text: "I need help" } });
    expect(chat.composer.draft.value).toBe("I need help");
    expect(bff.received).toEqual([]);
    expect(received.at(-1)).toEqual({ type: "result", id: 1 });
    close();
  });

  it("PAGE8 newMessage replaces its own earlier text, and nothing that the customer wrote", async () => {
    const { tell, chat, received, close } = attach();
    const suggest = (id: number, text: string) =>
      tell({ type: "command", id, command: { name: "newMessage", text } });
    await suggest(1, "Where is order 17?");
    await suggest(2, "Where is order 18?");
    expect(chat.composer.draft.value).toBe("Where is order 18?");
    chat.composer.draft.value = "Where is order 18? It was due on Monday";
    await suggest(3, "Where is order 19?");
    expect(chat.composer.draft.value).toBe("Where is order 18? It was due on Monday");
    // The page does not learn whether somebody has begun to type.
    expect(received.filter(({ type }) => type === "result")).toEqual(
      [1, 2, 3].map((id) => ({ type: "result", id })),
    );
    close();
  });

  it("a command's result is an error unless the service confirmed it", async () => {
    const { tell, bff, chat, received, close } = attach();
    await tell({ type: "command", id: 1, command: { name: "endConversation" } });
    expect(received.at(-1)).toMatchObject({ type: "result", id: 1, error: { code: "no_conversation" } });
    chat.open();
    chat.outbox.send("Hello");
    await settle();
    bff.script("POST /api/conversation/handoff", () => problem("handoff_unavailable"));
    await tell({ type: "command", id: 2, command: { name: "requestHuman", text: "refund" } });
    expect(received.at(-1)).toMatchObject({ id: 2, error: { code: "handoff_unavailable" } });
    await tell({ type: "command", id: 3, command: { name: "requestHuman" } });
    expect(received.find((message) => message.type === "result" && message.id === 3)).toEqual({
      type: "result",
      id: 3,
    });
    await tell({ type: "command", id: 4, command: { name: "logout" } });
    expect(received.find((message) => message.type === "result" && message.id === 4)).toEqual({
      type: "result",
      id: 4,
    });
    close();
  });

  it("ends an earlier page's conversation that its session has still to report, and knows of none only after that", async () => {
    const { bff, storage } = await startConversation();
    const { tell, received, close } = attach(undefined, bff, storage);
    bff.script("POST /api/session", () => problem("support_unreachable"));
    await tell({ type: "command", id: 1, command: { name: "endConversation" } });
    expect(received.at(-1)).toMatchObject({ id: 1, error: { code: "support_unreachable" } });
    await tell({ type: "command", id: 2, command: { name: "endConversation" } });
    expect(received.find((message) => message.type === "result" && message.id === 2)).toEqual({
      type: "result",
      id: 2,
    });
    expect(bff.calls("DELETE /api/conversation")).toHaveLength(1);
    close();
  });

  it("HAND1 asks for a person at once in an earlier page's conversation that its session has still to report", async () => {
    const { bff, storage } = await startConversation();
    const { tell, happenings, received, close } = attach(undefined, bff, storage);
    await tell({ type: "command", id: 1, command: { name: "requestHuman", text: "billing" } });
    expect(received.find((message) => message.type === "result")).toEqual({ type: "result", id: 1 });
    expect(bff.calls("POST /api/conversation/handoff").map(({ body }) => body)).toEqual([
      { reason: "billing" },
    ]);
    expect(happenings.map(({ type }) => type)).not.toContain("said");
    close();
  });

  it("HAND1 waits for the next message with a wish for a person while nobody knows of a conversation", async () => {
    const { bff, storage } = await startConversation();
    const { tell, chat, received, close } = attach(undefined, bff, storage);
    bff.script("POST /api/session", () => problem("support_unreachable"));
    await tell({ type: "command", id: 1, command: { name: "requestHuman" } });
    expect(received.at(-1)).toMatchObject({ id: 1, error: { code: "no_conversation" } });
    expect(chat.conversation.handoffRequest.value.kind).toBe("afterMessage");
    close();
  });

  it("HAND1 a logout before the session is there ends a wish for a person", async () => {
    const { bff, storage } = await startConversation();
    const { tell, received, close } = attach(undefined, bff, storage);
    const session = Promise.withResolvers<void>();
    bff.script("POST /api/session", async (...request) => {
      await session.promise;
      return bff.answer(...request);
    });
    await tell({ type: "command", id: 1, command: { name: "requestHuman" } });
    await tell({ type: "command", id: 2, command: { name: "logout" } });
    session.resolve();
    await settle();
    expect(received.find((message) => message.type === "result" && message.id === 1)).toMatchObject({
      error: { code: "no_conversation" },
    });
    expect(bff.calls("POST /api/conversation/handoff")).toEqual([]);
    close();
  });

  it("a visitor without a session gets none by a command that has nothing to end, also after a logout", async () => {
    const { tell, bff, received, close } = attach();
    await tell({ type: "command", id: 1, command: { name: "endConversation" } });
    await tell({ type: "command", id: 2, command: { name: "logout" } });
    await tell({ type: "command", id: 3, command: { name: "endConversation" } });
    expect(received.at(-1)).toMatchObject({ id: 3, error: { code: "no_conversation" } });
    expect(bff.calls("POST /api/session")).toEqual([]);
    close();
  });

  it("HAND1 a reason that the service would refuse is cut, so that a person is asked for", async () => {
    const { tell, chat, bff, close } = attach();
    chat.open();
    chat.outbox.send("Hello");
    await settle();
    const text = `\u0007Error: no lamp${"\u{1f4a1}".repeat(300)}`;
    await tell({ type: "command", id: 2, command: { name: "requestHuman", text } });
    const { body } = bff.calls("POST /api/conversation/handoff")[0] ?? {};
    expect(requestHandoff.request.parse(body).reason).toMatch(/^Error: no lamp/);
    close();
  });

  it("IDENT1 asks the site for a token through the loader, and accepts only the answer to that request", async () => {
    const { tell, chat, received, bff, close } = attach();
    const questions = () => received.flatMap((message) => (message.type === "token" ? [message.id] : []));
    await tell({ type: "settings", settings: { identity: "2" }, page: { url: "https://shop.example/" } });
    expect(questions()).toEqual([]);
    await tell({ type: "opened", focus: false });
    expect(questions()).toEqual([1]);
    await tell({ type: "token", id: 99, token: "of another question" });
    expect(bff.received).toEqual([]);
    await tell({ type: "token", id: 1, token: "a.b.c" });
    expect(bff.calls("POST /api/session")[0]?.body).toMatchObject({ token: "a.b.c" });
    expect(JSON.stringify(received)).not.toContain("a.b.c");
    expect(chat.session.state.value.kind).toBe("ready");
    close();
  });

  it("IDENT5 reports ready again only once the former customer's content is hidden", async () => {
    const { tell, received, close } = attach();
    const readies = () => received.filter(({ type }) => type === "ready").length;
    const page = { url: "https://shop.example/" };
    await tell({ type: "settings", settings: {}, page });
    const before = readies();
    await tell({ type: "settings", settings: { title: "Shop" }, page });
    expect(readies()).toBe(before);
    await tell({ type: "settings", settings: { identity: "2" }, page });
    expect(readies()).toBe(before + 1);
    close();
  });

  it("reports to the page with a short code why its token was refused", async () => {
    const { tell, bff, events, close } = attach();
    const page = { url: "https://shop.example/" };
    bff.script("POST /api/session", () => problem("identity_expired"));
    await tell({ type: "settings", settings: { identity: "2" }, page });
    await tell({ type: "opened", focus: false });
    await tell({ type: "token", id: 1, token: "a.b.c" });
    expect(events()).toContainEqual({ type: "identity:failed", code: "expired" });
    await tell({ type: "settings", settings: { identity: "3" }, page });
    await tell({ type: "token", id: 2 });
    expect(events()).toContainEqual({ type: "identity:failed", code: "unavailable" });
    bff.script("POST /api/session", () => problem("identity_required"));
    await tell({ type: "settings", settings: { identity: "4" }, page });
    await tell({ type: "token", id: 3, token: "null" });
    expect(events().filter(({ type }) => type === "identity:needed")).toHaveLength(1);
    close();
  });

  it("LINE1 a refused token does not call a working connection offline", async () => {
    const { tell, bff, events, close } = attach();
    bff.script("POST /api/session", () => problem("identity_expired"));
    await tell({ type: "settings", settings: { identity: "2" }, page: { url: "https://shop.example/" } });
    await tell({ type: "opened", focus: false });
    await tell({ type: "token", id: 1, token: "a.b.c" });
    const statuses = events().flatMap((event) => (event.type === "connection" ? [event["status"]] : []));
    expect(statuses).toEqual(["idle", "connecting", "idle"]);
    close();
  });

  it.each([
    ["", { identity: "", logout: "2" }],
    [" and named somebody since", { identity: "3", logout: "2" }],
    [", as earlier loaders report it", { identity: "-2" }],
  ])(
    "IDENT7 if the page signed out before the frame existed%s, its session is forgotten",
    async (_, said) => {
      const { tell, bff, storage, chat, close } = attach();
      const message = { type: "settings", settings: said, page: { url: "https://shop.example/" } };
      await tell({ type: "opened", focus: false });
      expect(storage.map.has("parley.session")).toBe(true);
      await tell(message);
      await tell(message);
      expect(storage.map.has("parley.session")).toBe(false);
      expect(bff.calls("DELETE /api/session")).toHaveLength(1);
      expect(chat.identity.site.isVouching.value).toBe(said.identity === "3");
      close();
    },
  );

  it("IDENT7 the command of a logout leaves whom the page has named since then", async () => {
    const { tell, chat, received, close } = attach();
    const page = { url: "https://shop.example/" };
    const turns = [{ identity: "2" }, { identity: "", logout: "3" }, { identity: "4", logout: "3" }];
    for (const settings of turns) await tell({ type: "settings", settings, page });
    await tell({ type: "command", id: 1, command: { name: "logout" } });
    expect(received).toContainEqual({ type: "result", id: 1 });
    expect(chat.identity.site.isVouching.value).toBe(true);
    close();
  });

  it("IDENT7 a logout in another tab forgets all that the page said after its own", async () => {
    const open = createTabs();
    const { tell, received, close } = attach({ tabs: open() });
    const page = { url: "https://shop.example/" };
    await tell({ type: "settings", settings: { identity: "", greeting: "Hello Ben" }, page });
    await tell({ type: "opened", focus: false });
    open().post("logout 1");
    await settle();
    await settle();
    expect(received).toContainEqual({ type: "forget", before: Number.POSITIVE_INFINITY });
    close();
  });

  it('IDENT7 the frame names the logout that is done, and the loader\'s "nobody" after it changes nothing', async () => {
    const { tell, bff, received, storage, close } = attach();
    const page = { url: "https://shop.example/" };
    await tell({ type: "settings", settings: { identity: "", logout: "2" }, page });
    expect(received).toContainEqual({ type: "ready", logout: 2 });
    await tell({ type: "opened", focus: false });
    const token = storage.map.get("parley.session");
    await tell({ type: "settings", settings: { identity: "", logout: "" }, page });
    expect(storage.map.get("parley.session")).toBe(token);
    expect(bff.received.filter(({ path }) => path === "/api/session")).toHaveLength(1);
    close();
  });

  it("names the traits that it leaves out, once for each change, and ten at most", async () => {
    const { tell, events, warnings, close } = attach();
    const refused = () => events().filter(({ type }) => type === "error");
    const settings = { traits: '{"plan":"pro","full name":"Ada"}' };
    const page = { url: "https://shop.example/" };
    await tell({ type: "settings", settings, page });
    await tell({ type: "settings", settings, page });
    expect(refused()).toEqual([{ type: "error", code: "bad_setting", what: "traits.full name" }]);
    expect(warnings).toEqual([expect.stringContaining("traits.full name")]);
    const many = Object.fromEntries(Array.from({ length: 30 }, (_, index) => [`${index}`, 1]));
    await tell({ type: "settings", settings: { traits: JSON.stringify(many) }, page });
    expect(refused()).toHaveLength(11);
    await tell({
      type: "settings",
      settings: { refused: "title,texts", color: "no-color", texts: "{" },
      page,
    });
    const named = refused().slice(11);
    expect(named.map((event) => "what" in event && event.what)).toEqual(["title", "texts", "color", "texts"]);
    close();
  });

  it("PAGE9 names an invalid setting once, and says in the console what is allowed", async () => {
    const { tell, events, warnings, close } = attach();
    for (const settings of [{ position: "top" }, { position: "top", title: "Lamps" }])
      await tell({ type: "settings", settings, page: { url: "https://shop.example/" } });
    const refused = events().filter(({ type }) => type === "error");
    expect(refused).toEqual([{ type: "error", code: "bad_setting", what: "position" }]);
    expect(warnings).toEqual(["Parley: position must be left or right. See docs/api.md."]);
    close();
  });

  it.each([
    ["full name", "Ada"],
    ["größe", 1],
    ["1st", true],
    ["note", "x".repeat(257)],
  ])("the trait %j is named when it is left out", async (name, value) => {
    const { tell, events, close } = attach();
    const traits = JSON.stringify({ plan: "pro", [name]: value });
    await tell({ type: "settings", settings: { traits }, page: { url: "https://shop.example/" } });
    const refused = events().filter(({ type }) => type === "error");
    expect(refused).toEqual([{ type: "error", code: "bad_setting", what: `traits.${name}` }]);
    close();
  });

  it.each([
    ["unknown", { name: "eval", text: "" }],
    ["named like a method of every object", { name: "toString", text: "" }],
    ["without a name", {}],
    ["empty", null],
  ])("a command that is %s is answered with not_available, never with success", async (_, command) => {
    const { tell, bff, received, close } = attach();
    await tell({ type: "command", id: 1, command });
    const results = received.filter(({ type }) => type === "result");
    expect(results).toMatchObject([{ type: "result", id: 1, error: { code: "not_available" } }]);
    expect(bff.received).toEqual([]);
    close();
  });

  it("unknown messages are ignored", async () => {
    const { tell, bff, received, close } = attach();
    await settle();
    const before = received.length;
    for (const message of [
      null,
      7,
      "opened",
      {},
      { type: "identify" },
      { type: "command", id: "1", command: { name: "logout" } },
      { type: "command", id: 1, command: { name: "newMessage", text: "x".repeat(MAX_PORT_MESSAGE) } },
    ]) {
      await tell(message);
    }
    expect(received).toHaveLength(before);
    expect(bff.received).toEqual([]);
    close();
  });
});
