import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import {
  answerFrame,
  CHAT,
  type FrameSide,
  findFrame,
  findHost,
  findLauncher,
  leavePage,
  loadFrame,
  runLoader,
  standInViewport,
} from "./testing/host-page.ts";

const fetched = vi.fn();

beforeEach(() => {
  fetched.mockReset();
  vi.stubGlobal("fetch", fetched);
});
afterEach(leavePage);

describe("before intent", () => {
  it("there is no frame, no request, no cookie and no storage", async () => {
    const stored = vi.spyOn(Storage.prototype, "setItem");
    await runLoader();
    expect(findFrame()).toBeNull();
    expect(fetched).not.toHaveBeenCalled();
    expect(stored).not.toHaveBeenCalled();
    expect(document.cookie).toBe("");
    stored.mockRestore();
  });

  it.each(["pointerover", "focusin"])("%s creates the frame, invisible and inert", async (type) => {
    await runLoader();
    findLauncher().dispatchEvent(new Event(type));
    answerFrame();
    expect(findFrame()?.inert).toBe(true);
    expect(window.Parley.isOpen).toBe(false);
    expect(findLauncher().hidden).toBe(false);
  });
});

describe("the frame", () => {
  it("is sandboxed as the contract says", async () => {
    await runLoader();
    findLauncher().click();
    const frame = findFrame();
    expect(frame?.src).toBe(`${CHAT}/frame`);
    expect(frame?.title).toBe("Chat");
    expect(String(frame?.sandbox).split(" ").sort().join(" ")).toBe(
      "allow-downloads allow-forms allow-popups allow-popups-to-escape-sandbox allow-same-origin allow-scripts",
    );
    expect(frame?.allow).toBe("autoplay;clipboard-write");
    expect(frame?.referrerPolicy).toBe("origin");
  });

  it("is greeted with its exact origin, and afterwards only the port is used", async () => {
    await runLoader();
    findLauncher().click();
    const { greeting } = loadFrame();
    expect(greeting).toEqual({ data: { parley: 1, type: "connect" }, origin: CHAT });
    window.postMessage({ type: "ready" }, "*");
    window.dispatchEvent(new MessageEvent("message", { data: { type: "ready" }, origin: CHAT }));
    expect(window.Parley.isOpen).toBe(false);
  });

  it("is shown once it answered, and gets settings, page and opening in this order", async () => {
    await runLoader({ "data-title": "Shop", "data-color": "teal", "data-position": "left" });
    findLauncher().click();
    expect(window.Parley.isOpen).toBe(false);
    const { heard } = answerFrame();
    expect(window.Parley.isOpen).toBe(true);
    expect(findFrame()?.inert).toBe(false);
    expect(findLauncher().hidden).toBe(true);
    expect(heard[0]).toMatchObject({ type: "settings", settings: { title: "Shop", color: "teal" } });
    expect(heard.at(-1)).toEqual({ type: "opened", focus: true });
  });

  it("learns on which page the customer is, without query and fragment", async () => {
    window.history.replaceState({}, "", "/pricing?token=CANARY#CANARY");
    await runLoader();
    findLauncher().click();
    const { heard } = answerFrame();
    expect(JSON.stringify(heard)).toContain("/pricing");
    expect(JSON.stringify(heard)).not.toContain("CANARY");
  });

  it("focus moves into the panel only after a person's gesture", async () => {
    Object.defineProperty(navigator, "userActivation", { value: { isActive: false }, configurable: true });
    await runLoader();
    void window.Parley.open();
    const { heard } = answerFrame();
    expect(heard.at(-1)).toEqual({ type: "opened", focus: false });
    Reflect.deleteProperty(navigator, "userActivation");
  });

  it("closes when the customer closes it, and the launcher gets the focus", async () => {
    await runLoader();
    findLauncher().click();
    const frame = answerFrame();
    frame.say({ type: "close" });
    expect(window.Parley.isOpen).toBe(false);
    expect(frame.heard.at(-1)).toEqual({ type: "closed" });
    expect(findFrame()?.inert).toBe(true);
    expect(findLauncher().hidden).toBe(false);
    expect(findHost()?.shadowRoot?.activeElement).toBe(findLauncher());
  });

  it("unknown messages are ignored", async () => {
    await runLoader();
    const types: string[] = [];
    for (const type of ["message:received", "unread"] as const) {
      window.Parley.on(type, (event) => types.push(event.type));
    }
    findLauncher().click();
    const frame = answerFrame();
    for (const message of [
      { type: "eval", code: "1" },
      { no: "type" },
      { type: "constructor" },
      null as never,
    ]) {
      frame.say(message);
    }
    await Promise.resolve();
    expect(types).toEqual([]);
    expect(window.Parley.unreadCount).toBe(0);
    frame.say({ type: "event", event: { type: "unread", count: 1 } });
    await Promise.resolve();
    expect(types).toEqual(["unread"]);
  });

  it("is greeted again after it reloads itself, and learns that it is open", async () => {
    await runLoader();
    findLauncher().click();
    answerFrame();
    const { heard } = answerFrame();
    expect(heard.map(({ type }) => type)).toContain("opened");
    expect(window.Parley.isOpen).toBe(true);
  });

  it("takes the focus from no field of the page when it loads again, and gets it back where it had it", async () => {
    const field = document.body.appendChild(document.createElement("input"));
    await runLoader();
    findLauncher().click();
    answerFrame();
    const reload = () => answerFrame().heard.findLast(({ type }) => type === "opened");
    field.focus();
    expect(reload()).toEqual({ type: "opened", focus: false });
    findLauncher().focus();
    expect(reload()).toEqual({ type: "opened", focus: true });
    // The page moved the host, by which the frame lost the focus.
    findLauncher().blur();
    expect(reload()).toEqual({ type: "opened", focus: true });
  });

  it("in an element of the page opens its conversation after it reloads itself, if it had the focus", async () => {
    document.body.appendChild(document.createElement("main"));
    await runLoader({ "data-container": "main" });
    const openings = ({ heard }: FrameSide) => heard.filter(({ type }) => type === "opened");
    expect(openings(answerFrame())).toEqual([]);
    expect(openings(answerFrame())).toEqual([]);
    findLauncher().focus();
    const frame = answerFrame();
    expect(openings(frame)).toEqual([{ type: "opened", focus: true }]);
    expect(window.Parley.isOpen).toBe(false);
    // After a logout it asks the server for nothing before somebody uses it.
    void window.Parley.logout();
    frame.say({ type: "ready" });
    expect(openings(frame)).toHaveLength(1);
  });

  it("that fails on a reload is not shown as working", async () => {
    vi.useFakeTimers();
    await runLoader();
    findLauncher().click();
    answerFrame();
    loadFrame();
    await vi.advanceTimersByTimeAsync(3000);
    expect(window.Parley.isOpen).toBe(false);
    expect(findFrame()).toBeNull();
    expect(findHost()?.shadowRoot?.activeElement).toBe(findLauncher());
  });
});

