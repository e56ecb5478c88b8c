import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { ToFrame } from "../../shared/frame-port.ts";
import {
  answerFrame,
  type FrameSide,
  findFrame,
  findHost,
  findLauncher,
  findNote,
  leavePage,
  runLoader,
} from "./testing/host-page.ts";

const fetched = vi.fn<typeof fetch>();

beforeEach(() => {
  fetched.mockReset();
  vi.stubGlobal("fetch", fetched);
});
afterEach(leavePage);

type Heard = { readonly heard: readonly ToFrame[] };
const settingsOf = ({ heard }: Heard) =>
  heard.flatMap((message) => (message.type === "settings" ? [message.settings] : [])).at(-1);
const tokensOf = ({ heard }: Heard) => heard.filter(({ type }) => type === "token");

/** A page whose panel is visible. */
async function openPage(attributes: Record<string, string> = {}) {
  await runLoader(attributes);
  findLauncher().click();
  return answerFrame();
}

/** The frame executes the page's logout, or fails with `error`. */
async function endLogout(frame: FrameSide, error?: { readonly code: string; readonly message: string }) {
  await expect.poll(() => frame.heard.at(-1)).toMatchObject({ command: { name: "logout" } });
  const { id } = frame.heard.at(-1) as { id: number };
  frame.say({ type: "result", id, error });
}

describe("IDENT1 identify", () => {
  it("calls nothing before the frame asks", async () => {
    const getToken = vi.fn();
    await runLoader({ "data-identity-url": "/chat-token" });
    await window.Parley.identify({ getToken });
    expect(getToken).not.toHaveBeenCalled();
    expect(fetched).not.toHaveBeenCalled();
    expect(findFrame()).toBeNull();
  });

  it.each([
    ["identityUrl", "https://evil.example/token"],
    ["parleySettings", { identityUrl: "https://evil.example/token" }],
    ["Parley", { q: [["identify", { token: "evil" }]] }],
    ["q", [["identify", { token: "evil" }]]],
  ])(
    "takes nothing from Object.prototype, which a link to the page may have changed: %s",
    async (name, value) => {
      if (name !== "parleySettings") window.parleySettings = { title: "Shop" };
      if (name === "q") Object.assign(window, { Parley: () => undefined });
      Object.assign(Object.prototype, { [name]: value, greeting: "Send me your password" });
      try {
        const frame = await openPage();
        frame.say({ type: "token", id: 1 });
        await expect.poll(() => tokensOf(frame)).toHaveLength(1);
        expect(JSON.stringify([frame.heard, fetched.mock.calls])).not.toMatch(/evil|password/);
      } finally {
        for (const added of [name, "greeting"]) Reflect.deleteProperty(Object.prototype, added);
      }
    },
  );

  it("a token in Object.prototype does not take the place of the page's function", async () => {
    const frame = await openPage();
    await window.Parley.identify({ getToken: async () => "a.b.c" });
    Object.assign(Object.prototype, { token: "evil" });
    try {
      frame.say({ type: "token", id: 1 });
      await expect.poll(() => tokensOf(frame)).toHaveLength(1);
    } finally {
      Reflect.deleteProperty(Object.prototype, "token");
    }
    expect(tokensOf(frame)).toMatchObject([{ token: "a.b.c" }]);
  });

  it("gives the frame a token each time it asks, with the number of the request", async () => {
    const frame = await openPage();
    let count = 0;
    await window.Parley.identify({ getToken: async () => `a.b.${++count}` });
    frame.say({ type: "token", id: 7 });
    frame.say({ type: "token", id: 8 });
    await expect.poll(() => tokensOf(frame)).toHaveLength(2);
    expect(tokensOf(frame)).toEqual([
      { type: "token", id: 7, token: "a.b.1" },
      { type: "token", id: 8, token: "a.b.2" },
    ]);
  });

  it.each<[string, () => Promise<string | null>, string?]>([
    ["null", async () => null, "null"],
    ["a rejection", () => Promise.reject(new Error("no"))],
    ["what has no text", async () => Symbol("no") as never],
    [
      "a throw",
      () => {
        throw new Error("no");
      },
    ],
  ])(
    "%s of the site is passed on for what it is, and makes no noise on the page",
    async (_name, getToken, token) => {
      const noise = vi.fn();
      process.on("unhandledRejection", noise);
      const frame = await openPage();
      await window.Parley.identify({ getToken });
      frame.say({ type: "token", id: 1 });
      await expect.poll(() => tokensOf(frame)).toEqual([{ type: "token", id: 1, token }]);
      process.off("unhandledRejection", noise);
      expect(noise).not.toHaveBeenCalled();
    },
  );

  it("IDENT5 a token that comes after the frame began again is not that of the next request", async () => {
    const frame = await openPage();
    const late = Promise.withResolvers<string>();
    await window.Parley.identify({ getToken: () => late.promise });
    frame.say({ type: "token", id: 1 });
    const again = answerFrame();
    await window.Parley.identify({ getToken: async () => "token.of.bob" });
    late.resolve("token.of.ann");
    again.say({ type: "token", id: 1 });
    await expect.poll(() => tokensOf(again)).not.toEqual([]);
    expect(tokensOf(again)).toEqual([{ type: "token", id: 1, token: "token.of.bob" }]);
  });

  it("with a token passes on that token", async () => {
    const frame = await openPage();
    await window.Parley.identify({ token: "a.b.c" });
    frame.say({ type: "token", id: 1 });
    await expect.poll(() => tokensOf(frame)).toEqual([{ type: "token", id: 1, token: "a.b.c" }]);
  });

  it("each call is a new statement of the site, sent to an existing frame at once", async () => {
    const frame = await openPage();
    expect(settingsOf(frame)?.identity).toBeUndefined();
    await window.Parley.identify({ token: "a" });
    const first = Number(settingsOf(frame)?.identity);
    await window.Parley.identify({ token: "b" });
    expect(Number(settingsOf(frame)?.identity)).toBeGreaterThan(first);
    expect(first).toBeGreaterThan(0);
  });
});

