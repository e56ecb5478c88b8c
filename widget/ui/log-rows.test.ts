// @vitest-environment node
import { describe, expect, it } from "vitest";
import type { Mark, Pending } from "../app/log-state.ts";
import { agentMessage, customerMessage } from "../app/testing/scripted-bff.ts";
import { type Row, rowsOf } from "./log-rows.ts";

const dayOf = (at: string) => at.slice(0, 10);
const at = (time: string, day = "2026-11-21") => ({ at: `${day}T${time}:00Z` });
const pending = (key: string): Pending => ({ clientMessageId: key, body: key, status: "sending" });
const mark = (seq: number): Mark => ({ seq, type: "handoff.requested", ...at("10:00") });

const shown = (rows: readonly Row[]) =>
  rows.map((row) =>
    row.kind === "group" ? `${row.role}: ${row.items.map((item) => item.key).join(" ")}` : row.kind,
  );
const rows = (log: Partial<Parameters<typeof rowsOf>[0]>, answerId?: string) =>
  rowsOf({ messages: [], marks: [], actions: [], pending: [], ...log }, answerId, dayOf);

describe("the rows of the log", () => {
  it("group what one author wrote in one breath", () => {
    const messages = [
      { ...customerMessage(1, "a", ""), ...at("10:00") },
      { ...customerMessage(2, "b", ""), ...at("10:05") },
      { ...customerMessage(3, "c", ""), ...at("10:15") },
      { ...agentMessage(4, ""), ...at("10:15") },
    ];
    expect(shown(rows({ messages }))).toEqual(["day", "customer: a b", "customer: c", "agent: m4"]);
  });

  it("two people are two groups, and notes stand alone", () => {
    const person = (seq: number, name: string) =>
      ({ ...agentMessage(seq, ""), role: "human", author: { name } }) as const;
    const note = (seq: number) => ({ ...agentMessage(seq, ""), role: "system" }) as const;
    const messages = [person(1, "Mira"), person(2, "Jon"), note(3), note(4)];
    expect(shown(rows({ messages }))).toEqual(["day", "human: m1", "human: m2", "system: m3", "system: m4"]);
  });

  it("separate the days, and a turn of the conversation stands at its place", () => {
    const messages = [
      { ...agentMessage(1, ""), ...at("23:59", "2026-11-20") },
      { ...agentMessage(2, ""), ...at("00:01") },
      { ...agentMessage(4, ""), ...at("10:00") },
    ];
    expect(shown(rows({ messages, marks: [mark(3)] }))).toEqual([
      "day",
      "agent: m1",
      "day",
      "agent: m2",
      "mark",
      "agent: m4",
    ]);
  });

  it("R56 stand in the order of seq, whatever the times say; each has a key of its own", () => {
    const messages = [
      { ...agentMessage(1, ""), ...at("10:00") },
      { ...agentMessage(2, ""), ...at("10:00", "2026-11-20") },
      { ...agentMessage(3, ""), ...at("10:00") },
    ];
    const all = rows({ messages });
    expect(shown(all).filter((row) => row !== "day")).toEqual(["agent: m1", "agent: m2", "agent: m3"]);
    expect(new Set(all.map((row) => row.key)).size).toBe(all.length);
  });

  it("what is on its way, then what is being written, come last and keep their keys", () => {
    const before = rows({ messages: [customerMessage(1, "a", "")], pending: [pending("b")] }, "m3");
    expect(shown(before)).toEqual(["day", "customer: a b", "agent: m3"]);
    const after = rows({
      messages: [customerMessage(1, "a", ""), customerMessage(2, "b", ""), agentMessage(3, "")],
    });
    expect(shown(after)).toEqual(shown(before));
    expect(after.map((row) => row.key)).toEqual(before.map((row) => row.key));
  });
});
