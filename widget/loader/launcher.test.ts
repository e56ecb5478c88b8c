import { afterEach, describe, expect, it, vi } from "vitest";
import {
  answerFrame,
  CHAT,
  findFrame,
  findHost,
  findLauncher,
  findNote,
  leavePage,
  runAs,
  runLoader,
} from "./testing/host-page.ts";

afterEach(leavePage);

describe("the launcher", () => {
  it("is a button named Open chat that opens a dialog", async () => {
    await runLoader();
    const button = findLauncher();
    expect(button.getAttribute("aria-label")).toBe("Open chat");
    expect(button.getAttribute("aria-haspopup")).toBe("dialog");
    expect(button.getAttribute("aria-expanded")).toBe("false");
    expect(button.hidden).toBe(false);
  });

  it.each([
    [1, "Chat öffnen. Neue Nachrichten: 1", "1"],
    [120, "Open chat, 120 unread", "120"],
    [0, "Open chat", ""],
  ])("with %i unread has the panel's name: %s", async (count, label, badge) => {
    await runLoader();
    findLauncher().dispatchEvent(new Event("pointerover"));
    const frame = answerFrame();
    frame.say({ type: "event", event: { type: "unread", count } });
    frame.say({ type: "event", event: { type: "label", title: label } });
    expect(findLauncher().getAttribute("aria-label")).toBe(label);
    expect(findLauncher().dataset["parley"]).toBe(badge);
  });

  it("LANG6 has the owner's name until the panel names it", async () => {
    await runLoader({ "data-label": "Ouvrir le chat" });
    expect(findLauncher().getAttribute("aria-label")).toBe("Ouvrir le chat");
    await window.Parley.update({ label: "" });
    expect(findLauncher().getAttribute("aria-label")).toBe("Open chat");
  });

  it("LANG7 its own texts are marked with their language; the language of other names is unknown", async () => {
    vi.useFakeTimers();
    await runLoader({}, "de");
    const launcher = findLauncher();
    expect([launcher.getAttribute("aria-label"), launcher.lang]).toEqual(["Chat öffnen", "de"]);
    launcher.dispatchEvent(new Event("pointerover"));
    expect([findFrame()?.title, findFrame()?.lang]).toEqual(["Chat", "de"]);
    await window.Parley.update({ label: "Hjælp" });
    expect([launcher.getAttribute("aria-label"), launcher.lang]).toEqual(["Hjælp", ""]);
    launcher.click();
    await vi.advanceTimersByTimeAsync(10_000);
    expect(findNote()?.lang).toBe("de");
    expect(findNote()?.textContent).toMatch(/\S/);
  });

  it("LOOK12 a browser that is too old gets no launcher, and its page is unchanged", async () => {
    const before = document.documentElement.outerHTML;
    const toWellFormed = Object.getOwnPropertyDescriptor(String.prototype, "toWellFormed");
    Reflect.deleteProperty(String.prototype, "toWellFormed");
    try {
      await runLoader();
    } finally {
      if (toWellFormed) Object.defineProperty(String.prototype, "toWellFormed", toWellFormed);
    }
    expect(findHost()).toBeNull();
    expect(window.Parley).toBeUndefined();
    expect(document.documentElement.outerHTML).toBe(before);
  });

  it("LOOK6 the second half of a double click does not undo the first, on our launcher or the page's own", async () => {
    document.body.innerHTML = '<a id="help" href="#away">Help</a>';
    await runLoader();
    const press = (target: HTMLElement, detail: number) =>
      target.dispatchEvent(new MouseEvent("click", { detail, bubbles: true, cancelable: true }));
    press(findLauncher(), 1);
    press(findLauncher(), 2);
    expect(findLauncher().getAttribute("aria-expanded")).toBe("true");
    // The control: another single click does.
    press(findLauncher(), 1);
    expect(findLauncher().getAttribute("aria-expanded")).toBe("false");
    await window.Parley.update({ launcher: "#help" });
    const help = document.querySelector<HTMLElement>("#help") as HTMLElement;
    press(help, 1);
    // Nor does it follow a link.
    expect(press(help, 2)).toBe(false);
    expect(help.getAttribute("aria-expanded")).toBe("true");
  });

  it("TEASE2 unread counts are hidden from a new statement about the visitor until the frame has handled it", async () => {
    await runLoader();
    findLauncher().dispatchEvent(new Event("pointerover"));
    const frame = answerFrame();
    frame.say({ type: "event", event: { type: "unread", count: 2 } });
    expect(findLauncher().dataset["parley"]).toBe("2");
    await window.Parley.identify({ token: "another" });
    expect(findLauncher().dataset["parley"]).toBe("");
    frame.say({ type: "ready" });
    expect(findLauncher().dataset["parley"]).toBe("2");
  });

  it("TEASE3 a message above the launcher can be reached while something is unread, but not with hide(); closed, it leaves the focus here", async () => {
    await runLoader();
    findLauncher().dispatchEvent(new Event("pointerover"));
    const frame = answerFrame();
    const isReached = () => findFrame()?.inert === false;
    expect(isReached()).toBe(false);
    frame.say({ type: "event", event: { type: "unread", count: 2 } });
    expect(isReached()).toBe(true);
    await window.Parley.hide();
    expect(isReached()).toBe(false);
    await window.Parley.show();
    expect(isReached()).toBe(true);
    findFrame()?.focus();
    frame.say({ type: "close" });
    expect(findHost()?.shadowRoot?.activeElement).toBe(findLauncher());
    expect(window.Parley.isOpen).toBe(false);
    frame.say({ type: "event", event: { type: "unread", count: 0 } });
    expect(isReached()).toBe(false);
  });

  it("two tags make one launcher", async () => {
    await runLoader();
    const first = window.Parley;
    await runLoader();
    expect(document.querySelectorAll("parley-chat")).toHaveLength(1);
    expect(window.Parley).toBe(first);
  });

  it("without the first one's mark the second would draw another (control)", async () => {
    await runLoader();
    const first = window.Parley;
    Reflect.deleteProperty(window, "Parley");
    await runLoader();
    expect(document.querySelectorAll("parley-chat")).toHaveLength(2);
    await window.Parley.destroy();
    await first.destroy();
  });

  it("a module script has no current tag: the first script named widget.js counts", async () => {
    const script = document.createElement("script");
    script.type = "text/plain";
    script.setAttribute("src", `${CHAT}/widget.js`);
    script.setAttribute("data-launcher", "none");
    document.head.append(script);
    await runAs(null);
    expect(findLauncher().hidden).toBe(true);
  });

  it("a page without any tag is not changed", async () => {
    await runAs(null);
    expect(findHost()).toBeNull();
    expect("Parley" in window).toBe(false);
  });

  it("comes back when the page removes it", async () => {
    await runLoader();
    findHost()?.remove();
    await expect.poll(() => findHost()?.isConnected).toBe(true);
  });

  it("survives a page that replaces its body", async () => {
    await runLoader();
    const host = findHost();
    document.body.replaceWith(document.createElement("body"));
    expect(findHost()).toBe(host);
    expect(host?.isConnected).toBe(true);
  });
});