describe("data-identity-url", () => {
  it("is fetched with the site's own cookies, and its answer is passed on unchanged", async () => {
    fetched.mockResolvedValue(new Response('{"token":"a.b.c"}'));
    const frame = await openPage({ "data-identity-url": "/chat-token" });
    expect(settingsOf(frame)?.identityUrl).toBe("/chat-token");
    expect(fetched).not.toHaveBeenCalled();
    frame.say({ type: "token", id: 3 });
    await expect.poll(() => tokensOf(frame)).toEqual([{ type: "token", id: 3, token: '{"token":"a.b.c"}' }]);
    expect(fetched).toHaveBeenCalledWith("/chat-token", { credentials: "include" });
  });

  it("an answer of 204 says that nobody is signed in", async () => {
    fetched.mockResolvedValue(new Response(null, { status: 204 }));
    const frame = await openPage({ "data-identity-url": "/chat-token" });
    frame.say({ type: "token", id: 1 });
    await expect.poll(() => tokensOf(frame)).toEqual([{ type: "token", id: 1, token: "null" }]);
  });

  it.each([401, 404, 500])(
    "an answer of %i is a failure, and never makes anybody anonymous",
    async (status) => {
      fetched.mockResolvedValue(new Response("Sign in", { status }));
      const frame = await openPage({ "data-identity-url": "/chat-token" });
      frame.say({ type: "token", id: 1 });
      await expect.poll(() => tokensOf(frame)).toHaveLength(1);
      expect(tokensOf(frame)[0]).not.toMatchObject({ token: expect.any(String) });
    },
  );
});

