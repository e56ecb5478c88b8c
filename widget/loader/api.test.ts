import { afterEach, describe, expect, it, vi } from "vitest";
import type { ParleyEvent } from "../parley.d.ts";
import { answerFrame, findFrame, findHost, findLauncher, leavePage, runLoader } from "./testing/host-page.ts";

type Stub = ((...args: unknown[]) => void) & { q?: unknown[] };

/** The README's stub, with the same effect. */
function placeStub(): Stub {
  const stub: Stub = (...args) => {
    const parley = window.Parley as unknown as Stub;
    parley.q = parley.q ?? [];
    parley.q.push(args);
  };
  Reflect.set(window, "Parley", stub);
  return stub;
}

afterEach(leavePage);

describe("the queue", () => {
  it("calls from before the script are executed in order", async () => {
    const stub = placeStub();
    const seen: string[] = [];
    stub("on", "ready", ({ type }: ParleyEvent) => seen.push(type));
    stub("on", "error", ({ message }: ParleyEvent<"error">) => seen.push(message ?? ""));
    stub("update", { launcher: "none" });
    stub("identify", {} as never);
    stub("explode" as never);
    await runLoader();
    await expect.poll(() => seen).toHaveLength(3);
    expect(seen).toEqual(["ready", "bad_call", "not_available"]);
    expect(findLauncher().hidden).toBe(true);
  });

  it("a page that kept the stub can still use it", async () => {
    const stub = placeStub();
    await runLoader();
    stub("open");
    answerFrame();
    expect(window.Parley.isOpen).toBe(true);
  });

  it.each([[[]], ["x"], [{ length: 3 }], [null]])("an invalid queue does no harm", async (queue) => {
    Reflect.set(
      window,
      "Parley",
      Object.assign(() => undefined, { q: queue }),
    );
    await runLoader();
    expect(findHost()).not.toBeNull();
  });
});

describe("Parley", () => {
  it("has every method of the design, in both forms", async () => {
    await runLoader();
    const names =
      "boot update identify logout destroy open close toggle show hide newMessage requestHuman endConversation setTraits setLocale on once off doctor";
    for (const name of names.split(" "))
      expect(Reflect.get(window.Parley, name), name).toBeTypeOf("function");
    expect(window.Parley.version).toBe("1.2.3");
    expect(window.Parley.isOpen).toBe(false);
    expect(window.Parley.unreadCount).toBe(0);
    expect(window.Parley.connection).toBe("idle");
    await window.Parley.ready;
  });

  it("Parley(name) and Parley.name() are the same", async () => {
    await runLoader();
    const opened = window.Parley("open");
    answerFrame();
    await opened;
    await window.Parley.close();
    expect(window.Parley.isOpen).toBe(false);
    await window.Parley("toggle");
    expect(window.Parley.isOpen).toBe(true);
  });

  it("the last setting wins: tag, then parleySettings, then boot", async () => {
    window.parleySettings = { title: "page", greeting: "page" };
    await runLoader({ "data-title": "tag", "data-greeting": "tag", "data-locale": "de" });
    await window.Parley.boot({ greeting: "boot" });
    void window.Parley.open();
    const { heard } = answerFrame();
    expect(heard[0]).toMatchObject({ settings: { locale: "de", title: "page", greeting: "boot" } });
  });

  it("a setting that is not a plain value reaches the frame as JSON, and no length costs the other settings", async () => {
    await runLoader();
    await window.Parley.boot({ texts: { de: { greeting: "Moin!" } }, title: "x".repeat(50_000), zIndex: 7 });
    void window.Parley.open();
    const settings = answerFrame().heard[0];
    expect(settings).toMatchObject({
      settings: { texts: '{"de":{"greeting":"Moin!"}}', zIndex: "7", title: "", refused: "title" },
    });
    expect(JSON.stringify(settings).length).toBeLessThanOrEqual(16_384);
  });

  it("PAGE3 PAGE9 one that can't be read costs neither the chat nor the other settings", async () => {
    const traits: Record<string, unknown> = {};
    traits["itself"] = traits;
    const given = { traits, onReady: () => undefined, title: "Lamps" };
    Object.assign(window, { parleySettings: given });
    await runLoader();
    void window.Parley.open();
    const { heard } = answerFrame();
    expect(heard[0]).toMatchObject({ settings: { title: "Lamps", traits: "", refused: "traits,onReady" } });
    await expect(window.Parley.update({ ...given, title: "Chairs" } as object)).rejects.toMatchObject({
      code: "bad_call",
    });
    expect(heard.at(-1)).toMatchObject({ settings: { title: "Chairs" } });
  });

  it("settings that are too long together leave out the last, by name, until it is short again", async () => {
    await runLoader();
    await window.Parley.boot({ title: "x".repeat(5000), greeting: "y".repeat(5000) });
    await window.Parley.update({ texts: "z".repeat(5000) });
    void window.Parley.open();
    const { heard } = answerFrame();
    expect(heard[0]).toMatchObject({
      settings: { title: expect.stringMatching(/^x{5000}$/), refused: "texts" },
    });
    expect(JSON.stringify(heard[0]).length).toBeLessThanOrEqual(16_384);
    await window.Parley.update({ texts: "z" });
    expect(heard.at(-1)).toMatchObject({ settings: { texts: "z", refused: "" } });
  });

  it("reach the frame on a page with a long address too", async () => {
    history.replaceState(null, "", `/${"x".repeat(17_000)}`);
    await runLoader({ "data-title": "Lamps" });
    void window.Parley.open();
    const [settings] = answerFrame().heard;
    history.replaceState(null, "", "/");
    expect(settings).toMatchObject({ settings: { title: "Lamps" } });
    expect(JSON.stringify(settings).length).toBeLessThanOrEqual(16_384);
  });

  it("hide removes launcher and panel, show restores the launcher", async () => {
    await runLoader();
    void window.Parley.open();
    answerFrame();
    await window.Parley.hide();
    expect(window.Parley.isOpen).toBe(false);
    expect(findLauncher().hidden).toBe(true);
    await window.Parley.show();
    expect(findLauncher().hidden).toBe(false);
  });

  it("setLocale reaches an existing frame", async () => {
    await runLoader();
    void window.Parley.open();
    const { heard } = answerFrame();
    await window.Parley.setLocale("fr");
    expect(heard.at(-1)).toMatchObject({ type: "settings", settings: { locale: "fr" } });
  });
});

