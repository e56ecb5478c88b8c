import type { DeskSummary } from "../../shared/desk.ts";

/** In the order in which people work. */
const NAMES = ["mine", "decision", "waiting", "others", "agent", "ended"] as const;

export type QueueGroupName = (typeof NAMES)[number];

export interface QueueGroup {
  readonly name: QueueGroupName;
  readonly rows: readonly DeskSummary[];
}

/**
 * The order in which people work: my conversations, which stay within sight however many customers wait, the agent's
 * that need a decision, the longest wait for a person, then those of others and of the agent. In a taken conversation
 * the customer who waits longest for an answer comes first.
 */
export function groupQueue(queue: readonly DeskSummary[], me: string): readonly QueueGroup[] {
  return NAMES.map((name) => {
    const rows = queue.filter((row) => groupOf(row, me) === name);
    return { name, rows: rows.sort(name === "waiting" ? byWaitForPerson : byWaitForAnswer) };
  });
}

function groupOf(row: DeskSummary, me: string): QueueGroupName {
  if (row.state === "taken") return row.takenBy?.id === me ? "mine" : "others";
  return row.state === "agent" && row.decision ? "decision" : row.state;
}

function byWaitForPerson(a: DeskSummary, b: DeskSummary): number {
  return timeOf(a.waitingSince ?? a.lastAt) - timeOf(b.waitingSince ?? b.lastAt);
}

function byWaitForAnswer(a: DeskSummary, b: DeskSummary): number {
  const [first, second] = [a, b].map((row) => row.unansweredSince ?? row.decision?.since);
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

/** Whether the agent waits for this person to allow an action: in their conversation, or in one that nobody has. */
export function needsDecision(row: DeskSummary, me: string): boolean {
  return row.decision !== undefined && groupOf(row, me) !== "others";
}

/** How many conversations need this person: who waits for anybody, who wrote to them, and where they decide. */
export function countNeeding(queue: readonly DeskSummary[], me: string): number {
  return queue.filter((row) => row.state === "waiting" || isUnread(row, me) || needsDecision(row, me)).length;
}

/** How many customers are waiting for a person. */
export function countWaiting(queue: readonly DeskSummary[]): number {
  return queue.filter((row) => row.state === "waiting").length;
}