describe("IDENT5 the frame of another customer", () => {
  it("is hidden immediately in the call, and visible again once the frame has covered it", async () => {
    const frame = await openPage();
    expect(findFrame()?.inert).toBe(false);
    findFrame()?.blur();
    void window.Parley.identify({ token: "b" });
    expect(findFrame()?.inert).toBe(true);
    frame.say({ type: "event", event: { type: "unread", count: 1 } });
    expect(findFrame()?.inert).toBe(true);
    frame.say({ type: "css", css: "b{color:red}" });
    expect(findFrame()?.inert).toBe(true);
    frame.say({ type: "ready" });
    expect(findFrame()?.inert).toBe(false);
  });

  it("returns without taking the focus from a person who signs in elsewhere on the page", async () => {
    const frame = await openPage();
    const field = document.createElement("input");
    document.body.append(field);
    field.focus();
    void window.Parley.identify({ token: "b" });
    frame.say({ type: "ready" });
    const opened = frame.heard.filter(({ type }) => type === "opened");
    expect(opened.at(-1)).toEqual({ type: "opened", focus: false });
    expect(document.activeElement).toBe(field);
  });

  it("is hidden but keeps the focus of a person who is writing in it", async () => {
    const frame = await openPage();
    void window.Parley.identify({ token: "ann again" });
    frame.say({ type: "event", event: { type: "unread", count: 1 } });
    expect(findFrame()).toMatchObject({ inert: false, style: { opacity: "0" } });
    frame.say({ type: "ready" });
    expect(findFrame()).toMatchObject({ inert: false, style: { opacity: "" } });
    expect(frame.heard.at(-1)).toEqual({ type: "opened", focus: true });
    expect(findHost()?.shadowRoot?.activeElement).toBe(findFrame());
  });

  it("is hidden but keeps the focus also in a box of the page, where nobody has called open", async () => {
    const box = document.body.appendChild(document.createElement("div"));
    box.id = "box";
    await runLoader({ "data-container": "#box" });
    const frame = answerFrame();
    findFrame()?.setAttribute("tabindex", "0");
    findFrame()?.focus();
    void window.Parley.identify({ token: "ann again" });
    expect(findFrame()).toMatchObject({ inert: false, style: { opacity: "0" } });
    frame.say({ type: "ready" });
    expect(frame.heard.at(-1)).toEqual({ type: "opened", focus: true });
  });

  it("is out of everybody's reach if it does not answer, also for a person who is writing in it", async () => {
    const frame = await openPage();
    vi.useFakeTimers();
    void window.Parley.identify({ token: "bob" });
    expect(findFrame()?.inert).toBe(false);
    vi.advanceTimersByTime(3000);
    expect(findFrame()).toMatchObject({ inert: true, style: { opacity: "0" } });
    frame.say({ type: "ready" });
    expect(findFrame()).toMatchObject({ inert: false, style: { opacity: "" } });
  });

  it("shows nothing while it closes before it has covered the former customer's data", async () => {
    const frame = await openPage();
    void window.Parley.identify({ token: "bob" });
    void window.Parley.close();
    expect(findFrame()).toMatchObject({ inert: true, className: "" });
    frame.say({ type: "ready" });
    void window.Parley.open();
    void window.Parley.close();
    expect(findFrame()?.className, "control").toBe("out");
  });
});

describe("IDENT7 logout", () => {
  it("closes the panel immediately in the call, and makes the frame sign out", async () => {
    const frame = await openPage();
    const done = window.Parley.logout();
    expect(findFrame()?.inert).toBe(true);
    expect(settingsOf(frame)).toMatchObject({ identity: "", logout: "2" });
    await endLogout(frame);
    await expect(done).resolves.toBeUndefined();
  });

  it("before there is a frame is the first thing sent to it", async () => {
    await runLoader();
    const done = window.Parley.logout();
    const frame = answerFrame();
    expect(settingsOf(frame)).toMatchObject({ identity: "", logout: "2" });
    await endLogout(frame, { code: "support_unreachable", message: "x" });
    await expect(done).rejects.toMatchObject({ code: "support_unreachable" });
  });

  it("reaches the frame although the page destroys the chat before the frame has loaded", async () => {
    await runLoader();
    const done = window.Parley.logout();
    const isGone = window.Parley.destroy();
    expect(window.Parley).toBeUndefined();
    expect(findLauncher().hidden).toBe(true);
    await endLogout(answerFrame());
    await expect(done).resolves.toBeUndefined();
    await isGone;
    expect(findHost()).toBeNull();
  });

  it("leaves the page's own launcher and no note while destroy waits for it", async () => {
    const help = document.body.appendChild(document.createElement("button"));
    help.id = "help";
    const before = help.outerHTML;
    await runLoader({ "data-launcher": "#help" });
    vi.useFakeTimers();
    window.Parley.open().catch(() => undefined);
    await vi.advanceTimersByTimeAsync(10_000);
    vi.useRealTimers();
    expect(findNote()?.textContent).not.toBe("");
    void window.Parley.logout();
    const isGone = window.Parley.destroy();
    const press = () => help.dispatchEvent(new MouseEvent("click", { bubbles: true, cancelable: true }));
    expect(press()).toBe(true);
    expect(help.outerHTML).toBe(before);
    expect(findNote()?.textContent).toBe("");
    const frame = answerFrame();
    expect(press()).toBe(true);
    expect(help.outerHTML).toBe(before);
    await endLogout(frame);
    await isGone;
  });

  it("is not asked for again in a frame that loads later, once a frame has done it", async () => {
    const frame = await openPage();
    window.Parley.logout().catch(() => undefined);
    const asked = settingsOf(frame)?.logout;
    const unanswered = answerFrame();
    expect(settingsOf(unanswered)?.logout).toBe(asked);
    unanswered.say({ type: "ready", logout: Number(asked) });
    expect(settingsOf(answerFrame())).toMatchObject({ identity: "", logout: "" });
  });

  it("that is reported late does not replace a later identify", async () => {
    const frame = await openPage();
    window.Parley.logout().catch(() => undefined);
    const asked = Number(settingsOf(frame)?.logout);
    await window.Parley.identify({ token: "b" });
    frame.say({ type: "ready", logout: asked });
    expect(settingsOf(answerFrame())).toMatchObject({ identity: `${asked + 1}`, logout: "" });
  });

  it("before a later identify reaches a frame that loads after both", async () => {
    await runLoader();
    window.Parley.logout().catch(() => undefined);
    await window.Parley.identify({ token: "b" });
    expect(settingsOf(answerFrame())).toMatchObject({ logout: "2", identity: "3" });
  });

  it("is followed by a new statement when somebody signs in again", async () => {
    const frame = await openPage();
    void window.Parley.logout();
    const signedOut = Number(settingsOf(frame)?.logout);
    await window.Parley.identify({ token: "b" });
    expect(Number(settingsOf(frame)?.identity)).toBeGreaterThan(signedOut);
  });
});