describe("PAGE3 bad calls", () => {
  it.each([
    ["an unknown method", "explode", [], "not_available"],
    ["an identity without a token", "identify", [{}], "bad_call"],
    ["a promise in place of getToken", "identify", [{ getToken: Promise.resolve("t") }], "bad_call"],
    ["settings that are none", "update", ["blue"], "bad_call"],
    ["a handler that is none", "on", ["open"], "bad_call"],
    ["settings that are none, and a function", "update", ["blue", () => undefined], "bad_call"],
    ["traits that are no JSON", "setTraits", [{ size: 1n }], "bad_call"],
    ["no traits", "setTraits", [], "bad_call"],
    ["nobody", "identify", [], "bad_call"],
    [
      "settings that throw",
      "boot",
      [
        {
          get title() {
            throw new Error("mine");
          },
        },
      ],
      "bad_call",
    ],
    ["what every object has", "constructor", [], "not_available"],
    ["what every object has", "toString", [], "not_available"],
    ["no name", undefined as never, [], "not_available"],
  ])("%s rejects with a code and never throws", async (_, name, args, code) => {
    await runLoader();
    const call = window.Parley as unknown as (...args: unknown[]) => Promise<void>;
    await expect(call(name, ...args)).rejects.toMatchObject({ code });
  });

  it("without a handler for the promise only cause an error event", async () => {
    const noise = vi.fn();
    process.on("unhandledRejection", noise);
    await runLoader();
    const codes: string[] = [];
    window.Parley.on("error", ({ code }) => codes.push(code));
    void (window.Parley as unknown as (name: string) => Promise<void>)("explode");
    await new Promise((resolve) => setImmediate(resolve));
    process.off("unhandledRejection", noise);
    expect(codes).toEqual(["not_available"]);
    expect(noise).not.toHaveBeenCalled();
  });
});

