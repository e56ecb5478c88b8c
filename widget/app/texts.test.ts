// @vitest-environment node
import { describe, expect, it } from "vitest";
import { FAILURES, type FailureCode } from "../../shared/errors.ts";
import { announcementOf } from "../ui/announcer.tsx";
import { problemText } from "./problem-texts.ts";
import { textsFor } from "./texts.ts";

const texts = textsFor("en");
const codes = Object.keys(FAILURES) as FailureCode[];

/** Words that a customer could take for success, in whatever sense they stand. */
const SUCCESS = /\b(sent|connected|delivered|ended|done|success\w*|received|complete\w*)\b/i;

describe("R51 the words of a doubt hold no word of success", () => {
  it("each failure's sentence", () => {
    for (const code of codes) expect(problemText(texts, { code, retryAfter: 7 })).not.toMatch(SUCCESS);
  });

  it("what stands beside it on the screen", () => {
    const { notConfirmed, messageNotConfirmed, personNotConfirmed, endNotConfirmed, unreachable } = texts;
    const shown = [notConfirmed, messageNotConfirmed, personNotConfirmed, endNotConfirmed, unreachable];
    for (const text of [...shown, texts.sending, texts.retry, texts.discard, texts.statusUnreachable]) {
      expect(text).not.toMatch(SUCCESS);
    }
  });

  it("what is said to a screen reader", () => {
    for (const code of codes) {
      const pending = { clientMessageId: "k", body: "b", status: "not_confirmed", code } as const;
      expect(announcementOf({ type: "message.not_confirmed", pending }, texts)?.text).not.toMatch(SUCCESS);
      for (const what of ["session", "handoff", "end"] as const) {
        expect(announcementOf({ type: "failed", what, code }, texts)).toMatchObject({
          isUrgent: true,
          text: expect.not.stringMatching(SUCCESS),
        });
      }
    }
  });

  it("control: the words of a verified success do", () => {
    expect(texts.sent).toMatch(SUCCESS);
    expect(texts.conversationEnded).toMatch(SUCCESS);
  });
});

describe("the sentences", () => {
  it("R87 say how long to wait", () => {
    expect(problemText(texts, { code: "rate_limited", retryAfter: 6.2 })).toBe(
      "Too many at once. Try again in 7 seconds.",
    );
    expect(problemText(texts, { code: "rate_limited", retryAfter: 1 })).toBe(
      "Too many at once. Try again in 1 second.",
    );
    expect(problemText(texts, { code: "rate_limited" })).toBe(
      "Too many at once. Wait a moment, then try again.",
    );
  });

  it("count characters as a person would", () => {
    expect(texts.tooLong(1)).toContain("1 character.");
    expect(texts.tooLong(2)).toContain("2 characters.");
  });
});
