import { act } from "preact/test-utils";
import { describe, expect, it } from "vitest";
import { doubtFormer } from "../app/doubt-former.ts";
import { FAULTS, isSilence, problem } from "../app/testing/scripted-bff.ts";
import { startChat } from "../app/testing/start-chat.ts";
import { startVisit } from "../app/testing/start-visit.ts";
import { listenTo, startPanel, startTalk } from "./testing-panel.tsx";

const MESSAGES = "POST /api/conversation/messages";
const HANDOFF = "POST /api/conversation/handoff";
const SUCCESS = /\b(sent|connected|delivered|ended|joined)\b/i;

describe("a message", () => {
  it("a message is called sent only after the service confirmed it", async () => {
    const panel = await startTalk();
    expect(panel.log()).toMatch(/\bSent\b/);
    expect(panel.get("status").textContent).toContain("Message sent.");
  });

  for (const [name, fault] of Object.entries(FAULTS)) {
    it(`TRUTH1 ${name}: the message is not confirmed, has its text and Retry, and nothing claims success`, async () => {
      const panel = startPanel();
      panel.bff.script(
        "POST /api/conversation",
        ...Array.from({ length: isSilence(name) ? 4 : 1 }, () => fault),
      );
      await panel.open();
      await panel.say("Is it there?");
      if (isSilence(name)) {
        expect(panel.log()).toContain("Waiting to send.");
        await panel.time.advance(16_000);
        await panel.rest();
      }
      expect(panel.text()).not.toMatch(SUCCESS);
      expect(panel.log()).toContain("Is it there?");
      expect(panel.log()).toContain("Not confirmed");
      expect(panel.get("alert").textContent).toContain("couldn't confirm");
      await panel.click("button", "Retry");
      expect(panel.all("button", "Retry")).toEqual([]);
      expect(panel.log()).toMatch(/\bSent\b/);
      expect(document.activeElement).toBe(panel.box());
    });
  }

  it("two unconfirmed messages stay in order, and only the newest sent one says so", async () => {
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
    expect(panel.log()).toContain("Something went wrong.");
  });

  it("OUT1 a rate-limited message says how long to wait, and then that it can be tried again", async () => {
    const panel = await startTalk();
    panel.bff.script(MESSAGES, () => problem("rate_limited", 7));
    await panel.say("too quick");
    expect(panel.log()).toContain("Try again in 7 seconds.");
    await act(() => panel.time.advance(6_999));
    expect(panel.log()).toContain("Try again in 7 seconds.");
    await act(() => panel.time.advance(1));
    expect(panel.log()).toContain("Not confirmed You can try again now.");
    expect(panel.log()).not.toContain("seconds");
    panel.bff.script(MESSAGES, () => problem("rate_limited", 7));
    await panel.click("button", "Retry");
    expect(panel.log()).toContain("Try again in 7 seconds.");
  });
});