describe("events", () => {
  it("carry type, id and time, each its own id", async () => {
    await runLoader();
    const events: ParleyEvent[] = [];
    window.Parley.on("open", (event) => events.push(event));
    window.Parley.on("close", (event) => events.push(event));
    void window.Parley.open();
    answerFrame();
    await window.Parley.close();
    await window.Parley.open();
    expect(events.map(({ type }) => type)).toEqual(["open", "close", "open"]);
    expect(new Set(events.map(({ id }) => id)).size).toBe(3);
    expect(events.every(({ at }) => new Date(at).toISOString() === at)).toBe(true);
  });

  it("on returns a function that unsubscribes; once receives one; off removes a handler", async () => {
    await runLoader();
    const heard: string[] = [];
    const stop = window.Parley.on("open", () => heard.push("on"));
    window.Parley.once("open", () => heard.push("once"));
    const handler = () => heard.push("off");
    window.Parley.on("open", handler);
    window.Parley.off("open", handler);
    void window.Parley.open();
    answerFrame();
    await window.Parley.close();
    stop();
    await window.Parley.open();
    expect(heard).toEqual(["on", "once"]);
  });

  it("off without a handler stops all of that type", async () => {
    await runLoader();
    const heard: string[] = [];
    window.Parley.on("open", () => heard.push("open"));
    window.Parley.on("close", () => heard.push("close"));
    window.Parley.off("open");
    void window.Parley.open();
    answerFrame();
    await window.Parley.close();
    expect(heard).toEqual(["close"]);
  });

  it("ready is also sent to late subscribers", async () => {
    await runLoader();
    const late = vi.fn();
    window.Parley.on("ready", late);
    await window.Parley.ready;
    expect(late).toHaveBeenCalledOnce();
  });

  it("are passed on from the frame with their data", async () => {
    await runLoader();
    const received = vi.fn();
    window.Parley.on("message:received", received);
    void window.Parley.open();
    answerFrame().say({ type: "event", event: { type: "message:received", messageId: "m1", role: "agent" } });
    await window.Parley.ready;
    expect(received).toHaveBeenCalledWith(expect.objectContaining({ messageId: "m1", role: "agent" }));
  });

  it("the connection is what the frame last reported", async () => {
    await runLoader();
    void window.Parley.open();
    answerFrame().say({ type: "event", event: { type: "connection", status: "online" } });
    expect(window.Parley.connection).toBe("online");
  });
});

describe("destroy", () => {
  it("leaves nothing", async () => {
    const before = Object.keys(window);
    const listened = vi.spyOn(document, "addEventListener");
    await runLoader({ "data-launcher": "#help" });
    document.body.innerHTML = '<button id="help">Help</button>';
    void window.Parley.open().catch(() => "destroyed meanwhile");
    await window.Parley.destroy();
    expect(findHost()).toBeNull();
    expect(findFrame()).toBeNull();
    const stubbed = ["__PARLEY_VERSION__", "__PARLEY_WORDS__", "CSS", "MessageChannel", "visualViewport"];
    const added = Object.keys(window).filter((key) => !before.includes(key) && !stubbed.includes(key));
    expect(added).toEqual([]);
    const signals = listened.mock.calls.map(([, , options]) => (options as { signal?: AbortSignal }).signal);
    expect(signals).toHaveLength(3);
    expect(signals.every((signal) => signal?.aborted)).toBe(true);
    listened.mockRestore();
    document.querySelector<HTMLElement>("#help")?.click();
    expect(findHost()).toBeNull();
  });

  it("a reference that the page still has rejects, and the script may be loaded again", async () => {
    await runLoader();
    const kept = window.Parley;
    await kept.destroy();
    await expect(kept.open()).rejects.toMatchObject({ code: "not_available" });
    await runLoader();
    expect(findHost()).not.toBeNull();
  });

  it("rejects everything that still waits", async () => {
    await runLoader();
    const opened = window.Parley.open();
    await window.Parley.destroy();
    await expect(opened).rejects.toMatchObject({ code: "unreachable" });
  });
});

it("PAGE3 the loader's source uses no sink, no storage and no console", () => {
  const sources = import.meta.glob<string>("./*.ts", { query: "?raw", import: "default", eager: true });
  const shipped = Object.entries(sources).filter(([name]) => !name.endsWith(".test.ts"));
  // Only mark.ts uses storage, and only after a frame reported a conversation (mark.test.ts).
  const stored = shipped.filter(([name, source]) => name !== "./mark.ts" && /Storage/.test(source));
  expect(stored.map(([name]) => name)).toEqual([]);
  expect(shipped.length).toBeGreaterThan(6);
  for (const [name, source] of shipped) {
    expect(source, name).not.toMatch(
      /innerHTML|outerHTML|insertAdjacent|document\.write|eval\(|Function\(|sessionStorage|\.cookie|console\.|unload/,
    );
  }
});
