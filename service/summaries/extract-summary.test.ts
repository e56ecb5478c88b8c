import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import type { Message } from "../../shared/message.ts";
import { MAX_PROPOSED, ProposedSentence } from "../../shared/summary.ts";
import { extractSummary } from "./extract-summary.ts";

/** A log of messages: the customer's, or with a name the agent's. */
function log(...said: (string | Partial<Message>)[]): Message[] {
  return said.map((one, index) => {
    const seq = index + 2;
    const at = new Date(seq * 1000).toISOString();
    const given = typeof one === "string" ? { body: one } : { role: "agent" as const, ...one };
    return { id: `msg-${seq}`, seq, at, role: "customer" as const, body: "", ...given };
  });
}
const lines = (messages: Message[], locale = "en") =>
  extractSummary(messages, locale).map(({ seq, text }) => `${seq} ${text}`);
const author = { name: "Help articles" };

describe("HAND6 a summary without a model", () => {
  test("quotes the customer in the order of the log, each sentence with its place", () => {
    const said = log(
      "Hello! My lamp arrived broken. The order is no. 48213.",
      { body: "…", author, citations: [{ citationId: "c", title: "Damaged items" }] },
      "I already sent a photo by e-mail. Nobody answered.\nCan I get a new one?",
      { body: "I **couldn't find** an answer. Try rephrasing.", author, notice: "agent_found_nothing" },
      "I want to speak to a human please",
      { body: "You can talk to a person.", author },
    );
    expect(lines(said)).toEqual([
      "2 My lamp arrived broken.",
      "2 The order is no. 48213.",
      "3 AI agent: Damaged items",
      "4 I already sent a photo by e-mail.",
      "4 Nobody answered.",
      "4 Can I get a new one?",
      "5 AI agent: I couldn't find an answer.",
    ]);
  });

  test("calls the agent as the panel does, in each of the panel's languages", () => {
    const locales = join(import.meta.dirname, "../../widget/app/locales");
    const said = log("My lamp broke.", { author, citations: [{ citationId: "c", title: "Damaged items" }] });
    for (const file of globSync("*.json", { cwd: locales })) {
      const { agent } = JSON.parse(readFileSync(join(locales, file), "utf8")) as { agent: string };
      expect(lines(said, file.replace(".json", "")).at(-1)).toBe(`3 ${agent}: Damaged items`);
    }
    expect(lines(said, "xx").at(-1)).toBe("3 AI agent: Damaged items");
  });

  test("leaves out greetings, thanks and requests for a person, in every language that knows them, and no complaint", () => {
    expect(lines(log("Hi", "Thanks!", "agent", "Hola", "Merci", "echten Menschen bitte"))).toEqual([]);
    expect(lines(log("Hi", "Nobody answers me!"))).toEqual(["3 Nobody answers me!"]);
  });

  test("says nothing of the agent's answers where the customer said nothing", () => {
    const quoted = { author, citations: [{ citationId: "c", title: "Returns" }] };
    expect(lines(log("Hello", { body: "…", ...quoted }))).toEqual([]);
  });

  test("masks what nobody should paste", () => {
    const said = log("My card 4111 1111 1111 1111 was charged twice. The password is hunter2.");
    expect(lines(said).join("\n")).toBe(
      "2 My card [card number] was charged twice.\n2 The password is [password].",
    );
  });

  test("prefers the question, figures and the end of a long story, and repeats nothing", () => {
    const story = Array.from({ length: 20 }, (_, day) => `On day ${"I".repeat(day + 1)} nothing happened.`);
    const said = log(
      "Where is my parcel?",
      ...story,
      "It is order AB-4411.",
      "Where is my parcel?",
      "Please help me soon.",
    );
    const found = lines(said);
    expect(found).toContain("2 Where is my parcel?");
    expect(found).toContain("23 It is order AB-4411.");
    expect(found.at(-1)).toBe("25 Please help me soon.");
    expect(found).toHaveLength(8);
  });

  test("stays within its bounds for any text", () => {
    const said = log(
      ..."x y".repeat(3).split(""),
      `${"word ".repeat(2000)}4711`,
      ...Array.from({ length: 50 }, (_, at) => `Sentence 10${at}. 👩‍👩‍👧 `.repeat(at)),
      { body: "…", author, citations: [{ citationId: "c", title: "T".repeat(300) }] },
    );
    const found = extractSummary(said, "en");
    expect(found.length).toBeLessThanOrEqual(MAX_PROPOSED);
    for (const sentence of found) expect(ProposedSentence.parse(sentence)).toEqual(sentence);
    expect(found.every(({ text }) => !text.includes("\n") && text.trim() === text)).toBe(true);
  });

  test("finds what says most in a log of thousands of sentences", () => {
    const story = Array.from({ length: 50 }, (_, at) =>
      `The lamp is blue again, ${"a".repeat(at + 1)}. `.repeat(60),
    );
    story[30] += "Where is parcel 48213?";
    expect(lines(log("Where is it?", ...story, "Please help me now."))).toEqual(
      expect.arrayContaining(["2 Where is it?", "33 Where is parcel 48213?", "53 Please help me now."]),
    );
  });

  test("finds the sentences of scripts without spaces", () => {
    expect(lines(log("我的订单还没有到。订单号是884213。什么时候能到？"), "zh")).toEqual([
      "2 我的订单还没有到。",
      "2 订单号是884213。",
      "2 什么时候能到？",
    ]);
  });

  test("a log full of letters without an end takes no time that grows with their square", () => {
    const said = Array.from({ length: 60 }, (_, at) => `${"我".repeat(10_000)}${"们".repeat(at)}`);
    expect(extractSummary(log(...said), "zh").length).toBeGreaterThan(0);
  });
});
