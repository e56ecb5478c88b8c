import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import {
  answerFrame,
  CHAT,
  findFrame,
  findHost,
  findLauncher,
  findNote,
  leavePage,
  loadFrame,
  prerender,
  runAs,
  runLoader,
} from "./testing/host-page.ts";

beforeEach(() => {
  document.head.replaceChildren();
  document.body.replaceChildren();
});
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

  it("gets the focus back when the panel closes, also inside the page's own component", async () => {
    await runLoader({ "data-launcher": "none" });
    const component = document.body.appendChild(document.createElement("div"));
    const help = component.attachShadow({ mode: "open" }).appendChild(document.createElement("button"));
    help.focus();
    void window.Parley.open();
    const frame = answerFrame();
    help.blur();
    frame.say({ type: "close" });
    expect(component.shadowRoot?.activeElement).toBe(help);
  });
});

describe("support that can't be reached", () => {
  it("is reported calmly after the limit, and the launcher retries", async () => {
    vi.useFakeTimers();
    await runLoader();
    findLauncher().click();
    expect(findLauncher().getAttribute("aria-expanded")).toBe("true");
    await vi.advanceTimersByTimeAsync(10_000);
    expect(findNote()?.textContent).toContain("We couldn't load the chat.");
    expect(findFrame()).toBeNull();
    expect(window.Parley.isOpen).toBe(false);
    expect(window.Parley.connection).toBe("unreachable");

    findNote()?.click();
    expect(findNote()?.textContent).toBe("");
    answerFrame();
    expect(window.Parley.isOpen).toBe(true);
  });

  it("a page that loads in the frame but does not answer is not a chat", async () => {
    vi.useFakeTimers();
    await runLoader();
    findLauncher().click();
    loadFrame();
    await vi.advanceTimersByTimeAsync(3000);
    expect(findNote()?.textContent).toContain("We couldn't load the chat.");
  });

  it("a frame that answers in time is never called unreachable (control)", async () => {
    vi.useFakeTimers();
    await runLoader();
    findLauncher().click();
    answerFrame();
    await vi.advanceTimersByTimeAsync(60_000);
    expect(findNote()?.textContent).toBe("");
    expect(window.Parley.isOpen).toBe(true);
  });

  it("is not reported on a page that is prerendered, where no frame loads before somebody visits it", async () => {
    vi.useFakeTimers();
    const visit = prerender();
    await runLoader();
    void window.Parley.open();
    await vi.advanceTimersByTimeAsync(60_000);
    visit();
    await vi.advanceTimersByTimeAsync(9999);
    expect(findNote()?.textContent).toBe("");
    answerFrame();
    expect(window.Parley.isOpen).toBe(true);
  });

  it("is reported on a prerendered page after the limit, counted from the visit", async () => {
    vi.useFakeTimers();
    const visit = prerender();
    await runLoader();
    window.Parley.open().catch(() => undefined);
    visit();
    await vi.advanceTimersByTimeAsync(10_000);
    expect(findNote()?.textContent).toContain("We couldn't load the chat.");
  });

  it("is not reported where a prerendered page's frame has answered before the visit", async () => {
    vi.useFakeTimers();
    const visit = prerender();
    await runLoader();
    void window.Parley.open();
    answerFrame();
    visit();
    await vi.advanceTimersByTimeAsync(60_000);
    expect(findNote()?.textContent).toBe("");
    expect(window.Parley.isOpen).toBe(true);
  });

  it("is not reported when the pointer only passed by", async () => {
    vi.useFakeTimers();
    await runLoader();
    findLauncher().dispatchEvent(new Event("pointerover"));
    await vi.advanceTimersByTimeAsync(10_000);
    expect(findNote()?.textContent).toBe("");
    expect(findFrame()).toBeNull();
  });

  it.each([
    ["mailto:help@shop.example", "help@shop.example"],
    ["tel:+44117496018", "+44117496018"],
    ["https://shop.example/contact", "shop.example/contact"],
  ])("offers the owner's %s", async (href, text) => {
    vi.useFakeTimers();
    await runLoader({ "data-fallback": href });
    findLauncher().click();
    await vi.advanceTimersByTimeAsync(10_000);
    const link = findNote()?.querySelector("a");
    expect(link?.getAttribute("href")).toBe(href);
    expect(link?.textContent).toBe(text);
    expect(link?.target).toBe("_blank");
    // A press on it does not retry, so it stays.
    link?.addEventListener("click", (event) => event.preventDefault());
    link?.click();
    expect(findNote()?.contains(link ?? null)).toBe(true);
    expect(findFrame()).toBeNull();
  });

  it.each([
    "javascript:alert(1)",
    "data:text/html,x",
    "JAVASCRIPT:alert(1)",
    " javascript:alert(1)",
    "//evil.example",
  ])("never links to %s", async (href) => {
    vi.useFakeTimers();
    await runLoader({ "data-fallback": href });
    findLauncher().click();
    await vi.advanceTimersByTimeAsync(10_000);
    expect(findNote()?.querySelector("a")).toBeNull();
  });
});