describe("HAND3 after a reload", () => {
  it("after a reload the log shows hand-offs and who joined at their places", async () => {
    const before = await startTalk();
    await before.click("button", "Talk to a person");
    const human = { name: "Mira Holm" };
    before.bff.setHandoff("accepted", human.name);
    before.bff.say("Good day.", { role: "human", author: human });
    await before.rest();
    const order = /We've asked a teammate to join.*Mira Holm joined.*Good day\./;
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

  it("TRUTH3 TRUTH5 the header names the agent, then waits for a person, then names the person, then the agent", async () => {
    const panel = await startTalk();
    expect(status(panel)).toBe("You're chatting with our AI agent");
    await panel.click("button", "Talk to a person");
    expect(status(panel)).toBe("Waiting for a person");
    expect(panel.text()).toContain("We've asked a teammate to join. You can keep writing.");
    expect(panel.all("button", "Talk to a person")).toEqual([]);
    panel.bff.setHandoff("accepted", "Mira Holm");
    await panel.rest();
    expect(status(panel)).toBe("Mira Holm · Support team");
    expect(panel.log()).toContain("Mira Holm joined");
    panel.bff.say("Hello", { role: "human", author: { name: "Mira Holm" } });
    await panel.rest();
    expect(panel.log()).toContain("Mira Holm:");
    panel.bff.setHandoff("returned");
    await panel.rest();
    expect(status(panel)).toBe("You're chatting with our AI agent");
    panel.get("button", "Talk to a person");
  });

  it("AGENT9 an AI agent is named before the first message and beside each of its own, until a person joins", async () => {
    const panel = await startTalk();
    const disclosure = "Answers come from an AI agent.";
    expect(panel.log()).toContain(disclosure);
    panel.bff.say("Yes", { role: "agent", generated: { by: "openai", model: "model-1" } });
    await panel.rest();
    const marked = () => [...document.querySelectorAll<HTMLElement>("[data-generated]")].at(-1);
    expect(marked()?.dataset["generated"]).toBe("openai model-1");
    expect(marked()?.textContent).toContain("AI agent:");
    await panel.click("button", "Talk to a person");
    expect(panel.log()).toContain(disclosure);
    panel.bff.setHandoff("accepted", "Mira Holm");
    await panel.rest();
    expect(panel.log()).not.toContain(disclosure);
    panel.bff.say("Hello", { role: "human", author: { name: "Mira Holm" } });
    await panel.rest();
    expect(marked()?.textContent).not.toContain("Hello");
    panel.bff.setHandoff("returned");
    await panel.rest();
    expect(panel.log()).toContain(disclosure);
  });

  for (const [name, fault] of Object.entries(FAULTS)) {
    it(`${name}: the request for a person is not confirmed, the agent goes on, and Retry asks again`, async () => {
      const panel = await startTalk();
      panel.bff.script("POST /api/conversation/handoff", fault);
      await panel.click("button", "Talk to a person");
      expect(panel.text()).toContain("We couldn't confirm your request for a person.");
      expect(panel.text()).not.toContain("asked a teammate");
      expect(status(panel)).toBe("You're chatting with our AI agent");
      await panel.click("button", "Retry");
      expect(status(panel)).toBe("Waiting for a person");
    });
  }

  it("if support can't be reached, nobody is named as answering, and the owner's fallback is offered", async () => {
    const panel = startPanel();
    panel.bff.script("POST /api/session", () => problem("support_unreachable"));
    panel.bff.script("GET /api/config", () =>
      Response.json({
        identityPolicy: "optional",
        fallback: { kind: "mail", href: "mailto:help@shop.example" },
      }),
    );
    await panel.open();
    expect(status(panel)).toBe("We can't reach support");
    expect(panel.get("link", "Send us an e-mail").getAttribute("href")).toBe("mailto:help@shop.example");
    expect(panel.get("alert").textContent).toContain("We couldn't reach support.");
    await panel.click("button", "Retry");
    expect(status(panel)).toBe("You're chatting with our AI agent");
  });

  it("STORE11 a service without space for a new visitor is called exactly that, and counts as reachable", async () => {
    const panel = startPanel();
    panel.bff.script("POST /api/session", () => problem("storage_full"));
    await panel.open();
    const reason = "Support has no space left for this right now.";
    expect(status(panel)).toBe(reason);
    expect(panel.root.querySelector("[data-tone=doubt] p")?.textContent).toBe(reason);
    expect(panel.get("alert").textContent).toBe(reason);
    expect(panel.text()).not.toContain("reach support");
    await panel.click("button", "Retry");
    expect(status(panel)).toBe("You're chatting with our AI agent");
  });

  it("a person requested before the first message is asked for after it", async () => {
    const panel = startPanel();
    await panel.open();
    await panel.click("button", "Talk to a person");
    expect(panel.text()).toContain("Write your message first.");
    expect(panel.get("status").textContent).toContain("Write your message first.");
    expect(document.activeElement).toBe(panel.box());
    await panel.say("My lamp broke");
    expect(status(panel)).toBe("Waiting for a person");
  });

  it("SAY1 a person requested after the end is asked for after the next message, and the panel says so", async () => {
    const panel = await startTalk();
    panel.bff.end();
    await panel.rest();
    await panel.click("button", "Talk to a person");
    const words = "Write your message first. We'll ask for a person as soon as it arrives.";
    expect(panel.root.querySelector(".strips")?.textContent).toBe(words);
    expect(panel.get("status").textContent).toContain(words);
    expect(panel.bff.calls("POST /api/conversation/handoff")).toEqual([]);
    await panel.say("My lamp broke");
    expect(status(panel)).toBe("Waiting for a person");
    expect(panel.root.querySelector(".strips")?.textContent).not.toContain(words);
  });
});

describe("a session that expired", () => {
  const strips = (panel: ReturnType<typeof startPanel>) => panel.root.querySelector(".strips")?.textContent;
  const anew = "Your session has expired. This is a new conversation.";

  it("the next message is said to start a new conversation, and after it that this is the new one", async () => {
    const panel = await startTalk();
    panel.bff.state.tokens.clear();
    panel.bff.state.conversation = null;
    panel.bff.script("GET /api/conversation/events", () => problem("session_expired"));
    panel.bff.cutStreams();
    const heard = listenTo(panel.get("status"));
    // In steps, because an announcement is removed after four seconds.
    for (let step = 0; step < 10; step += 1) await act(() => panel.time.advance(3_000));
    const over = "Your session has expired. Your next message starts a new conversation.";
    expect(strips(panel)).toBe(over);
    await panel.say("Is anybody there?");
    expect(strips(panel)).toBe(anew);
    expect(heard).toEqual([over, "Message sent."]);
  });

  it("SAY1 while the panel is closed is announced when it is opened, once", async () => {
    const panel = await startTalk();
    await act(() => panel.chat.close());
    panel.bff.state.tokens.clear();
    panel.bff.state.conversation = null;
    await act(async () => void (await panel.chat.session.refresh()));
    await act(() => panel.time.advance(4_000));
    const heard = listenTo(panel.get("status"));
    await panel.open();
    await act(() => panel.chat.close());
    await panel.open();
    expect(heard).toEqual(["Your session has expired. Your next message starts a new conversation."]);
  });

  it("where the waiting message has started the new conversation by itself, that is what is said", async () => {
    const panel = await startTalk();
    panel.bff.state.tokens.clear();
    panel.bff.state.conversation = null;
    panel.bff.script(MESSAGES, () => problem("session_expired"));
    await panel.say("Is anybody there?");
    expect(panel.log()).toContain("Is anybody there?");
    expect(strips(panel)).toBe(anew);
    expect(panel.get("status").textContent).toContain(anew);
    expect(panel.get("status").textContent).not.toContain("next message");
  });

  it("OUT4 a request for a person that was on its way is made after the next message, and the panel says so", async () => {
    const panel = await startTalk();
    panel.bff.state.tokens.clear();
    panel.bff.state.conversation = null;
    panel.bff.script(HANDOFF, () => problem("session_expired"));
    panel.bff.script(HANDOFF, () => problem("no_conversation"));
    await panel.click("button", "Talk to a person");
    expect(strips(panel)).toBe(
      "Your session has expired. Your next message starts a new conversation.Write your message first. We'll ask for a person as soon as it arrives.",
    );
    await panel.say("My lamp broke");
    expect(strips(panel)).toContain("We've asked a teammate to join.");
  });

  it("OUT4 an end that was on its way is a doubt", async () => {
    const panel = await startTalk();
    panel.bff.state.tokens.clear();
    panel.bff.state.conversation = null;
    panel.bff.script("DELETE /api/conversation", () => problem("session_expired"));
    await panel.click("button", "End conversation");
    const ends = panel.all("button", "End conversation");
    await act(() => ends.at(-1)?.click());
    await panel.rest();
    expect(strips(panel)).toBe(
      "We couldn't confirm that the conversation is over. It may still be open.Your session has expired. Your next message starts a new conversation.",
    );
    expect(panel.get("alert").textContent).toContain("couldn't confirm that the conversation is over");
    const said = strips(panel);
    const { conversation, report } = panel.chat;
    const { id } = conversation.startedOver.value ?? {};
    await act(() => doubtFormer({ conversation, report }, id, ({ endNotConfirmed }) => endNotConfirmed));
    expect(conversation.startedOver.value?.doubts).toHaveLength(2);
    expect(strips(panel), "once").toBe(said);
  });

  it("a customer who signs in instead gets the conversation that they had, and it is not called new", async () => {
    const visit = startVisit();
    visit.bff.words.set("anon_0", ["To a visitor"]);
    visit.bff.words.set("ann", ["To Ann, last week"]);
    const panel = startPanel({}, visit);
    await panel.open();
    visit.bff.bearers.clear();
    visit.identify("ann");
    await panel.rest();
    expect(panel.log()).toContain("To Ann, last week");
    expect(strips(panel)).toBe("");
  });
});

describe("the end", () => {
  it("ending asks for confirmation first; the harmless answer has the focus, and Escape chooses it", async () => {
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

  it("TRUTH4 the end is shown after the service confirmed it; the log stays, and a new message starts again", async () => {
    const panel = await startTalk();
    await panel.click("button", "End conversation");
    await panel.click("button", "End conversation");
    expect(panel.text()).toContain("This conversation has ended. Send a message to start a new one.");
    expect(panel.log()).toContain("Hello");
    expect(panel.all("button", "End conversation")).toEqual([]);
    await panel.say("One more thing");
    expect(panel.log()).not.toContain("Hello");
    await act(() => panel.time.advance(4_000));
    expect(panel.text()).not.toContain("has ended");
  });

  it("an unconfirmed end is shown as not confirmed, with Retry", async () => {
    const panel = await startTalk();
    panel.bff.script("DELETE /api/conversation", () => new Response(null, { status: 204 }));
    await panel.click("button", "End conversation");
    await panel.click("button", "End conversation");
    expect(panel.text()).toContain("We couldn't confirm that the conversation is over.");
    expect(panel.text()).not.toMatch(/\bended\b/);
    await panel.click("button", "Retry");
    expect(panel.text()).toContain("This conversation has ended.");
  });
});