describe("IDENT10 the next customer", () => {
  const PERSONAL = {
    traits: { name: "Ann" },
    locale: "de",
    greeting: "Hello Ann",
    title: "Ann's chat",
    label: "Ann",
    texts: { en: { greeting: "Ann" } },
    suggestions: "Where is Ann's lamp?",
  };

  it("after a logout finds no personal setting of the first, also where there was no frame yet", async () => {
    await runLoader({ "data-greeting": "Moin!" });
    await window.Parley.update({ ...PERSONAL, color: "#123456" });
    window.Parley.logout().catch(() => undefined);
    const frame = answerFrame();
    expect(JSON.stringify(settingsOf(frame))).not.toContain("Ann");
    expect(settingsOf(frame)).toMatchObject({ greeting: "Moin!", locale: "", color: "#123456" });
  });

  it("after a logout finds no traits of parleySettings, and the page's greeting", async () => {
    Object.assign(window, { parleySettings: { traits: { name: "Ann" }, greeting: "Moin!" } });
    const frame = await openPage();
    expect(settingsOf(frame)?.traits).toBe('{"name":"Ann"}');
    window.Parley.logout().catch(() => undefined);
    expect(settingsOf(frame)).toMatchObject({ traits: "", greeting: "Moin!" });
  });

  it("who was identified without a logout keeps what the page said afterwards, and nothing from before", async () => {
    const frame = await openPage();
    await window.Parley.identify({ token: "ann" });
    await window.Parley.update(PERSONAL);
    await window.Parley.identify({ token: "bob" });
    await window.Parley.setTraits({ plan: "pro" });
    frame.say({ type: "forget", before: Number(settingsOf(frame)?.identity) });
    expect(JSON.stringify(settingsOf(frame))).not.toContain("Ann");
    expect(settingsOf(frame)?.traits).toBe('{"plan":"pro"}');
  });

  it("is not made up: settings stay while the same customer is named again (control)", async () => {
    const frame = await openPage();
    await window.Parley.identify({ token: "ann" });
    await window.Parley.update(PERSONAL);
    await window.Parley.identify({ token: "ann again" });
    expect(settingsOf(frame)).toMatchObject({ greeting: "Hello Ann", traits: '{"name":"Ann"}' });
  });

  it("sees no unread count of the first", async () => {
    const frame = await openPage();
    frame.say({ type: "event", event: { type: "unread", count: 3 } });
    expect(window.Parley.unreadCount).toBe(3);
    window.Parley.logout().catch(() => undefined);
    expect(window.Parley.unreadCount).toBe(0);
  });
});

describe("setTraits", () => {
  it("loads no frame, and reaches the next one with the settings", async () => {
    await runLoader();
    await window.Parley.setTraits({ plan: "pro", seats: 3 });
    expect(findFrame()).toBeNull();
    findLauncher().click();
    expect(settingsOf(answerFrame())?.traits).toBe('{"plan":"pro","seats":3}');
  });

  it("never exceeds the port's limit, whatever the size", async () => {
    const frame = await openPage();
    await window.Parley.setTraits({ note: "\u0001".repeat(100_000) });
    expect(JSON.stringify(frame.heard.at(-1)).length).toBeLessThanOrEqual(16_384);
  });
});
