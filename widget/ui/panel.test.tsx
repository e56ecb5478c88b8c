import { type Signal, signal } from "@preact/signals";
import { act } from "preact/test-utils";
import { describe, expect, it } from "vitest";
import { english } from "../app/locales/english.ts";
import { FAULTS, isSilence, json, problem } from "../app/testing/scripted-bff.ts";
import { startChat } from "../app/testing/start-chat.ts";
import { createTexts } from "../app/texts.ts";
import { type ConversationPart, conversationPart } from "./conversation-part.ts";
import { startPanel } from "./testing-panel.tsx";

const MESSAGES = "POST /api/conversation/messages";
const SUCCESS = /\b(sent|connected|delivered|ended|joined)\b/i;

/** As the model does while it is not known who is there. */
async function cover(panel: ReturnType<typeof startPanel>, isHeld: boolean): Promise<void> {
  await act(() => {
    (panel.chat.isHeld as Signal<boolean>).value = isHeld;
  });
  await panel.rest();
}

async function startTalk() {
  const panel = startPanel();
  await panel.open();
  await panel.say("Hello");
  return panel;
}

describe("PART1 before the part that draws a conversation is there", () => {
  it("what was written stands there, truthfully, and is drawn in place once the part is", async () => {
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

describe("the panel by role and name", () => {
  it("has the public names", async () => {
    const panel = await startTalk();
    panel.get("dialog", "Chat");
    panel.get("log", "Conversation");
    panel.get("textbox", "Message");
    for (const name of ["Send", "Talk to a person", "End conversation", "Close chat"]) {
      panel.get("button", name);
    }
  });

  it("says that software answers before it answers, and who it is for", () => {
    const panel = startPanel({
      texts: createTexts({ title: "Harbour & Pine", greeting: "Good day" }, "en", english),
    });
    expect(panel.text()).toContain("Answers come from an AI agent. You can ask for a person at any time.");
    expect(panel.text()).toContain("Harbour & Pine");
    expect(panel.text()).toContain("Good day");
  });

  it("every button has a name and a type, every icon is hidden from a screen reader", async () => {
    const panel = await startTalk();
    for (const button of panel.all("button")) {
      expect(button.getAttribute("aria-label") ?? button.textContent).not.toBe("");
      expect(button.getAttribute("type")).not.toBeNull();
    }
    for (const icon of panel.root.querySelectorAll("svg"))
      expect(icon.getAttribute("aria-hidden")).toBe("true");
  });
});

describe("who is there", () => {
  const REFUSED = "Who you are could not be confirmed. Try again.";

  it("IDENT5 while it is not known, nothing of the conversation, the draft or the person is in the document", async () => {
    const panel = await startTalk();
    panel.bff.setHandoff("handoff.accepted", {
      id: "h1",
      status: "accepted",
      human: { name: "CANARY Maya" },
    });
    await panel.rest();
    await panel.type("CANARY draft");
    await cover(panel, true);
    expect(panel.text()).toContain("Checking who you are…");
    expect(document.documentElement.outerHTML).not.toMatch(/CANARY|Hello/);
    expect(panel.all("textbox")).toEqual([]);
    await cover(panel, false);
    expect(panel.log()).toContain("Hello");
    expect(panel.box().value).toBe("CANARY draft");
  });

  it("IDENT4 a refused token is told in words, with a way to try again and one to go on without", async () => {
    const panel = startPanel();
    panel.bff.script("POST /api/session", () => problem("identity_expired"));
    await panel.open();
    expect(panel.text()).toContain(REFUSED);
    expect(panel.text()).not.toContain("Could not reach support");
    expect(panel.get("alert").textContent).toBe(`Not signed in. ${REFUSED}`);
    panel.get("button", "Retry");
    await panel.click("button", "Continue without signing in");
    expect(panel.root.querySelector(".strips")?.textContent).toBe("");
  });

  it("IDENT4 without is not offered where the owner wants to know everybody", async () => {
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

  it("Enter that ends a composition of an input method does not send", async () => {
    const panel = startPanel();
    await panel.open();
    await panel.type("にほん");
    await panel.key("Enter", { isComposing: true });
    await panel.key("Enter", { keyCode: 229 } as KeyboardEventInit);
    expect(panel.box().value).toBe("にほん");
  });

  it("can be written in before the session is there", async () => {
    const panel = startPanel();
    panel.bff.script("POST /api/session", () => new Promise(() => undefined));
    await panel.open();
    expect(document.activeElement).toBe(panel.box());
    await panel.say("early");
    expect(panel.log()).toContain("early");
    expect(panel.log()).toContain("Sending…");
  });

  it("does nothing with nothing, and cuts nothing that is too long", async () => {
    const panel = startPanel();
    await panel.open();
    await panel.key("Enter");
    expect(panel.get("button", "Send").getAttribute("aria-disabled")).toBe("true");
    await panel.say("x".repeat(5_002));
    expect(panel.box().value).toHaveLength(5_002);
    expect(panel.text()).toContain("Too long by 2 characters. Nothing is cut off for you.");
    expect(panel.bff.calls("POST /api/conversation")).toEqual([]);
  });
});

describe("R51 a message", () => {
  it("is called sent once the service confirmed it", async () => {
    const panel = await startTalk();
    expect(panel.log()).toMatch(/\bSent\b/);
    expect(panel.get("status").textContent).toContain("Message sent.");
  });

  for (const [name, fault] of Object.entries(FAULTS)) {
    it(`TRUTH1 ${name}: not confirmed, with its text and Retry, and no word of success anywhere`, async () => {
      const panel = startPanel();
      panel.bff.script(
        "POST /api/conversation",
        ...Array.from({ length: isSilence(name) ? 4 : 1 }, () => fault),
      );
      await panel.open();
      await panel.say("Is it there?");
      if (isSilence(name)) {
        expect(panel.log()).toContain("Kept here.");
        await panel.time.advance(16_000);
        await panel.rest();
      }
      expect(panel.text()).not.toMatch(SUCCESS);
      expect(panel.log()).toContain("Is it there?");
      expect(panel.log()).toContain("Not confirmed");
      expect(panel.get("alert").textContent).toContain("could not be confirmed");
      await panel.click("button", "Retry");
      expect(panel.all("button", "Retry")).toEqual([]);
      expect(panel.log()).toMatch(/\bSent\b/);
      expect(document.activeElement).toBe(panel.box());
    });
  }

  it("two in doubt keep their order, and only the newest would say that it was sent", async () => {
    const panel = await startTalk();
    panel.bff.script(
      MESSAGES,
      () => problem("internal"),
      () => problem("internal"),
    );
    await panel.say("first");
    await panel.say("second");
    expect(panel.all("button", "Retry")).toHaveLength(2);
    expect(panel.log()).toMatch(/first.*second/s);
    expect(panel.log()).not.toMatch(SUCCESS);
    expect(panel.log()).toContain("Something broke here.");
  });

  it("R87 says how long to wait", async () => {
    const panel = await startTalk();
    panel.bff.script(MESSAGES, () => problem("rate_limited", 7));
    await panel.say("too quick");
    expect(panel.log()).toContain("Try again in 7 seconds.");
  });
});

describe("what is said to a screen reader", () => {
  it("the log is not live; each finished message is said once, with its author, and growing text never", async () => {
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

  it("the focus stays where it is when a message arrives", async () => {
    const panel = await startTalk();
    panel.get("button", "Close chat").focus();
    panel.bff.say("Good day.");
    await panel.rest();
    expect(document.activeElement).toBe(panel.get("button", "Close chat"));
  });
});

describe("HAND3 after a reload", () => {
  it("the log has its hand-offs and who joined at their places", async () => {
    const before = await startTalk();
    await before.click("button", "Talk to a person");
    const human = { name: "Mira Holm" };
    before.bff.setHandoff("handoff.accepted", { id: "handoff-1", status: "accepted", human });
    before.bff.say("Good day.", { role: "human", author: human });
    await before.rest();
    const order = /A person has been asked.*Mira Holm joined.*Good day\./;
    expect(before.log()).toMatch(order);
    before.chat.pause();
    const after = startPanel({}, startChat(before.bff, before.storage));
    await after.open();
    expect(after.log()).toMatch(order);
    expect(after.log().match(/Mira Holm joined/g)).toHaveLength(1);
  });
});

describe("who answers", () => {
  const status = (panel: ReturnType<typeof startPanel>) => panel.root.querySelector(".status")?.textContent;

  it("TRUTH3 TRUTH5 the agent, then nobody yet, then a person by name, then the agent again", async () => {
    const panel = await startTalk();
    expect(status(panel)).toBe("The AI agent answers");
    await panel.click("button", "Talk to a person");
    expect(status(panel)).toBe("Waiting for a person");
    expect(panel.text()).toContain("A person has been asked. You can go on writing here.");
    expect(panel.all("button", "Talk to a person")).toEqual([]);
    panel.bff.setHandoff("handoff.accepted", {
      id: "handoff-1",
      status: "accepted",
      human: { name: "Mira Holm" },
    });
    await panel.rest();
    expect(status(panel)).toBe("Mira Holm · A person of the team");
    expect(panel.log()).toContain("Mira Holm joined");
    panel.bff.say("Hello", { role: "human", author: { name: "Mira Holm" } });
    await panel.rest();
    expect(panel.log()).toContain("Mira Holm:");
    panel.bff.setHandoff("handoff.returned", { id: "handoff-1", status: "returned" });
    await panel.rest();
    expect(status(panel)).toBe("The AI agent answers");
    panel.get("button", "Talk to a person");
  });

  for (const [name, fault] of Object.entries(FAULTS)) {
    it(`R52 ${name}: asking could not be confirmed, the agent goes on, and it can be asked again`, async () => {
      const panel = await startTalk();
      panel.bff.script("POST /api/conversation/handoff", fault);
      await panel.click("button", "Talk to a person");
      expect(panel.text()).toContain("Asking for a person could not be confirmed.");
      expect(panel.text()).not.toContain("has been asked");
      expect(status(panel)).toBe("The AI agent answers");
      await panel.click("button", "Retry");
      expect(status(panel)).toBe("Waiting for a person");
    });
  }

  it("nobody, when support can't be reached: with a way on, and the owner's other way", async () => {
    const panel = startPanel();
    panel.bff.script("POST /api/session", () => problem("support_unreachable"));
    panel.bff.script("GET /api/config", () =>
      Response.json({
        identityPolicy: "optional",
        fallback: { kind: "mail", href: "mailto:help@shop.example" },
      }),
    );
    await panel.open();
    expect(status(panel)).toBe("Could not reach support");
    expect(panel.get("link", "Write an e-mail").getAttribute("href")).toBe("mailto:help@shop.example");
    expect(panel.get("alert").textContent).toContain("Could not reach support.");
    await panel.click("button", "Retry");
    expect(status(panel)).toBe("The AI agent answers");
  });

  it("a person wished for before the first message is asked for after it", async () => {
    const panel = startPanel();
    await panel.open();
    await panel.click("button", "Talk to a person");
    expect(panel.text()).toContain("Write your message first.");
    expect(document.activeElement).toBe(panel.box());
    await panel.say("My lamp broke");
    expect(status(panel)).toBe("Waiting for a person");
  });
});

describe("the end", () => {
  it("is asked for first; the harmless answer has the focus, Escape is it too", async () => {
    const panel = await startTalk();
    await panel.click("button", "End conversation");
    const question = panel.get("alertdialog");
    expect(document.activeElement?.textContent).toBe("Keep it open");
    await panel.key("Escape", {}, question);
    expect(panel.all("alertdialog")).toEqual([]);
    expect(panel.closed()).toBe(0);
    expect(document.activeElement).toBe(panel.box());
    expect(panel.bff.calls("DELETE /api/conversation")).toEqual([]);
  });

  it("R53 TRUTH4 is shown once the service confirmed it; the log stays, a new message starts anew", async () => {
    const panel = await startTalk();
    await panel.click("button", "End conversation");
    await panel.click("button", "End conversation");
    expect(panel.text()).toContain("This conversation has ended. A new message starts a new one.");
    expect(panel.log()).toContain("Hello");
    expect(panel.all("button", "End conversation")).toEqual([]);
    await panel.say("One more thing");
    expect(panel.log()).not.toContain("Hello");
    await act(() => panel.time.advance(4_000));
    expect(panel.text()).not.toContain("has ended");
  });

  it("R53 that could not be confirmed is a doubt, with a way on", async () => {
    const panel = await startTalk();
    panel.bff.script("DELETE /api/conversation", () => new Response(null, { status: 204 }));
    await panel.click("button", "End conversation");
    await panel.click("button", "End conversation");
    expect(panel.text()).toContain("The end of the conversation could not be confirmed.");
    expect(panel.text()).not.toMatch(/\bended\b/);
    await panel.click("button", "Retry");
    expect(panel.text()).toContain("This conversation has ended.");
  });
});

describe("closing", () => {
  it("Escape and the button ask the page to close; not in the middle of a composition", async () => {
    const panel = await startTalk();
    await panel.key("Escape", { isComposing: true });
    expect(panel.closed()).toBe(0);
    await panel.key("Escape");
    await panel.click("button", "Close chat");
    expect(panel.closed()).toBe(2);
  });
});

describe("answers", () => {
  it("their sources are links when they are https, else text", async () => {
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

  it("one that was cut says so, and the product's own notes have words of the panel", async () => {
    const panel = await startTalk();
    panel.bff.say("Half", { incomplete: true });
    panel.bff.say("", { role: "system", notice: "agent_found_nothing" });
    await panel.rest();
    expect(panel.log()).toContain("This answer was cut off.");
    expect(panel.log()).toContain("The AI agent found nothing about this.");
  });

  it("TRUTH5 dots are shown only while the service says that somebody writes", async () => {
    const panel = await startTalk();
    expect(panel.all("img")).toEqual([]);
    panel.bff.signal({ type: "typing.started", role: "human", name: "Mira" });
    await panel.rest();
    panel.get("img", "Mira is writing");
    panel.bff.signal({ type: "typing.stopped", role: "human" });
    await panel.rest();
    expect(panel.all("img")).toEqual([]);
    panel.bff.signal({ type: "response.snapshot", messageId: "m3", text: "" });
    await panel.rest();
    panel.get("img", "AI agent is writing");
  });

  it("the element of an answer stays the same when it is finished: nothing jumps", async () => {
    const panel = await startTalk();
    panel.bff.signal({ type: "response.delta", messageId: "m3", delta: "Good day" });
    await panel.rest();
    const before = [...panel.root.querySelectorAll(".message")].at(-1);
    panel.bff.say("Good day.");
    await panel.rest();
    expect([...panel.root.querySelectorAll(".message")].at(-1)).toBe(before);
  });
});
