// @vitest-environment node
import { describe, expect, it } from "vitest";
import type { Mark } from "../../shared/conversation.ts";
import type { Message } from "../../shared/message.ts";
import { createRows, type PendingItem, type Row, type RowSources } from "./rows.ts";

type Rows = readonly Row<Mark, PendingItem>[];
type Sources = RowSources<Mark, PendingItem>;

const dayOf = (at: string) => at.slice(0, 10);
const at = (time: string, day = "2026-11-21") => ({ at: `${day}T${time}:00Z` });
const AT = "2026-11-21T10:00:00.000Z";
const agentMessage = (seq: number, body: string): Message => ({
  id: `m${seq}`,
  seq,
  role: "agent",
  body,
  at: AT,
});
const customerMessage = (seq: number, clientMessageId: string, body: string): Message => ({
  ...agentMessage(seq, body),
  role: "customer",
  clientMessageId,
});
const pending = (key: string): PendingItem => ({ clientMessageId: key });
const makeRows = () => createRows<Mark, PendingItem>(dayOf, { role: "customer" });
const mark = (seq: number): Mark => ({ seq, type: "handoff.requested", ...at("10:00") });

const shown = (rows: Rows) =>
  rows.map((row) =>
    row.kind === "group" ? `${row.role}: ${row.items.map((item) => item.key).join(" ")}` : row.kind,
  );
const sources = (log: Partial<Sources>): Sources => ({
  messages: [],
  entries: [],
  pending: [],
  answerIds: [],
  ...log,
});
const rows = (log: Partial<Sources>) => makeRows()(sources(log)).flatMap((section) => section.rows);

describe("the rows of the log", () => {
  it("group consecutive messages of one author", () => {
    const messages = [
      { ...customerMessage(1, "a", ""), ...at("10:00") },
      { ...customerMessage(2, "b", ""), ...at("10:05") },
      { ...customerMessage(3, "c", ""), ...at("10:15") },
      { ...agentMessage(4, ""), ...at("10:15") },
    ];
    expect(shown(rows({ messages }))).toEqual(["day", "customer: a b", "customer: c", "agent: m4"]);
  });

  it("two people are two groups, and notes are never grouped", () => {
    const person = (seq: number, name: string) =>
      ({ ...agentMessage(seq, ""), role: "human", author: { name } }) as const;
    const note = (seq: number) => ({ ...agentMessage(seq, ""), role: "system" }) as const;
    const messages = [person(1, "Mira"), person(2, "Jon"), note(3), note(4)];
    expect(shown(rows({ messages }))).toEqual(["day", "human: m1", "human: m2", "system: m3", "system: m4"]);
  });

  it("separate the days, and an entry of the log is shown at its position", () => {
    const messages = [
      { ...agentMessage(1, ""), ...at("23:59", "2026-11-20") },
      { ...agentMessage(2, ""), ...at("00:01") },
      { ...agentMessage(4, ""), ...at("10:00") },
    ];
    expect(shown(rows({ messages, entries: [mark(3)] }))).toEqual([
      "day",
      "agent: m1",
      "day",
      "agent: m2",
      "entry",
      "agent: m4",
    ]);
  });

  it("are in the order of seq, whatever the times are; each has its own key", () => {
    const messages = [
      { ...agentMessage(1, ""), ...at("10:00") },
      { ...agentMessage(2, ""), ...at("10:00", "2026-11-20") },
      { ...agentMessage(3, ""), ...at("10:00") },
    ];
    const all = rows({ messages });
    expect(shown(all).filter((row) => row !== "day")).toEqual(["agent: m1", "agent: m2", "agent: m3"]);
    expect(new Set(all.map((row) => row.key)).size).toBe(all.length);
  });

  it("unconfirmed messages, then answers in progress, come last and keep their keys", () => {
    const before = rows({
      messages: [customerMessage(1, "a", "")],
      pending: [pending("b")],
      answerIds: ["m3"],
    });
    expect(shown(before)).toEqual(["day", "customer: a b", "agent: m3"]);
    const after = rows({
      messages: [customerMessage(1, "a", ""), customerMessage(2, "b", ""), agentMessage(3, "")],
    });
    expect(shown(after)).toEqual(shown(before));
    expect(after.map((row) => row.key)).toEqual(before.map((row) => row.key));
  });

  it("unread messages begin below a divider, in a separate group", () => {
    const messages = [1, 2, 3].map((seq) => agentMessage(seq, ""));
    expect(shown(rows({ messages, firstNew: 2 }))).toEqual(["day", "agent: m1", "new", "agent: m2 m3"]);
  });
});

describe("a long log", () => {
  const many = (count: number) =>
    Array.from({ length: count }, (_, at) =>
      at % 2 ? agentMessage(at + 1, "") : customerMessage(at + 1, `c${at + 1}`, ""),
    );

  it("when a message arrives, keeps every section but the last as the same object", () => {
    const make = makeRows();
    const before = make(sources({ messages: many(1_000) }));
    const after = make(sources({ messages: [...before.flatMap(messagesOf), agentMessage(1_001, "")] }));
    expect(after.length).toBeGreaterThan(30);
    expect(after.filter((section, at) => section !== before[at])).toHaveLength(1);
    expect(after.at(-1)?.rows[0]).toBe(before.at(-1)?.rows[0]);
  });

  it("earlier messages added above leave the sections and groups below them as they are", () => {
    const all = Array.from({ length: 60 }, (_, at) => customerMessage(at + 10, `c${at}`, ""));
    const make = makeRows();
    const entries = [mark(3)];
    const before = make(sources({ messages: all.slice(40), entries }));
    const after = make(sources({ messages: all.slice(5), entries }));
    expect(after.flatMap(messagesOf)).toEqual(all.slice(5));
    // The day and the mark above them are now further up.
    expect(after.map(({ key }) => key)).toEqual(["c5", "c40"]);
    expect(before.map(({ key }) => key)).toEqual(["c40"]);
    expect(after[1]?.rows).toEqual(before[0]?.rows.slice(2));
    const whole = make(sources({ messages: all, entries }));
    expect(whole.at(-1)).toBe(after.at(-1));
    // A message at the end changes only the last one.
    const longer = make(sources({ messages: [...all, agentMessage(70, "")], entries }));
    expect(longer.filter((section) => !whole.includes(section))).toHaveLength(1);
  });

  it("grown piece by piece it equals one built at once, whatever came in between", () => {
    const all = many(90);
    const make = makeRows();
    const steps: Partial<Sources>[] = [
      { messages: all.slice(0, 40) },
      { messages: all.slice(0, 41), answerIds: ["m42"] },
      { messages: all.slice(0, 42), pending: [pending("c43")] },
      { messages: all.slice(0, 60), entries: [mark(100)] },
      // Before what a person's arrival already marked: not at the end.
      { messages: all.slice(0, 61), entries: [mark(50)], firstNew: 55 },
      { messages: all, entries: [mark(50)] },
      { messages: all.slice(5, 20) },
      { messages: [] },
    ];
    for (const step of steps) expect(make(sources(step))).toEqual(makeRows()(sources(step)));
  });
});

function messagesOf({ rows }: { rows: Rows }) {
  return rows.flatMap((row) =>
    row.kind === "group" ? row.items.flatMap((item) => (item.kind === "message" ? [item.message] : [])) : [],
  );
}
