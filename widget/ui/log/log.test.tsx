import { signal } from "@preact/signals";
import { act } from "preact/test-utils";
import { afterEach, describe, expect, it, vi } from "vitest";
import { startChat } from "../../app/testing/start-chat.ts";
import { conversationPart } from "../conversation-part.ts";
import { startPanel, startTalk, textOf } from "../testing-panel.tsx";

type StartedPanel = ReturnType<typeof startPanel>;

const startWith = (settings: Parameters<typeof startPanel>[3]) =>
  startPanel({}, startChat(), signal(conversationPart), settings);

async function hear(panel: StartedPanel, ...said: Parameters<StartedPanel["bff"]["say"]>) {
  panel.bff.say(...said);
  await panel.rest();
}

async function close(panel: StartedPanel) {
  await act(() => panel.chat.close());
  await panel.rest();
}

/** The text of the elements that `aria-labelledby`, or another attribute, names. */
const labelOf = (element: Element, attribute = "aria-labelledby") =>
  (element.getAttribute(attribute) ?? "")
    .split(" ")
    .map((id) => document.getElementById(id))
    .map((label) => (label ? textOf(label).replace(/\s+/g, " ").trim() : ""))
    .filter(Boolean)
    .join(" ");

afterEach(() => {
  vi.unstubAllGlobals();
  Reflect.deleteProperty(navigator, "clipboard");
});

describe("LOOK8 the owner's questions", () => {
  it("the owner's questions are shown until the first message; a press sends one", async () => {
    const panel = startWith({ suggestions: "Where is my order?\n\n  Can I return it?  " });
    await panel.open();
    expect(panel.all("button").map((button) => button.textContent)).toContain("Can I return it?");
    await panel.click("button", "Where is my order?");
    expect(panel.bff.calls("POST /api/conversation")[0]?.body.body).toBe("Where is my order?");
    expect(panel.log()).toMatch(/Where is my order\?.*Sent/);
    expect(panel.all("button", "Can I return it?")).toEqual([]);
    expect(document.activeElement).toBe(panel.box());
  });
});

describe("LOOK10 the age of a message", () => {
  const ages = (panel: StartedPanel) =>
    [...panel.root.querySelectorAll(".ago")].map((age) => age.textContent);
  const pass = (panel: StartedPanel, minutes: number) =>
    act(() => panel.time.advance(minutes * 60_000)).then(panel.rest);
  const own = (panel: StartedPanel) => panel.get("log").querySelector('[role="article"]');

  it("a recent message shows its age, which changes each minute; after an hour it shows the time of day", async () => {
    const panel = await startTalk();
    await hear(panel, "An answer");
    expect(ages(panel)).toEqual(["Now", "Now"]);
    await pass(panel, 5);
    expect(ages(panel)).toEqual(["5 min. ago", "5 min. ago"]);
    const times = () => [...panel.root.querySelectorAll("time")];
    expect(times()[0]?.dateTime).toBe("2026-11-21T10:00:00.000Z");
    expect(times()[0]?.title).toContain("2026");
    await pass(panel, 55);
    expect(ages(panel)).toEqual([]);
    expect(times().map((time) => time.textContent)).toEqual(
      expect.arrayContaining([expect.stringMatching(/:00/)]),
    );
    expect(panel.time.waiting()).not.toContain(60_000);
  });

  it("LOOK4 a message's accessible name is its author and state; its text is the description", async () => {
    const panel = await startTalk();
    await hear(panel, "An answer");
    const [mine, theirs] = [...panel.get("log").querySelectorAll('[role="article"]')];
    if (!mine || !theirs) throw new Error("no messages");
    expect(labelOf(mine)).toMatch(/^You: .*Sent$/);
    expect(labelOf(mine)).not.toContain("Hello");
    expect(labelOf(theirs)).toBe("AI agent:");
    expect(labelOf(theirs, "aria-describedby")).toBe("An answer");
  });

  it("a message's accessible name contains no age, so it does not change each minute", async () => {
    const panel = await startTalk();
    const name = () => {
      const article = own(panel)?.cloneNode(true) as HTMLElement;
      for (const unsaid of article.querySelectorAll('[aria-hidden="true"]')) unsaid.remove();
      return textOf(article).replace(/\s+/g, " ");
    };
    const before = name();
    expect(before).toMatch(/Hello .*:00.* Sent/);
    await pass(panel, 5);
    expect(name()).toBe(before);
    expect(panel.log()).toContain("5 min. ago");
    await pass(panel, 60);
    expect(name()).toBe(before);
  });

  it("each minute renders only the times again", async () => {
    const panel = await startTalk();
    const changed: MutationRecord[] = [];
    const observer = new MutationObserver((records) => changed.push(...records));
    observer.observe(panel.get("log"), {
      subtree: true,
      childList: true,
      characterData: true,
      attributes: true,
    });
    await pass(panel, 1);
    changed.push(...observer.takeRecords());
    observer.disconnect();
    expect(changed.length).toBeGreaterThan(0);
    const places = changed.map(({ target }) => (target instanceof Element ? target : target.parentElement));
    expect(places.every((place) => place?.closest(".ago"))).toBe(true);
  });
});

