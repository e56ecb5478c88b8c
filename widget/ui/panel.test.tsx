import { type Signal, signal } from "@preact/signals";
import { act } from "preact/test-utils";
import { describe, expect, it, vi } from "vitest";
import { ChatFailure } from "../app/chat-failure.ts";
import type { Identity } from "../app/identity.ts";
import { createLanguage } from "../app/language.ts";
import { json, problem } from "../app/testing/scripted-bff.ts";
import { createTexts } from "../app/texts.ts";
import { type ConversationPart, conversationPart } from "./conversation-part.ts";
import { startPanel, startTalk } from "./testing-panel.tsx";

/** Puts the model in the state in which another customer may be signing in. */
async function cover(panel: ReturnType<typeof startPanel>, isHeld: boolean): Promise<void> {
  await act(() => {
    const who = panel.chat.identity.who as Signal<Identity>;
    who.value = isHeld ? { kind: "changing" } : { kind: "unknown" };
  });
  await panel.rest();
}

describe("PART1 before the conversation part is loaded", () => {
  it("PART1 messages are shown with their true state, and stay in place when the part is loaded", async () => {
    const it = signal<ConversationPart>();
    const panel = startPanel({}, undefined, it);
    await panel.open();
    panel.bff.script("POST /api/conversation", () => json(200, {}));
    await panel.say("Hello");
    panel.get("log", "Conversation");
    expect(panel.log()).toMatch(/Hello \( ?(Sending…|Not confirmed) ?\)/);
    await act(() => {
      it.value = conversationPart;
    });
    expect(panel.log()).toMatch(/Hello/);
    expect(panel.log()).not.toContain("(");
  });
});

describe("a question before the conversation part is loaded", () => {
  it("appears once the part is loaded; until then nothing is inert", async () => {
    const it = signal<ConversationPart>();
    const panel = startPanel({}, undefined, it);
    await panel.open();
    await panel.say("Hello");
    await panel.click("button", "End conversation");
    expect(panel.root.querySelector("[inert]")).toBeNull();
    panel.get("button", "End conversation");
    await act(() => {
      it.value = conversationPart;
    });
    expect(panel.get("alertdialog").matches("dialog[open]")).toBe(true);
    expect(document.activeElement?.textContent).toBe("Keep it open");
  });
});

describe("roles and names of the panel", () => {
  it("the panel has its public accessible names", async () => {
    const panel = await startTalk();
    panel.get("dialog", "Chat");
    panel.get("log", "Conversation");
    panel.get("textbox", "Message");
    for (const name of ["Send", "Talk to a person", "End conversation", "Close chat"]) {
      panel.get("button", name);
    }
  });

  it.each([
    [{ title: "Harbour & Pine" }, "Harbour & Pine"],
    [{ title: "Harbour & Pine", texts: '{"en":{"title":"Harbour Help"}}' }, "Harbour Help"],
    [{}, "Chat"],
  ])("the dialog is named after the shop: %j is %s", (settings, name) => {
    const { language } = createLanguage({
      fetch: () => Promise.reject(new Error("English needs no file")),
      list: "v1",
      settings: signal(settings),
      preferred: ["en"],
    });
    const panel = startPanel(language.value);
    expect(panel.get("dialog", name)).toBe(panel.get("dialog"));
  });

  it("the panel says before the first answer that software answers, and for whom", () => {
    const panel = startPanel({
      texts: createTexts({ title: "Harbour & Pine", greeting: "Good day" }, "en"),
    });
    expect(panel.text()).toContain("Answers come from an AI agent. You can ask for a person at any time.");
    expect(panel.text()).toContain("Harbour & Pine");
    expect(panel.text()).toContain("Good day");
  });

  it("every button has a name and a type, and every icon is hidden from screen readers", async () => {
    const panel = await startTalk();
    for (const button of panel.all("button")) {
      expect(button.getAttribute("aria-label") ?? button.textContent).not.toBe("");
      expect(button.getAttribute("type")).not.toBeNull();
    }
    for (const icon of panel.root.querySelectorAll("svg"))
      expect(icon.getAttribute("aria-hidden")).toBe("true");
  });
});