describe("PAGE6 an on-screen keyboard", () => {
  const styles = () => {
    const [sheet] = findHost()?.shadowRoot?.adoptedStyleSheets ?? [];
    return Array.from(sheet?.cssRules ?? [], (rule) => rule.cssText).join("");
  };

  it("leaves the panel the visible area; zoom does not shrink it; destroy stops the listening", async () => {
    const viewport = standInViewport();
    vi.stubGlobal("visualViewport", viewport);
    await runLoader();
    const change = (type: string, now: Partial<typeof viewport>) => {
      Object.assign(viewport, now);
      viewport.dispatchEvent(new Event(type));
      return styles();
    };
    // Without a frame it is not needed, and reading it would cost every page a layout.
    expect(change("resize", { height: 500 })).not.toMatch(/--[yh]:/);
    findLauncher().dispatchEvent(new Event("pointerover"));
    loadFrame().say({ type: "ready", css: "iframe{top:var(--y)}" });
    expect(change("resize", { height: 400 })).toMatch(/--y: ?0px; ?--h: ?400px/);
    expect(change("scroll", { offsetTop: 120 })).toMatch(/--y: ?120px; ?--h: ?400px/);
    await window.Parley.update({ title: "Shop" });
    expect(styles()).toMatch(/--y: ?120px/);
    expect(change("resize", { scale: 2, height: 200 })).not.toMatch(/--[yh]:/);
    const last = change("resize", { scale: 1, height: 800, offsetTop: 0 });
    expect(last).toMatch(/--h: ?800px/);
    const replaced = vi.spyOn(CSSStyleSheet.prototype, "replaceSync");
    await window.Parley.update({});
    expect(replaced).toHaveBeenCalledOnce();
    await window.Parley.destroy();
    change("resize", { height: 300 });
    expect(replaced).toHaveBeenCalledOnce();
  });
});

describe("commands", () => {
  it("resolve when the frame reports that it is done, and not before", async () => {
    await runLoader();
    let isDone = false;
    const ended = window.Parley.endConversation().then(() => {
      isDone = true;
    });
    const frame = answerFrame();
    await expect.poll(() => frame.heard.at(-1)).toMatchObject({ type: "command" });
    expect(isDone).toBe(false);
    const { id } = frame.heard.at(-1) as { id: number };
    frame.say({ type: "result", id });
    await ended;
    expect(isDone).toBe(true);
    expect(window.Parley.isOpen).toBe(false);
  });

  it("reject with the frame's code", async () => {
    await runLoader();
    const asked = window.Parley.requestHuman("billing");
    const frame = answerFrame();
    await expect.poll(() => frame.heard.at(-1)).toMatchObject({ type: "command" });
    const { id, command } = frame.heard.at(-1) as { id: number; command: object };
    expect(command).toMatchObject({ name: "requestHuman", text: "billing" });
    frame.say({ type: "result", id, error: { code: "not_confirmed", message: "Nobody knows." } });
    const refusal = await asked.catch((error: unknown) => error);
    expect(refusal).toBeInstanceOf(Error);
    expect(refusal).toMatchObject({ code: "not_confirmed", message: "Nobody knows." });
  });

  it("are not reported as done if their frame disappears", async () => {
    await runLoader();
    const asked = window.Parley.endConversation();
    const frame = answerFrame();
    await expect.poll(() => frame.heard.at(-1)).toMatchObject({ type: "command" });
    loadFrame();
    await expect(asked).rejects.toMatchObject({ code: "unreachable" });
  });

  it("ignore what is no text, such as the event of `onclick = Parley.requestHuman`", async () => {
    await runLoader();
    void window.Parley.requestHuman(new Event("click") as never);
    const frame = answerFrame();
    await expect.poll(() => frame.heard.at(-1)).toMatchObject({ type: "command" });
    expect(frame.heard.at(-1)).toMatchObject({ command: { name: "requestHuman", text: "" } });
  });

  it("with very long texts still fit through the port", async () => {
    await runLoader();
    void window.Parley.newMessage("\u0001".repeat(50_000));
    const frame = answerFrame();
    await expect.poll(() => frame.heard.at(-1)).toMatchObject({ type: "command" });
    expect(JSON.stringify(frame.heard.at(-1)).length).toBeLessThanOrEqual(16_384);
  });
});
