import type { DeskSummary } from "../../shared/desk.ts";

export type QueueGroupName = "waiting" | "mine" | "others" | "agent" | "ended";

export interface QueueGroup {
  readonly name: QueueGroupName;
  readonly rows: readonly DeskSummary[];
}

/**
 * The order in which people work: the longest wait for a person first, then my conversations, then those of others and of
 * the agent. In a taken conversation the customer who waits longest for an answer comes first.
 */
export function groupQueue(queue: readonly DeskSummary[], me: string): readonly QueueGroup[] {
  const groups: Record<QueueGroupName, DeskSummary[]> = {
    waiting: [],
    mine: [],
    others: [],
    agent: [],
    ended: [],
  };
  for (const row of queue) groups[groupOf(row, me)].push(row);
  groups.waiting.sort((a, b) => timeOf(a.waitingSince ?? a.lastAt) - timeOf(b.waitingSince ?? b.lastAt));
  for (const name of ["mine", "others", "agent", "ended"] as const) groups[name].sort(byWaitForAnswer);
  return (["waiting", "mine", "others", "agent", "ended"] as const).map((name) => ({
    name,
    rows: groups[name],
  }));
}

function groupOf(row: DeskSummary, me: string): QueueGroupName {
  if (row.state === "taken") return row.takenBy?.id === me ? "mine" : "others";
  return row.state;
}

function byWaitForAnswer(a: DeskSummary, b: DeskSummary): number {
  const [first, second] = [a.unansweredSince, b.unansweredSince];
  if (first !== undefined && second !== undefined) return timeOf(first) - timeOf(second);
  if (first === undefined && second === undefined) return timeOf(b.lastAt) - timeOf(a.lastAt);
  return first === undefined ? 1 : -1;
}

// Times carry an offset, so they can't be sorted as text.
function timeOf(instant: string): number {
  return Date.parse(instant);
}

/** Whether this person answers the conversation. */
export function isMine(row: DeskSummary, me: string): boolean {
  return groupOf(row, me) === "mine";
}

/** Whether the customer wrote something that this person should read and has not seen. */
export function isUnread(row: DeskSummary, me: string): boolean {
  const group = groupOf(row, me);
  return (group === "waiting" || group === "mine") && row.customerSeq > row.seenSeq;
}

/** How many conversations need this person: who waits for anybody, and who wrote to them. */
export function countNeeding(queue: readonly DeskSummary[], me: string): number {
  return queue.filter((row) => row.state === "waiting" || isUnread(row, me)).length;
}

/** How many customers are waiting for a person. */
export function countWaiting(queue: readonly DeskSummary[]): number {
  return queue.filter((row) => row.state === "waiting").length;
}