describe("LOOK3 new and seen messages", () => {
  it("messages that arrived while the panel was closed are below a divider until it is closed again", async () => {
    const panel = await startTalk();
    await hear(panel, "Seen by its reader");
    expect(panel.log()).not.toContain("New");
    await close(panel);
    await hear(panel, "First");
    await hear(panel, "Second");
    await panel.open();
    expect(panel.log()).toMatch(/Seen by its reader.*New.*First.*Second/);
    expect(panel.root.querySelectorAll(".new")).toHaveLength(1);
    await close(panel);
    await panel.open();
    expect(panel.log()).not.toContain("New");
  });

  it("a customer who writes has seen the messages before", async () => {
    const panel = await startTalk();
    await close(panel);
    await hear(panel, "First");
    await panel.open();
    expect(panel.log()).toContain("New");
    await panel.say("Thank you");
    expect(panel.log()).not.toContain("New");
  });

  it("TRUTH1 a message is called seen only after the service reported that a person read it", async () => {
    const panel = await startTalk();
    const seq = panel.chat.conversation.log.value.messages.at(-1)?.seq ?? 0;
    await hear(panel, "An answer shows that software read it, and nobody else");
    expect(panel.log()).toContain("Sent");
    panel.bff.signal({ type: "conversation.read", by: "human", upTo: seq - 1 });
    panel.bff.signal({ type: "conversation.read", by: "customer", upTo: seq });
    await panel.rest();
    expect(panel.log()).not.toContain("Seen");
    panel.bff.signal({ type: "conversation.read", by: "human", upTo: seq });
    await panel.rest();
    expect(panel.log()).toContain("Seen");
    expect(panel.log()).not.toMatch(/\bSent\b/);
    await panel.say("And now?");
    expect(panel.log()).not.toContain("Seen");
  });
});

describe("LOOK4 the keys of the log", () => {
  async function startReading() {
    const panel = await startTalk();
    await hear(panel, "See [returns](https://shop.example/returns).");
    await hear(panel, "Anything else?", { role: "human", author: { name: "Mira" } });
    const press = async (key: string) => {
      const { activeElement } = document;
      if (!(activeElement instanceof HTMLElement)) throw new Error("nothing has the focus");
      return panel.key(key, {}, activeElement);
    };
    panel.get("log").focus();
    const focused = () =>
      ["aria-labelledby", "aria-describedby"]
        .map((attribute) => labelOf(document.activeElement ?? panel.root, attribute))
        .join(" ");
    return { panel, press, focused };
  }

  it("arrows, Home and End move between messages, each announced with its author, state and text", async () => {
    const { press, focused } = await startReading();
    await press("ArrowUp");
    expect(focused()).toBe("Mira: Anything else?");
    await press("ArrowUp");
    expect(focused()).toBe("AI agent: See returns .");
    await press("Home");
    expect(focused()).toMatch(/^You: .*Sent Hello$/);
    const first = await press("ArrowUp");
    expect(first.defaultPrevented).toBe(false);
    await press("End");
    expect(focused()).toBe("Mira: Anything else?");
  });

  it("Enter moves to a message's links; Escape moves back to the text box, and a second Escape closes", async () => {
    const { panel, press } = await startReading();
    await press("Home");
    await press("ArrowDown");
    await press("Enter");
    expect(document.activeElement?.getAttribute("href")).toBe("https://shop.example/returns");
    await press("Escape");
    expect(document.activeElement).toBe(panel.box());
    expect(panel.closed()).toBe(0);
    await press("Escape");
    expect(panel.closed()).toBe(1);
  });

  it("an arriving message moves no focus, and keys with a modifier are not handled", async () => {
    const { panel, press, focused } = await startReading();
    await press("Home");
    await hear(panel, "And another");
    expect(focused()).toMatch(/^You: .*Hello$/);
    for (const held of [{ ctrlKey: true }, { altKey: true }, { metaKey: true }, { shiftKey: true }]) {
      const target = document.activeElement as HTMLElement;
      expect((await panel.key("End", held, target)).defaultPrevented).toBe(false);
    }
    expect(focused()).toMatch(/^You: .*Hello$/);
  });
});

