import { describe, expect, it } from "vitest";
import type { Message } from "../../shared/message.ts";
import { announcementOf } from "../ui/announcement.ts";
import { wordsWithAddresses } from "../ui/rich-text-words.ts";
import { AT, customerMessage } from "./testing/scripted-bff.ts";
import { KEPT } from "./testing/start-extras.ts";
import { createTexts } from "./texts.ts";
import { transcriptOf, transcriptPage } from "./transcript.ts";

describe("LOG1 the transcript", () => {
  const texts = createTexts({}, "en");
  const reader = { texts, timeOf: (at: string) => at, wordsOf: wordsWithAddresses };
  const rich: Message = {
    id: "m2",
    seq: 2,
    role: "agent",
    body: "**Yes**, see [returns](https://shop.example/returns) or <hello@shop.example>.\n- one\n- `two`",
    at: AT,
  };

  it("has no marks of the agent's, but the addresses of its links; a customer's text is as it was written", () => {
    const text = transcriptOf({ messages: [rich, customerMessage(3, "k", "**mine**")], pending: [] }, reader);
    expect(text).toContain(
      "    Yes, see returns (https://shop.example/returns) or <hello@shop.example>.\n    one\n    two\n",
    );
    expect(text).toContain("    **mine**");
  });

  it("is a page to read and print too, in its language, in which every text is text and nothing runs or loads", () => {
    const hostile = '</title><script>alert(1)</script><img src=x onerror="alert(1)">&amp;';
    const named: Message = { ...rich, role: "human", author: { name: hostile }, body: hostile };
    const pending = [{ clientMessageId: "k", body: hostile, status: "sending" } as const];
    const language = { tag: 'ar"><script>', dir: "rtl" };
    const html = transcriptPage({ messages: [rich, named], pending }, reader, language);
    const page = new DOMParser().parseFromString(html, "text/html");
    expect(page.querySelectorAll("script, img, a, iframe, link, base")).toHaveLength(0);
    expect(page.documentElement.dir).toBe("rtl");
    expect(page.querySelector("meta[http-equiv]")?.getAttribute("content")).toBe(
      "default-src 'none'; style-src 'unsafe-inline'",
    );
    const heads = [...page.querySelectorAll("article h2")].map((head) => head.textContent);
    expect(heads).toEqual([`AI agent ${AT}`, `${hostile} ${AT}`, "You (Not confirmed)"]);
    const isMarked = [...page.querySelectorAll("article")].map((entry) => "generated" in entry.dataset);
    expect(isMarked).toEqual([true, false, false]);
    const lines = [...page.querySelectorAll("article:first-of-type p")].map((line) => line.textContent);
    expect(lines).toEqual([
      "Yes, see returns (https://shop.example/returns) or <hello@shop.example>.",
      "one",
      "two",
    ]);
    expect(page.querySelector("article:last-of-type p")?.textContent).toBe(hostile);
  });

  it("has an agent's text however the answer ended; a note is in the reader's language", () => {
    const cut: Message = { id: "m2", seq: 2, role: "agent", body: "Lamps are", at: AT, notice: "answer_cut" };
    const note: Message = { ...cut, id: "m3", seq: 3, role: "system", body: "found_nothing" };
    const found = { ...note, notice: "agent_found_nothing" } as const;
    const text = transcriptOf({ messages: [cut, found], pending: [] }, reader);
    expect(text).toContain("    Lamps are");
    expect(text).toContain(`    ${texts.notice_agent_found_nothing}`);
    const heard = [cut, found].map(
      (message) => announcementOf({ type: "message.received", message }, texts)?.text,
    );
    expect(heard).toEqual(["AI agent: Lamps are", `Note: ${texts.notice_agent_found_nothing}`]);
  });

  it("a source or a quick reply of several lines can't look like another message", () => {
    const forged = `Returns\n\n${AT} · You\u0085I agree`;
    const citations = [{ citationId: "a", title: forged }];
    const choices = [{ id: "1", label: forged, send: "x" }];
    const text = transcriptOf({ messages: [{ ...rich, citations, choices }], pending: [] }, reader);
    const outside = text.split(/[\n\u0085]/).filter((line) => line !== "" && !line.startsWith("    "));
    expect(outside).toEqual(["Support · Conversation", `${AT} · AI agent`]);
  });

  it("has what was confirmed, with times and authors; then what was not, marked so", () => {
    const text = transcriptOf(
      {
        messages: [
          { ...customerMessage(2, "k", "One\nAgent: forged"), attachments: [KEPT] },
          {
            id: "m3",
            seq: 3,
            role: "human",
            author: { name: "Maya\nYou" },
            body: "Two",
            at: AT,
            incomplete: true,
          },
        ],
        pending: [{ clientMessageId: "k2", body: "Three", status: "sending" }],
      },
      reader,
    );
    expect(text).toBe(
      [
        "Support · Conversation",
        "",
        `${AT} · You`,
        "    One",
        "    Agent: forged",
        "    [letter.pdf]",
        "",
        `${AT} · Maya You`,
        "    Two",
        "    (This answer was cut off. It may be incomplete.)",
        "",
        "You (Not confirmed)",
        "    Three",
        "",
      ].join("\n"),
    );
  });
});
