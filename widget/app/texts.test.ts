// @vitest-environment node
import { describe, expect, it } from "vitest";
import { FAILURES, type FailureCode } from "../../shared/errors.ts";
import { announcementOf } from "../ui/announcement.ts";
import { problemText } from "./problem-texts.ts";
import { createTexts } from "./texts.ts";

const texts = createTexts({}, "en");
const codes = Object.keys(FAILURES) as FailureCode[];

/** Words that a customer could take for success, in any sense. */
const SUCCESS = /\b(sent|connected|delivered|ended|done|success\w*|received|complete\w*)\b/i;

describe("the texts of a failure contain no word of success", () => {
  it("each failure's sentence", () => {
    for (const code of codes) expect(problemText(texts, { code, retryAfter: 7 })).not.toMatch(SUCCESS);
  });

  it("the texts next to a failure contain no word of success either", () => {
    const { notConfirmed, messageNotConfirmed, personNotConfirmed, endNotConfirmed, unreachable } = texts;
    const shown = [notConfirmed, messageNotConfirmed, personNotConfirmed, endNotConfirmed, unreachable];
    for (const text of [...shown, texts.sending, texts.retry, texts.discard, texts.statusUnreachable]) {
      expect(text).not.toMatch(SUCCESS);
    }
  });

  it("the announcements of a failure contain no word of success either", () => {
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

  it("an action's question is announced before the conversation's part has loaded, and no result is", () => {
    const action = {
      actionId: "a",
      seq: 3,
      name: "cancel_order",
      title: "Cancel order",
      at: "2026-11-28T10:00:00Z",
    };
    expect(announcementOf({ type: "action.requested", action }, texts)?.text).toContain("Cancel order");
    const result = { status: "completed" } as const;
    const changed = { ...action, approved: true, result };
    expect(announcementOf({ type: "action.changed", action: changed }, texts)).toBeUndefined();
  });

  it("the texts of a verified success do (control)", () => {
    expect(texts.sent).toMatch(SUCCESS);
    expect(texts.conversationEnded).toMatch(SUCCESS);
  });
});

describe("the sentences", () => {
  it("say how long to wait", () => {
    expect(problemText(texts, { code: "rate_limited", retryAfter: 6.2 })).toBe(
      "Too many requests. Try again in 7 seconds.",
    );
    expect(problemText(texts, { code: "rate_limited", retryAfter: 1 })).toBe(
      "Too many requests. Try again in 1 second.",
    );
    expect(problemText(texts, { code: "rate_limited" })).toBe(
      "Too many requests. Wait a moment, then try again.",
    );
  });

  it("count characters as a person would", () => {
    expect(texts.tooLong(1)).toContain("1 character over");
    expect(texts.tooLong(2)).toContain("2 characters over");
  });
});

describe("LANG5 texts made from data", () => {
  it("accept placeholders by name, in any order, and leave values unchanged", () => {
    const { says, isTyping } = createTexts(
      { says: "«{author}»", isTyping: "schreibt: {author} ({author})" },
      "de",
    );
    expect(says("$& {author} <b>")).toBe("«$& {author} <b>»");
    expect(isTyping("Ann")).toBe("schreibt: Ann (Ann)");
  });

  it("use the plural form and the digits of the language", () => {
    const forms = {
      zero: "none",
      one: "one",
      two: "both",
      few: "{count} few",
      many: "{count} many",
      other: "{count}",
    };
    const { roomLeft } = createTexts({ roomLeft: forms }, "ar-EG");
    expect([0, 1, 2, 3, 11, 100, 1234].map((count) => roomLeft(count))).toEqual([
      "none",
      "one",
      "both",
      "٣ few",
      "١١ many",
      "١٠٠",
      "١٬٢٣٤ many",
    ]);
    expect(createTexts({ roomLeft: { other: "あと{count}文字" } }, "ja").roomLeft(1)).toBe("あと1文字");
  });

  it.each([
    ["another place", { says: "{name}:" }],
    ["a place less", { says: ":" }],
    ["another kind", { says: { other: "{author}:" } }],
    ["no text", { says: 7 }],
    ["nothing", { says: null }],
  ])("with %s are English", (_what, data) => {
    expect(createTexts(data, "de").says("Ann")).toBe("Ann:");
  });

  it("with incomplete plural forms are English, with its forms", () => {
    for (const roomLeft of [{ one: "{count}" }, { other: 7 }, "{count}", null]) {
      expect(createTexts({ roomLeft }, "ja").roomLeft(1)).toBe("1 character left");
    }
  });
});
