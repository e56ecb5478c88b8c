import { expect, it } from "vitest";
import { countNeeding, countWaiting, groupQueue, isUnread, needsDecision } from "./queue-order.ts";
import { MIRA, rowOf, SAM, waiting } from "./testing/samples.ts";

const row = (id: string, state: "waiting" | "taken" | "agent" | "ended", more = {}) =>
  rowOf(waiting({ id, state }), more);

it("DESK11 mine come first, then decisions of the team, the longest wait, colleagues', the agent's and the ended ones", () => {
  const queue = [
    row("ended", "ended"),
    row("agent", "agent"),
    row("asks", "agent", { decision: { seq: 9, since: "2026-11-21T12:40:00Z" } }),
    row("asks longer", "agent", { decision: { seq: 9, since: "2026-11-21T14:00:00+02:00" } }),
    row("young", "waiting", { waitingSince: "2026-11-21T12:30:00Z" }),
    row("theirs", "taken", { takenBy: MIRA }),
    // The same instant as 11:00 UTC: sorted as text it would be last.
    row("old", "waiting", { waitingSince: "2026-11-21T13:00:00+02:00" }),
    row("mine", "taken", { takenBy: { id: SAM.id, name: SAM.name } }),
  ];
  const groups = groupQueue(queue, SAM.id).map(({ name, rows }) => [name, rows.map(({ id }) => id)]);
  expect(groups).toEqual([
    ["mine", ["mine"]],
    ["decision", ["asks longer", "asks"]],
    ["waiting", ["old", "young"]],
    ["others", ["theirs"]],
    ["agent", ["agent"]],
    ["ended", ["ended"]],
  ]);
  expect(countWaiting(queue)).toBe(2);
});

it("DESK11 among my conversations the longest wait for an answer comes first, then the newest entry", () => {
  const takenBy = { id: SAM.id, name: SAM.name };
  const queue = [
    row("answered", "taken", { takenBy, lastAt: "2026-11-21T12:01:00Z" }),
    row("late", "taken", { takenBy, unansweredSince: "2026-11-21T12:30:00Z" }),
    row("newer", "taken", { takenBy, lastAt: "2026-11-21T12:50:00Z" }),
    // The same instant as 11:00 UTC.
    row("early", "taken", { takenBy, unansweredSince: "2026-11-21T13:00:00+02:00" }),
  ];
  const [mine] = groupQueue(queue, SAM.id);
  expect(mine?.rows.map(({ id }) => id)).toEqual(["early", "late", "newer", "answered"]);
});

it("DESK11 an unseen conversation is unread if it waits or is mine, not if a colleague or the agent answers it", () => {
  const unseen = { customerSeq: 4, seenSeq: 3 };
  const takenBy = { id: SAM.id, name: SAM.name };
  const unread = (state: "waiting" | "taken" | "agent" | "ended", more = {}) =>
    isUnread(row("a", state, { ...unseen, ...more }), SAM.id);
  expect([unread("waiting"), unread("taken", { takenBy })]).toEqual([true, true]);
  expect([unread("taken", { takenBy: MIRA }), unread("agent"), unread("ended")]).toEqual([
    false,
    false,
    false,
  ]);
  expect(unread("waiting", { seenSeq: 4 })).toBe(false);
});

it("a colleague with the same name is still a colleague", () => {
  const [mine, , , others] = groupQueue(
    [row("a", "taken", { takenBy: { id: "usr_2", name: SAM.name } })],
    SAM.id,
  );
  expect([mine?.rows.length, others?.rows.length]).toEqual([0, 1]);
});

it("DESK22 a decision is this person's unless a colleague has the conversation", () => {
  const decision = { seq: 9, since: "2026-11-21T12:40:00Z" };
  const mine = row("mine", "taken", { takenBy: { id: SAM.id, name: SAM.name }, decision });
  const queue = [
    mine,
    row("theirs", "taken", { takenBy: MIRA, decision }),
    row("free", "agent", { decision }),
  ];
  expect(queue.map((each) => needsDecision(each, SAM.id))).toEqual([true, false, true]);
  expect(countNeeding(queue, SAM.id)).toBe(2);
});