describe("the customer's identity", () => {
  const REFUSED = "We couldn't confirm who you are. Please try again.";

  it("IDENT5 while the identity is unknown, no conversation, draft or name is in the document", async () => {
    const panel = await startTalk();
    panel.bff.setHandoff("accepted", "CANARY Maya");
    await panel.rest();
    await panel.type("CANARY draft");
    await cover(panel, true);
    expect(panel.text()).toContain("Checking who you are…");
    expect(document.documentElement.outerHTML).not.toMatch(/CANARY|Hello/);
    // Each is an element of its own, because a browser would undo in it what was typed before.
    const heldBox = panel.box();
    expect(heldBox.value).toBe("");
    await panel.type(", and more");
    await cover(panel, false);
    expect(panel.log()).toContain("Hello");
    expect(panel.box()).not.toBe(heldBox);
    expect(panel.box().value).toBe("CANARY draft, and more");
  });

  it("IDENT5 once the identity is known, the message box has its focus again, but takes it from nothing else", async () => {
    const panel = await startTalk();
    panel.box().focus();
    await cover(panel, true);
    expect(document.activeElement).toBe(panel.box());
    const close = panel.get("button", "Close chat");
    await cover(panel, false);
    expect(document.activeElement).toBe(panel.box());
    await cover(panel, true);
    close.focus();
    await cover(panel, false);
    expect(document.activeElement).toBe(close);
    close.blur();
    // Nobody was writing: on a phone the focus would open the keyboard.
    await cover(panel, true);
    expect(panel.all("textbox")).toEqual([]);
    await cover(panel, false);
    expect(document.activeElement).toBe(document.body);
    panel.box().focus();
    await cover(panel, true);
    const isPageFocused = vi.spyOn(document, "hasFocus").mockReturnValue(false);
    await cover(panel, false);
    isPageFocused.mockRestore();
    expect(document.activeElement).toBe(document.body);
  });

  it("SAY1 while the identity is unknown, a failure is announced, and nothing of the conversation is", async () => {
    const panel = await startTalk();
    await cover(panel, true);
    panel.bff.script("POST /api/session", () => problem("identity_unavailable"));
    await act(() => panel.chat.identity.wake());
    await act(() => panel.chat.report({ type: "said", isUrgent: true, words: () => "CANARY" }));
    await panel.rest();
    expect(panel.text()).toContain("Checking who you are…");
    expect(panel.get("alert").textContent).toBe("We couldn't sign you in right now.");
    expect(panel.get("status").textContent).toBe("");
  });

  it("IDENT4 a refused token is explained, with Retry and a way to continue without signing in", async () => {
    const panel = startPanel();
    panel.bff.script("POST /api/session", () => problem("identity_expired"));
    await panel.open();
    expect(panel.text()).toContain(REFUSED);
    expect(panel.text()).not.toContain("We can't reach support");
    expect(panel.get("alert").textContent).toBe(`Not signed in. ${REFUSED}`);
    panel.get("button", "Retry");
    await panel.click("button", "Continue without signing in");
    expect(panel.root.querySelector(".strips")?.textContent).toBe("");
  });

  it("IDENT4 a failing site does not make its visitor anonymous", async () => {
    const panel = startPanel();
    panel.chat.identity.site.connect((id) => panel.chat.identity.site.answer(id, undefined));
    panel.chat.identity.identify(1);
    await panel.open();
    expect(panel.text()).toContain("We couldn't sign you in right now.");
    expect(panel.text()).not.toMatch(/Not signed in|Sign in on this website/);
    expect(panel.get("alert").textContent).toBe("We couldn't sign you in right now.");
    panel.chat.identity.site.connect((id) => panel.chat.identity.site.answer(id, "null"));
    panel.bff.script("POST /api/session", () => problem("identity_required"));
    await panel.click("button", "Retry");
    expect(panel.text()).toContain("Not signed in");
    expect(panel.text()).toContain("Sign in on this website, then try again.");
  });

  it("IDENT4 continuing without signing in is not offered if the owner requires identity", async () => {
    const panel = startPanel();
    panel.bff.script("GET /api/config", () => Response.json({ identityPolicy: "required" }));
    panel.bff.script("POST /api/session", () => problem("identity_required"));
    await panel.open();
    expect(panel.text()).toContain("Sign in on this website, then try again.");
    expect(panel.text()).not.toContain("Continue without signing in");
  });
});

