import { render } from "preact";
import { afterEach, describe, expect, it } from "vitest";
import type { AnswerMade } from "../../../shared/answer-made.ts";
import type { AnswerNote } from "../../../shared/desk.ts";
import { everything } from "../testing/by-role.ts";
import { openedKit, settled, until } from "../testing/desk-kit.ts";
import { ANA, at, message, waiting } from "../testing/samples.ts";
import { DeskApp } from "./desk-app.tsx";

afterEach(() => {
  const root = document.getElementById("desk");
  if (root) render(null, root);
});

/** A desk whose opened conversation gets an agent's answer, and then what is noted of it. */
async function show(note: Omit<AnswerNote, "seq"> | undefined) {
  const kit = await openedKit(ANA);
  document.body.innerHTML = "<div id='desk'></div>";
  const root = document.getElementById("desk");
  if (root) render(<DeskApp desk={kit.desk} />, root);
  const seq = waiting().lastSeq + 1;
  const answer = message(seq, "agent", "It costs six.");
  const event = { type: "message.created", seq, at: at(9), message: answer };
  kit.service.push({ type: "conversation.event", conversationId: ANA, event } as never);
  await until(() => everything().includes("It costs six."));
  if (note) kit.service.push({ type: "answer.noted", conversationId: ANA, note: { seq, ...note } });
  await settled();
  return kit;
}

const made = (more: Partial<AnswerMade>): AnswerMade => ({ passages: [], tools: [], ...more });
const folds = () => [...document.querySelectorAll("details > summary")].map((each) => each.textContent);
const inside = (summary: string) =>
  [...document.querySelectorAll("details")].find((each) => each.firstElementChild?.textContent === summary)
    ?.textContent ?? "";

const FILE = {
  title: "Shipping",
  heading: "Express",
  file: "/srv/articles/shipping.md",
  probability: 0.834,
  use: "quoted",
} as const;
const PAGE = { title: "Terms", url: "https://shop.example/terms", probability: 0.4, use: "quoted" } as const;
const OTHER = { title: "Returns", probability: 0.05, use: "found" } as const;

describe("DESK18 what an answer was made of", () => {
  it("is folded under the answer: passages, tools, cost", async () => {
    const tools = [{ name: "shop_order", status: "failed" }] as const;
    const usage = {
      model: "fake-1",
      inputTokens: 1200,
      outputTokens: 30,
      price: { amount: 0.0123, currency: "EUR" },
    };
    await show({ made: made({ passages: [FILE, PAGE, OTHER], tools: [...tools], usage }) });
    await until(() => folds().includes("Made from 2 passages"));
    expect([...document.querySelectorAll("details")].every((each) => !each.open)).toBe(true);
    const text = inside("Made from 2 passages");
    expect(text).toContain("Shipping · Expressquoted, 83 % likely to answer");
    expect(text).toContain("Returnsconsidered, 5 % likely to answer");
    expect(text).toContain("shop_orderfailed");
    expect(text).toContain("€0.0123 · 1,200 tokens read, 30 written · fake-1");
  });

  it.each([
    [made({ noQuote: "unsure" }), "Why it only offered titles", "titles were offered"],
    [made({ noQuote: "nothing_near", withheld: true }), "Why it found nothing", "A sentence was held back"],
    [made({ tools: [{ name: "a", status: "answered" }] }), "Made with 1 tool", "returned a result"],
  ])("says why nothing is quoted (%#)", async (given, summary, words) => {
    await show({ made: given });
    await until(() => folds().includes(summary));
    expect(inside(summary)).toContain(words);
  });

  it("an answer without notes shows nothing", async () => {
    await show(undefined);
    expect(folds()).toEqual([]);
  });
});

describe("HELP3 what the customer says of an answer", () => {
  const UP = "The customer found this helpful";
  const DOWN = "The customer didn't find this helpful";

  it("is beside what the answer was made of, and follows changes, also without notes", async () => {
    for (const note of [undefined, { made: made({ passages: [FILE] }) }]) {
      const kit = await show(note);
      const messageId = kit.desk.board.log.opened.value?.messages.at(-1)?.id ?? "";
      const change = (score: "up" | "down" | null) =>
        kit.service.push({
          type: "conversation.event",
          conversationId: ANA,
          event: { type: "feedback.changed", feedback: { messageId, score } },
        });
      expect(everything()).not.toMatch(/The customer (found|didn)/);
      change("up");
      await until(() => everything().includes(UP));
      change("down");
      await until(() => everything().includes(DOWN) && !everything().includes(UP));
      change(null);
      await until(() => !everything().includes(DOWN));
    }
  });
});

describe("DESK19 answer this better", () => {
  const BETTER = "Answer this better";

  it("names the file and the heading of a quoted article, and links a page", async () => {
    await show({ made: made({ passages: [FILE, PAGE, OTHER] }) });
    await until(() => folds().includes(BETTER));
    expect(inside(BETTER)).toContain("Shipping under “Express”/srv/articles/shipping.md");
    expect(inside(BETTER)).not.toContain("Returns");
    const link = document.querySelector("details a");
    expect([link?.getAttribute("href"), link?.getAttribute("rel")]).toEqual([
      "https://shop.example/terms",
      "noopener noreferrer nofollow",
    ]);
  });

  it("without an article it names the folder, and the question as a title", async () => {
    await show({ made: made({ noQuote: "nothing_near", folder: "/srv/articles" }) });
    await until(() => folds().includes(BETTER));
    expect(inside(BETTER)).toContain("in the folder/srv/articles");
    expect(inside(BETTER)).toContain("Suggested title: My lamp is broken");
  });

  it("makes no unsafe address a link", async () => {
    await show({ made: made({ passages: [{ ...PAGE, url: "javascript:alert(1)" }] }) });
    await until(() => folds().includes(BETTER));
    expect(inside(BETTER)).toContain("It has no file or address.");
    expect(document.querySelector("details a")).toBeNull();
  });

  it("small talk needs no article", async () => {
    await show({ made: made({ noQuote: "fixed" }) });
    await until(() => folds().length > 0);
    expect(folds()).toEqual(["Why it searched no article"]);
  });
});