describe("LOOK5 copying code", () => {
  const CODE = "```\nnpm start\n```";
  const allow = (writeText: (text: string) => Promise<void>) =>
    Object.defineProperty(navigator, "clipboard", { configurable: true, value: { writeText } });

  it("TRUTH1 Copy reports success only after the browser confirmed it", async () => {
    const panel = await startTalk();
    await hear(panel, CODE);
    const copied: string[] = [];
    let confirm: () => void = () => undefined;
    allow((text) => {
      copied.push(text);
      return new Promise((resolve) => {
        confirm = resolve;
      });
    });
    await panel.click("button", "Copy");
    expect(copied).toEqual(["npm start"]);
    expect(panel.log()).not.toContain("Copied");
    confirm();
    await panel.rest();
    panel.get("button", "Copied");
  });

  for (const [name, prepare] of [
    ["is refused", () => allow(() => Promise.reject(new DOMException("no", "NotAllowedError")))],
    [
      "is missing",
      () => Object.defineProperty(navigator, "clipboard", { configurable: true, value: undefined }),
    ],
  ] as const) {
    it(`if the clipboard ${name}, Copy says so and selects the text`, async () => {
      const panel = await startTalk();
      await hear(panel, CODE);
      prepare();
      await panel.click("button", "Copy");
      panel.get("button", "Couldn't copy. The text is selected.");
      expect(panel.log()).not.toContain("Copied");
      expect(getSelection()?.anchorNode?.textContent).toBe("npm start");
    });
  }
});

describe("LOOK6 the second half of a double click on the launcher", () => {
  it("the second half of a double click neither ends the conversation nor asks for a person", async () => {
    const panel = await startTalk();
    const click = async (name: string, detail: number) => {
      // Later than a quick second press at the same place (LOOK13).
      await act(() => panel.time.advance(500));
      await act(
        () =>
          void panel.get("button", name).dispatchEvent(new MouseEvent("click", { detail, bubbles: true })),
      );
      await panel.rest();
    };
    await click("End conversation", 2);
    await click("Talk to a person", 2);
    expect(panel.all("alertdialog")).toEqual([]);
    expect(panel.bff.calls("POST /api/conversation/handoff")).toEqual([]);
    await click("End conversation", 1);
    await click("End conversation", 2);
    expect(panel.bff.calls("DELETE /api/conversation")).toEqual([]);
    await click("End conversation", 1);
    expect(panel.bff.calls("DELETE /api/conversation")).toHaveLength(1);
  });
});

describe("LOOK9 the phone's back button", () => {
  it("the panel listens for close requests only while it is open", async () => {
    const watchers: { onclose: (() => void) | null; destroy: () => void }[] = [];
    vi.stubGlobal(
      "CloseWatcher",
      class {
        onclose = null;
        constructor() {
          watchers.push(this);
        }
        destroy() {
          watchers.splice(watchers.indexOf(this), 1);
        }
      },
    );
    const panel = await startTalk();
    expect(watchers).toHaveLength(1);
    // One of them serves once; what it brings about is shown by e2e/look.spec.ts in a browser that has them.
    await act(() => watchers.pop()?.onclose?.());
    expect(watchers).toHaveLength(1);
    await close(panel);
    expect(watchers).toHaveLength(0);
  });
});
