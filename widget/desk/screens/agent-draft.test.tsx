import { describe, expect, it } from "vitest";
import { all, eventually, everything, one, type } from "../testing/by-role.ts";
import { createKit, type Kit, openedOn, settled, until } from "../testing/desk-kit.ts";
import { ANA, waiting } from "../testing/samples.ts";
import { json, problem } from "../testing/scripted-service.ts";
import { showDesk } from "./show-desk.test-kit.tsx";

const DRAFT = `POST /conversations/${ANA}/draft`;
const REPLY = `POST /conversations/${ANA}/messages`;
const OTHER = "cnv_bo";
const drafted = (more: object = {}) =>
  json({
    draft: {
      kind: "drafted",
      conversationId: ANA,
      body: "It takes two days.",
      author: "AI assistant",
      generated: { by: "openai" },
      citations: [
        { citationId: "c1", title: "Delivery", url: "https://shop.example/delivery", excerpt: "Two days." },
        { citationId: "c2", title: "Odd", url: "javascript:alert(1)" },
      ],
      hasWithheld: false,
      ...more,
    },
  });

async function show(): Promise<Kit> {
  const start = createKit();
  start.service.state.conversations.push(waiting({ id: OTHER }));
  const kit = await openedOn(start, ANA);
  await kit.board.take();
  await until(() => kit.board.isMine.value);
  return showDesk(kit);
}
const box = () => one("textbox", "Reply") as HTMLTextAreaElement;
const ask = () => one("button", "Draft a reply").click();
const card = () => all("region", "Draft by the AI agent")[0];

/** Answers the next draft when the test calls it. */
function hold(kit: Kit) {
  const { promise, resolve } = Promise.withResolvers<Response>();
  kit.service.script(DRAFT, () => promise);
  return { arrive: () => resolve(drafted()) };
}

describe("DESK20 a draft for the person", () => {
  it("fills the empty box, is marked, lists its sources, and is sent only by the person's press", async () => {
    const kit = await show();
    kit.service.script(DRAFT, () => drafted());
    ask();
    await until(() => box().value === "It takes two days.");
    expect(card()?.textContent).toContain("Drafted by AI assistant. It's in the reply box. Check it");
    expect(one("link", "Delivery").getAttribute("href")).toBe("https://shop.example/delivery");
    expect(all("link", "Odd")).toEqual([]);
    expect(card()?.querySelector("blockquote")?.textContent).toBe("Two days.");
    await settled();
    expect(kit.service.callsOf(REPLY)).toEqual([]);
    // The customer gets no typing signal.
    expect(kit.service.callsOf(`POST /conversations/${ANA}/typing`)).toEqual([]);
    type(box(), "It takes two days, Ana.");
    one("button", "Send reply").click();
    await until(() => kit.service.callsOf(REPLY).length === 1);
    expect(kit.service.callsOf(REPLY)[0]?.body).toMatchObject({
      body: "It takes two days, Ana.",
      fromDraft: true,
    });
    await until(() => card() === undefined);
  });

  it("that comes late leaves what the person typed, and offers to insert itself", async () => {
    const kit = await show();
    const { arrive } = hold(kit);
    ask();
    await eventually("button", "Stop drafting");
    type(box(), "Hello Ana");
    arrive();
    await eventually("button", "Insert below your text");
    expect(box().value).toBe("Hello Ana");
    expect(card()?.textContent).toContain("your text is unchanged");
    expect(card()?.textContent).toContain("It takes two days.");
    one("button", "Insert below your text").click();
    await until(() => box().value === "Hello Ana\n\nIt takes two days.");
  });

  it.each(["Dismiss", "Draft a reply"])("is named as used also after a press on %s", async (button) => {
    const kit = await show();
    kit.service.script(
      DRAFT,
      () => drafted(),
      () => new Promise(() => undefined),
    );
    ask();
    await until(() => box().value !== "");
    one("button", button).click();
    await until(() => all("button", "Dismiss").length === 0);
    one("button", "Send reply").click();
    await until(() => kit.service.callsOf(REPLY).length === 1);
    expect(kit.service.callsOf(REPLY)[0]?.body).toMatchObject({ fromDraft: true });
  });

  it("is not recorded as used if its text was removed from the box", async () => {
    const kit = await show();
    kit.service.script(DRAFT, () => drafted());
    ask();
    await until(() => box().value !== "");
    type(box(), "");
    await eventually("button", "Insert below your text");
    type(box(), "My own words");
    one("button", "Send reply").click();
    await until(() => kit.service.callsOf(REPLY).length === 1);
    expect(kit.service.callsOf(REPLY)[0]?.body).not.toHaveProperty("fromDraft");
  });

  it.each(["stopping it", "leaving the conversation", "handing it back"])(
    "is given up by %s",
    async (way) => {
      const kit = await show();
      const { arrive } = hold(kit);
      ask();
      await eventually("button", "Stop drafting");
      const [call] = kit.service.callsOf(DRAFT);
      expect(call?.signal?.aborted).toBe(false);
      if (way === "stopping it") one("button", "Stop drafting").click();
      else if (way === "leaving the conversation") kit.board.open(OTHER);
      else await kit.board.giveBack();
      await until(() => call?.signal?.aborted === true);
      arrive();
      await settled();
      expect(kit.board.drafts.value).toEqual({});
      expect(kit.board.agentDrafts.value).toEqual({});
    },
  );

  it.each([
    ["no_question", "The customer hasn't written anything to answer."],
    ["only_file", "The last message is a file, which the AI agent can't read."],
    ["nothing_found", "The AI agent has no answer to this."],
    ["agent_away", "The AI agent can't answer now. Write the reply yourself, or try again later."],
    ["failed", "The AI agent didn't finish its draft. Try again, or write the reply yourself."],
  ])("%s is said plainly", async (kind, sentence) => {
    const kit = await show();
    kit.service.script(DRAFT, () => json({ draft: { kind, conversationId: ANA } }));
    ask();
    await until(() => card()?.textContent?.includes(sentence) === true);
    expect(box().value).toBe("");
    one("button", "Dismiss").click();
    await until(() => card() === undefined);
  });

  it("an answer that proves nothing, or a refusal, is no draft", async () => {
    const kit = await show();
    kit.service.script(
      DRAFT,
      () => drafted({ conversationId: OTHER }),
      () => problem("rate_limited", { retryAfter: 120 }),
      () => drafted({ hasWithheld: true, citations: [] }),
    );
    for (const reason of ["didn't confirm it", "Try again in 2 minutes"]) {
      ask();
      await until(() => everything().includes(reason));
      expect(card()?.textContent).toContain("We couldn't get a draft.");
      expect(box().value).toBe("");
    }
    await settled();
    kit.timers.advance(120_000);
    await until(() => everything().includes("You can try again now."));
    ask();
    await until(() => everything().includes("The AI agent named no source."));
    expect(everything()).toContain("The draft claimed that something was done.");
  });
});