describe("PAGE4 the setting container", () => {
  const settingsOf = ({ heard }: ReturnType<typeof answerFrame>) =>
    heard.flatMap((message) => (message.type === "settings" ? [message.settings] : [])).at(-1);

  it("shows the panel in that element, without a launcher, and nothing is opened by it", async () => {
    document.body.innerHTML = '<div id="chat"></div>';
    await runLoader({ "data-container": "#chat" });
    expect(findHost()?.parentElement?.id).toBe("chat");
    expect(findLauncher().hidden).toBe(true);
    expect(findFrame()?.inert).toBe(true);
    const frame = answerFrame();
    expect(findFrame()?.inert).toBe(false);
    expect(settingsOf(frame)?.inline).toBe("inline");
    expect(frame.heard.map(({ type }) => type)).not.toContain("opened");
    expect(window.Parley.isOpen).toBe(false);
    await window.Parley.hide();
    expect(findFrame()?.inert).toBe(true);
  });

  it("without that element is the launcher, and moves in when the page draws it, and out again", async () => {
    await runLoader({ "data-container": "#chat" });
    expect(findLauncher().hidden).toBe(false);
    expect(findFrame()).toBeNull();
    document.body.innerHTML = '<main><div id="chat"></div></main>';
    await expect.poll(() => findHost()?.parentElement?.id).toBe("chat");
    expect(findLauncher().hidden).toBe(true);
    const frame = answerFrame();
    document.body.replaceChildren();
    await expect.poll(() => findHost()?.parentElement).toBe(document.documentElement);
    expect(findLauncher().hidden).toBe(false);
    expect(settingsOf(frame)?.inline).toBe("");
    expect(findFrame()?.inert).toBe(true);
  });

  it("moves in and out with every visit of a route, however many", async () => {
    const clock = vi.spyOn(performance, "now");
    document.body.innerHTML = '<div id="chat"></div>';
    const box = document.body.firstElementChild as HTMLElement;
    await runLoader({ "data-container": "#chat" });
    for (let visit = 1; visit <= 250; visit++) {
      clock.mockReturnValue(visit * 10_000);
      box.id = "";
      await window.Parley.update();
      expect(findHost()?.parentElement).toBe(document.documentElement);
      box.id = "chat";
      await window.Parley.update();
      expect(findHost()?.parentElement).toBe(box);
    }
  });

  it.each([
    ["loads", 0, 199],
    ["has been open for a week", 604_800_000, 200],
  ])("does not fight forever with a script that removes it when the page %s", async (_, age, limit) => {
    const clock = vi.spyOn(performance, "now").mockReturnValue(0);
    await runLoader();
    clock.mockReturnValue(age);
    const remove = async () => {
      findHost()?.remove();
      await window.Parley.update();
      return findHost();
    };
    let removals = 0;
    while (await remove()) removals += 1;
    expect(removals).toBe(limit);
  });

  it.each(["#", "[", "none", "p::before"])(
    "%j is not an element, so there is a launcher",
    async (container) => {
      await runLoader({ "data-container": container });
      expect(findHost()?.parentElement).toBe(document.documentElement);
      expect(findLauncher().hidden).toBe(false);
    },
  );

  it("reports there that the chat can't be reached", async () => {
    vi.useFakeTimers();
    document.body.innerHTML = '<div id="chat"></div>';
    await runLoader({ "data-container": "#chat" });
    await vi.advanceTimersByTimeAsync(10_000);
    expect(findNote()?.textContent).toContain("couldn't load the chat");
  });
});

it("the frame's own rules for its position stay", async () => {
  await runLoader();
  findLauncher().dispatchEvent(new Event("pointerover"));
  const sheet = () =>
    findHost()?.shadowRoot?.adoptedStyleSheets.flatMap(({ cssRules }) => [...cssRules].map(String));
  const before = sheet()?.length ?? 0;
  const frame = answerFrame();
  frame.say({ type: "ready", css: "b{color:red}" });
  expect(sheet()).toHaveLength(before + 1);
  frame.say({ type: "ready" });
  expect(sheet()).toHaveLength(before + 1);
  frame.say({ type: "css", css: "" });
  expect(sheet()).toHaveLength(before);
});