describe("the page's own launcher", () => {
  it("opens by elements that the selector matches, even if they were drawn later", async () => {
    await runLoader({ "data-launcher": "#help" });
    expect(findLauncher().hidden).toBe(true);
    document.body.innerHTML = '<a id="help" href="/contact"><b>Help</b></a>';
    const click = new MouseEvent("click", { bubbles: true, cancelable: true });
    document.querySelector("b")?.dispatchEvent(click);
    answerFrame();
    expect(click.defaultPrevented).toBe(true);
    expect(window.Parley.isOpen).toBe(true);
  });

  it("creates the frame on intent, and leaves other elements alone", async () => {
    await runLoader({ "data-launcher": "#help" });
    document.body.innerHTML = '<button id="help">Help</button><a id="other">Other</a>';
    const click = new MouseEvent("click", { bubbles: true, cancelable: true });
    document.querySelector("#other")?.dispatchEvent(click);
    expect(findFrame()).toBeNull();
    expect(click.defaultPrevented).toBe(false);
    document.querySelector("#help")?.dispatchEvent(new Event("pointerover", { bubbles: true }));
    expect(findFrame()).not.toBeNull();
    expect(window.Parley.isOpen).toBe(false);
  });

  it("PAGE5 announces that it opens a dialog, whether it is open and what is unread, even if it was drawn later", async () => {
    document.body.innerHTML = '<button id="help">Help</button>';
    await runLoader();
    const help = () => document.querySelector("#help");
    const told = () =>
      ["aria-haspopup", "aria-expanded", "data-parley"].map((name) => help()?.getAttribute(name));
    expect(told()).toEqual([null, null, null]);
    await window.Parley.update({ launcher: "#help" });
    expect(told()).toEqual(["dialog", "false", ""]);
    (help() as HTMLElement).click();
    answerFrame().say({ type: "event", event: { type: "unread", count: 3 } });
    expect(told()).toEqual(["dialog", "true", "3"]);
    document.body.innerHTML = '<b data-unread="7"></b><button id="help">Help</button>';
    await window.Parley.close();
    expect(told()).toEqual(["dialog", "false", "3"]);
    await window.Parley.update({ launcher: "#other" });
    expect(document.body.innerHTML).toBe('<b data-unread="7"></b><button id="help">Help</button>');
    await window.Parley.update({ launcher: "#help" });
    await window.Parley.destroy();
    expect(document.body.innerHTML).toBe('<b data-unread="7"></b><button id="help">Help</button>');
  });

  it("PAGE5 that the page describes itself is not changed", async () => {
    const html = '<button id="help" aria-haspopup="menu" aria-expanded="true">Help</button>';
    document.body.innerHTML = html;
    await runLoader({ "data-launcher": "#help" });
    document.querySelector<HTMLElement>("#help")?.click();
    answerFrame();
    expect(document.body.innerHTML).toBe(html);
  });

  it("gets the focus back when the panel closes", async () => {
    await runLoader({ "data-launcher": "#help" });
    document.body.innerHTML = '<button id="help">Help</button>';
    const help = document.querySelector<HTMLButtonElement>("#help");
    help?.focus();
    help?.click();
    const frame = answerFrame();
    help?.blur();
    frame.say({ type: "close" });
    expect(document.activeElement).toBe(help);
  });

  it("PAGE5 opens the chat also inside the page's own component, and gets the focus back when the panel closes", async () => {
    await runLoader({ "data-launcher": "#help" });
    const component = document.body.appendChild(document.createElement("div"));
    const help = component.attachShadow({ mode: "open" }).appendChild(document.createElement("button"));
    help.id = "help";
    help.focus();
    const click = new MouseEvent("click", { bubbles: true, composed: true });
    // As browsers name it outside of the component; happy-dom names the button.
    Object.defineProperty(click, "target", { value: component });
    help.dispatchEvent(click);
    const frame = answerFrame();
    help.blur();
    frame.say({ type: "close" });
    expect(component.shadowRoot?.activeElement).toBe(help);
  });
});
