import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { boot } from "./boot.ts";

const origin = "https://chat.example.com";
/** In place of the document's head: outside the document nothing is fetched. */
const head = document.createElement("div");
const tags = () => [...head.querySelectorAll("script")];

/** Ends the loading of the newest tag as the script does: with `window.Parley`, whose calls are recorded. */
async function arrive(): Promise<unknown[][]> {
  await vi.waitFor(() => expect(tags().at(-1)?.src).toContain("widget.js"));
  const calls: unknown[][] = [];
  const stop = () => void calls.push(["stopped"]);
  const parley = (...call: unknown[]) => {
    calls.push(call);
    if (call[0] === "destroy") Reflect.deleteProperty(window, "Parley");
    return call[0] === "on" ? stop : Promise.resolve();
  };
  const update = (settings: unknown) => parley("update", settings);
  Reflect.set(window, "Parley", Object.assign(parley, { version: "1.2.3", update }));
  tags().at(-1)?.dispatchEvent(new Event("load"));
  return calls;
}

beforeEach(() => {
  vi.spyOn(document.head, "append").mockImplementation((tag) => head.append(tag));
});
afterEach(() => {
  Reflect.deleteProperty(window, "Parley");
  head.replaceChildren();
  vi.restoreAllMocks();
});

describe("boot", () => {
  it("puts one script into the page, with its settings, hash and nonce", async () => {
    const src = `${origin}/v/0.1.0-abc/widget.js`;
    const chat = boot({ src, integrity: "sha384-x", nonce: "n", title: "Lamps", suggestions: ["A?", "B?"] });
    await arrive();
    await chat.ready;
    const [tag] = tags();
    expect(tags()).toHaveLength(1);
    expect(tag).toMatchObject({
      src,
      async: true,
      integrity: "sha384-x",
      crossOrigin: "anonymous",
      nonce: "n",
    });
    expect(Object.assign({}, tag?.dataset)).toEqual({ title: "Lamps", suggestions: '["A?","B?"]' });
    await chat.destroy();
    expect(tags()).toEqual([]);
  });

  it("PKG1 a property that can't be a setting is named, and costs neither the chat nor the other settings", async () => {
    const warn = vi.spyOn(console, "warn").mockReturnValue();
    const traits: Record<string, unknown> = {};
    traits["itself"] = traits;
    const chat = boot({ origin, "data-testid": "chat", traits, title: "Lamps" } as Parameters<
      typeof boot
    >[0]);
    await arrive();
    await chat.ready;
    expect(tags()[0]?.dataset).toMatchObject({ title: "Lamps" });
    expect(warn).toHaveBeenCalledWith('Parley left out the setting "traits".', expect.any(TypeError));
    await chat.destroy();
  });

  it("PKG1 without an address every call rejects, the console says why, and nothing is thrown", async () => {
    const warn = vi.spyOn(console, "warn").mockReturnValue();
    const chat = boot({ origin: undefined } as unknown as Parameters<typeof boot>[0]);
    await expect(chat.open()).rejects.toMatchObject({ code: "bad_call" });
    expect(warn).toHaveBeenCalledWith("Parley did not load: set origin or src.");
    expect(tags()).toEqual([]);
  });

  it("PKG1 null leaves a setting at its default, and a function is named", async () => {
    const warn = vi.spyOn(console, "warn").mockReturnValue();
    const chat = boot({ origin, title: null, label: () => "Help" } as unknown as Parameters<typeof boot>[0]);
    await arrive();
    expect(Object.assign({}, tags()[0]?.dataset)).toEqual({});
    expect(warn).toHaveBeenCalledExactlyOnceWith(
      'Parley left out the setting "label".',
      expect.any(TypeError),
    );
    await chat.destroy();
  });

  it("runs the calls from before the script in order, and an unsubscriber from before it too", async () => {
    const chat = boot({ origin });
    const opened = chat.open();
    const handler = () => undefined;
    chat.on("unread", handler)();
    chat.on("close", handler);
    void chat.newMessage("Where is order 17?");
    const calls = await arrive();
    await opened;
    await vi.waitFor(() => expect(calls).toHaveLength(3));
    expect(calls).toEqual([["open"], ["on", "close", handler], ["newMessage", "Where is order 17?"]]);
    await chat.destroy();
  });

  it("again with the same address updates, with another one replaces the chat", async () => {
    const first = boot({ origin, title: "One" });
    const calls = await arrive();
    await first.ready;
    expect(boot({ origin, title: "Two" })).toBe(first);
    const second = boot({ origin: "https://other.example.com/" });
    await vi.waitFor(() => expect(tags().at(-1)?.src).toBe("https://other.example.com/widget.js"));
    expect(calls).toEqual([["update", { title: "Two" }], ["destroy"]]);
    await arrive();
    await second.ready;
    await second.destroy();
  });

  it("loads a second script only after the first one's chat is gone", async () => {
    const first = boot({ origin });
    await vi.waitFor(() => expect(tags()).toHaveLength(1));
    const tag = tags()[0];
    const isGone = first.destroy();
    const second = boot({ origin });
    expect(tags()).toEqual([]);
    head.append(tag as Node);
    const calls = await arrive();
    await isGone;
    expect(calls).toEqual([["destroy"]]);
    tag?.remove();
    await arrive();
    await second.ready;
    await second.destroy();
  });

  it("loads the script again after the page's own Parley.destroy()", async () => {
    const first = boot({ origin });
    await arrive();
    await first.ready;
    Reflect.deleteProperty(window, "Parley");
    const second = boot({ origin });
    expect(second).not.toBe(first);
    const calls = await arrive();
    await second.open();
    expect(calls).toEqual([["open"]]);
    expect(tags()).toHaveLength(1);
    await second.destroy();
  });

  it("leaves no tag when it is destroyed before the tag was added", async () => {
    const isGone = boot({ origin }).destroy();
    await arrive();
    await isGone;
    expect(tags()).toEqual([]);
  });

  it.each([
    ["takes the settings", () => Promise.resolve()],
    ["leaves one out, which it names", () => Promise.reject(new Error("a value is no JSON"))],
  ])("PKG1 uses the chat that a tag of the page has loaded, and that %s", async (_, answer) => {
    const update = vi.fn(answer);
    const own = Object.assign(() => Promise.resolve(), { version: "1.2.3", update });
    Reflect.set(window, "Parley", own);
    const chat = boot({ origin, title: "Lamps" });
    await expect(chat.ready).resolves.toBe(own);
    expect(update).toHaveBeenCalledWith({ title: "Lamps" });
    expect(tags()).toEqual([]);
    await chat.destroy();
  });

  it("PKG1 applies its settings also if a tag of the page, which was still loading, runs first", async () => {
    const own = document.createElement("script");
    // Nothing is fetched for it here.
    own.type = "text/plain";
    own.src = `${origin}/widget.js`;
    document.body.append(own);
    const chat = boot({ origin, title: "Lamps" });
    const opened = chat.open();
    const calls = await arrive();
    await opened;
    expect(calls).toEqual([["update", { title: "Lamps" }], ["open"]]);
    await chat.destroy();
    own.remove();
  });

  it("PKG1 applies its settings where the page's own parleySettings name them too", async () => {
    window.parleySettings = { title: "Shop", position: "left" };
    const chat = boot({ origin, title: "Lamps" });
    const calls = await arrive();
    await chat.ready;
    delete window.parleySettings;
    expect(calls).toEqual([["update", { title: "Lamps" }]]);
    await chat.destroy();
  });

  it("PKG2 is one chat for two bundles of a page that each contain this package", async () => {
    const chat = boot({ origin, title: "One" });
    vi.resetModules();
    const other = await import("./boot.ts");
    expect(other.boot).not.toBe(boot);
    expect(other.boot({ origin, title: "Two" })).toBe(chat);
    const calls = await arrive();
    await chat.ready;
    expect(tags()).toHaveLength(1);
    expect(calls).toEqual([["update", { title: "Two" }]]);
    await chat.destroy();
    expect(tags()).toEqual([]);
  });

  it("rejects every call when the script can't be loaded, reports nothing as unhandled, and tries again", async () => {
    const noise = vi.fn();
    process.on("unhandledRejection", noise);
    const chat = boot({ origin });
    const opened = chat.open();
    void chat.requestHuman();
    chat.on("open", () => undefined);
    await vi.waitFor(() => expect(tags()).toHaveLength(1));
    tags()[0]?.dispatchEvent(new Event("error"));
    await expect(opened).rejects.toMatchObject({ code: "unreachable" });
    await new Promise((resolve) => setImmediate(resolve));
    process.off("unhandledRejection", noise);
    expect(noise).not.toHaveBeenCalled();
    expect(tags()).toEqual([]);
    const again = boot({ origin });
    await arrive();
    await again.open();
    await again.destroy();
  });

  it("rejects where the script does nothing: in an old browser, or another file at its address", async () => {
    const chat = boot({ origin });
    await vi.waitFor(() => expect(tags()).toHaveLength(1));
    tags()[0]?.dispatchEvent(new Event("load"));
    const message = `${origin}/widget.js is not the chat's script, or this browser is too old for the chat.`;
    await expect(chat.ready).rejects.toMatchObject({ code: "not_available", message });
  });

  it("does nothing on a server", async () => {
    vi.stubGlobal("document", undefined);
    const chat = boot({ origin });
    vi.unstubAllGlobals();
    await expect(chat.open()).rejects.toMatchObject({ code: "not_available" });
    expect(tags()).toEqual([]);
  });
});