describe("the composer", () => {
  it("Enter sends, Shift+Enter breaks the line", async () => {
    const panel = startPanel();
    await panel.open();
    await panel.type("Hello");
    const shift = await panel.key("Enter", { shiftKey: true });
    expect(shift.defaultPrevented).toBe(false);
    expect(panel.bff.calls("POST /api/conversation")).toEqual([]);
    const enter = await panel.key("Enter");
    expect(enter.defaultPrevented).toBe(true);
    expect(panel.box().value).toBe("");
    expect(panel.log()).toContain("Hello");
  });

  it("Enter that ends an input method's composition does not send", async () => {
    const panel = startPanel();
    await panel.open();
    await panel.type("にほん");
    await panel.key("Enter", { isComposing: true });
    await panel.key("Enter", { keyCode: 229 });
    expect(panel.box().value).toBe("にほん");
  });

  it("ATT9 a refused file's row goes with the next message, and stays while nothing is sent", async () => {
    const panel = startPanel();
    await panel.open();
    const { refused } = panel.chat.composer;
    const given = {
      key: "file_1",
      file: new File(["x"], "a.txt"),
      failure: new ChatFailure("file_not_allowed"),
    };
    refused.value = [given];
    await panel.say(" ");
    expect(refused.value).toEqual([given]);
    await panel.say("Hello");
    expect(refused.value).toEqual([]);
  });

  it("the composer works before the session exists", async () => {
    const panel = startPanel();
    panel.bff.script("POST /api/session", () => new Promise(() => undefined));
    await panel.open();
    expect(document.activeElement).toBe(panel.box());
    await panel.say("early");
    expect(panel.log()).toContain("early");
    expect(panel.log()).toContain("Sending…");
  });

  it("an empty draft is not sent, and a draft that is too long is not cut", async () => {
    const panel = startPanel();
    await panel.open();
    await panel.key("Enter");
    expect(panel.get("button", "Send").getAttribute("aria-disabled")).toBe("true");
    await panel.say("x".repeat(5_002));
    expect(panel.box().value).toHaveLength(5_002);
    expect(panel.get("alert").textContent).toBe("2 characters over the limit.");
    expect(panel.bff.calls("POST /api/conversation")).toEqual([]);
  });
});

describe("announcements to screen readers", () => {
  it("the log is no live region; each finished message is announced once with its author, growing text never", async () => {
    const panel = await startTalk();
    expect(panel.get("log").getAttribute("aria-live")).toBe("off");
    panel.bff.signal({ type: "response.delta", messageId: "m3", delta: "**Good** d" });
    await panel.rest();
    expect(panel.log()).toContain("Good d");
    expect(panel.get("status").textContent).not.toContain("Good");
    panel.bff.say("**Good** day.");
    await panel.rest();
    expect(panel.get("status").textContent?.match(/AI agent: Good day\./g)).toHaveLength(1);
    await act(() => panel.time.advance(4_000));
    expect(panel.get("status").textContent).toBe("");
  });

  it("an announcement is neither cut off nor repeated when a part brings more texts", async () => {
    const it = signal<ConversationPart>();
    const panel = startPanel({}, undefined, it);
    await panel.open();
    await panel.say("Hello");
    const said = panel.get("status").querySelector("p");
    expect(said?.textContent).toBe("Message sent.");
    await act(() => {
      it.value = conversationPart;
    });
    await panel.rest();
    expect([...panel.get("status").querySelectorAll("p")]).toEqual([said]);
    await act(() => panel.time.advance(4_000));
    expect(panel.get("status").textContent).toBe("");
  });

  it("IDENT7 a logout removes them at once", async () => {
    const panel = await startTalk();
    panel.bff.say("Good day.");
    await panel.rest();
    expect(panel.get("status").textContent).toContain("Good day.");
    await act(() => void panel.chat.identity.logout());
    expect(panel.get("status").textContent).toBe("");
  });

  it("the focus stays where it is when a message arrives", async () => {
    const panel = await startTalk();
    panel.get("button", "Close chat").focus();
    panel.bff.say("Good day.");
    await panel.rest();
    expect(document.activeElement).toBe(panel.get("button", "Close chat"));
  });
});

describe("closing", () => {
  it("Escape and the close button close the panel, but not during an input method's composition", async () => {
    const panel = await startTalk();
    await panel.key("Escape", { isComposing: true });
    // As Safari reports it: after the composition.
    await panel.key("Escape", { keyCode: 229 });
    expect(panel.closed()).toBe(0);
    await panel.key("Escape");
    await panel.click("button", "Close chat");
    expect(panel.closed()).toBe(2);
  });
});

describe("answers", () => {
  it("an answer's sources are links if they are https, otherwise text", async () => {
    const panel = await startTalk();
    panel.bff.say("Yes.", {
      citations: [
        { citationId: "a", title: "Returns", url: "https://shop.example/returns" },
        { citationId: "b", title: "Evil", url: "javascript:alert(1)" },
        { citationId: "c", title: "Plain" },
      ],
    });
    await panel.rest();
    const list = panel.root.querySelector('ul[aria-label="Sources"]');
    expect([...(list?.querySelectorAll("a") ?? [])].map((link) => link.textContent)).toEqual(["Returns"]);
    expect(list?.textContent).toBe("ReturnsEvilPlain");
  });

  it("an answer that was cut off says so, and the product's notes are in the panel's language", async () => {
    const panel = await startTalk();
    panel.bff.say("Half", { incomplete: true });
    await panel.rest();
    expect(panel.get("status").textContent).toContain("Half This answer was cut off.");
    panel.bff.say("", { role: "system", notice: "agent_found_nothing" });
    await panel.rest();
    expect(panel.log()).toContain("This answer was cut off.");
    expect(panel.log()).toContain("Our AI agent found nothing about this.");
  });

  it("LESS4 an answer that nobody goes on with after a lost connection is not shown as whole", async () => {
    const panel = await startTalk();
    panel.bff.signal({ type: "response.delta", messageId: "m3", delta: "Returns are free" });
    await panel.rest();
    panel.bff.cutStreams();
    await act(() => panel.time.advance(1000));
    await panel.rest();
    expect(panel.log()).toMatch(/Returns are free.*This answer was cut off\./);
    panel.bff.signal({ type: "response.snapshot", messageId: "m3", text: "Returns are free within" });
    await panel.rest();
    expect(panel.log()).not.toContain("This answer was cut off.");
  });

  it("an agent's message that has only a notice says it, and is no empty bubble", async () => {
    const panel = await startTalk();
    panel.bff.say("", { notice: "agent_found_nothing" });
    await panel.rest();
    expect(panel.log()).toContain("Our AI agent found nothing about this.");
  });

  it("TRUTH5 typing dots are shown only while the service reports that somebody types", async () => {
    const panel = await startTalk();
    expect(panel.all("img")).toEqual([]);
    panel.bff.signal({ type: "typing.started", role: "human", name: "Mira" });
    await panel.rest();
    panel.get("img", "Mira is typing");
    panel.bff.signal({ type: "typing.stopped", role: "human" });
    await panel.rest();
    expect(panel.all("img")).toEqual([]);
    panel.bff.signal({ type: "response.snapshot", messageId: "m3", text: "" });
    await panel.rest();
    panel.get("img", "AI agent is typing");
  });

  it("a finished answer stays in the same element, so nothing jumps", async () => {
    const panel = await startTalk();
    panel.bff.signal({ type: "response.delta", messageId: "m3", delta: "Good day" });
    await panel.rest();
    const before = [...panel.root.querySelectorAll(".message")].at(-1);
    panel.bff.say("Good day.");
    await panel.rest();
    expect([...panel.root.querySelectorAll(".message")].at(-1)).toBe(before);
  });
});
