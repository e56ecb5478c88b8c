import type {
  AnswerNote,
  DeskConversation,
  DeskEvent,
  DeskState,
  DeskSummary,
  TeamFacts,
} from "../../shared/desk.ts";
import type { DurableEvent } from "../../shared/event.ts";
import type { Message } from "../../shared/message.ts";
import { applyLive, finishAnswer } from "./apply-live-event.ts";
import type { Board } from "./board.ts";

/** The events without a seq that change what a reading of the conversation returns. */
const UNORDERED: ReadonlySet<string> = new Set(["contact.changed", "conversation.read", "feedback.changed"]);

type ConversationEvent = Extract<DeskEvent, { type: "conversation.event" }>["event"];

/** The board after one event of the stream. Returns the same object if the event changes nothing. */
export function applyDeskEvent(board: Board, event: DeskEvent): Board {
  if (event.type === "queue.changed") return applyRow(board, event.conversation);
  if (event.type === "answer.noted") return applyNote(board, event.conversationId, event.note);
  const { conversationId, event: inner } = event;
  return isDurable(inner)
    ? applyDurable(board, conversationId, inner)
    : applyLive(board, conversationId, inner);
}

/**
 * Whether the open conversation has to be read again: a previous event was missed, a handoff event does not say whose
 * account has it now, or its customer has signed in meanwhile.
 */
export function needsRead(board: Board, event: DeskEvent): boolean {
  if (event.type === "queue.changed") {
    const { id, linked } = event.conversation;
    return id === board.opened?.id && linked !== undefined && board.opened.linked === undefined;
  }
  if (event.type === "answer.noted" || event.conversationId !== board.opened?.id) return false;
  const inner = event.event;
  if (!isDurable(inner) || inner.seq <= board.opened.lastSeq) return false;
  return inner.seq > board.opened.lastSeq + 1 || inner.type.startsWith("handoff.");
}

/** The conversation of which the event changes something that has no seq, so that a reading can't be merged with it. */
export function changedWithoutSeq(board: Board, event: DeskEvent): string | undefined {
  if (event.type === "queue.changed") {
    const { id, lastSeq } = event.conversation;
    const known = board.queue.find((row) => row.id === id);
    const isOfEvent = known !== undefined && known.lastSeq < lastSeq;
    // The open conversation has this event of the log already, and `applyRead` merges by its seq.
    const isKnown = board.opened?.id === id && board.opened.lastSeq >= lastSeq;
    return isOfEvent && isKnown ? undefined : id;
  }
  if (event.type === "answer.noted") return undefined;
  return UNORDERED.has(event.event.type) ? event.conversationId : undefined;
}

/** A queue read from the service. For rows that the stream changed or removed meanwhile, the stream is right. */
export function applyQueue(board: Board, fresh: readonly DeskSummary[], changed: ReadonlySet<string>): Board {
  const known = new Map(board.queue.map((row) => [row.id, row]));
  const kept = fresh.filter(({ id }) => known.has(id) || !changed.has(id));
  const rows = kept.map((row) => {
    const mine = known.get(row.id);
    return withSeen(mine && changed.has(row.id) && mine.lastSeq >= row.lastSeq ? mine : row, mine);
  });
  const ids = new Set(fresh.map((row) => row.id));
  const added = board.queue.filter((row) => changed.has(row.id) && !ids.has(row.id));
  return { ...board, queue: [...added, ...rows] };
}

/** Adds the rows of another page. A row that is there already is at least as new. */
export function addRows(board: Board, page: readonly DeskSummary[]): Board {
  const ids = new Set(board.queue.map((row) => row.id));
  return { ...board, queue: [...board.queue, ...page.filter((row) => !ids.has(row.id))] };
}

/** A conversation read from the service, merged by seq with what the stream delivered during the reading. */
export function applyRead(board: Board, fresh: DeskConversation): Board {
  const mine = board.opened?.id === fresh.id ? board.opened : undefined;
  const newer = mine && mine.lastSeq > fresh.lastSeq ? mine : fresh;
  return {
    ...board,
    opened: {
      ...withSeen(newer, mine),
      messages: mergeBySeq(mine?.messages ?? [], fresh.messages),
      events: mergeBySeq(mine?.events ?? [], fresh.events ?? []),
      notes: mergeBySeq(mine?.notes ?? [], fresh.notes ?? []),
    },
  };
}

/**
 * A message that the service confirmed in its answer. It does not move `lastSeq`, because earlier events may be on
 * their way.
 */
export function applyMessage(board: Board, conversationId: string, message: Message): Board {
  const opened = board.opened;
  if (opened?.id !== conversationId) return board;
  return { ...board, opened: { ...opened, messages: mergeBySeq(opened.messages, [message]) } };
}

/** The service confirmed that this person has seen the conversation up to `seq`. */
export function applySeen(board: Board, conversationId: string, seenSeq: number): Board {
  const { opened } = board;
  return {
    ...board,
    queue: board.queue.map((row) => (row.id === conversationId ? withSeen(row, { seenSeq }) : row)),
    opened: opened?.id === conversationId ? withSeen(opened, { seenSeq }) : opened,
  };
}

/** The service confirmed what the team typed about this conversation's customer. */
export function applyTeamFacts(board: Board, conversationId: string, team: TeamFacts): Board {
  const { opened } = board;
  return {
    ...board,
    queue: board.queue.map((row) =>
      row.id === conversationId ? { ...row, customer: { ...row.customer, team } } : row,
    ),
    opened: opened?.id === conversationId ? { ...opened, customer: { ...opened.customer, team } } : opened,
  };
}

/** The change of an action of this desk, once the service confirmed it; the log's own event follows on the stream. */
export function applyAction(
  board: Board,
  conversationId: string,
  state: DeskState,
  takenBy?: DeskConversation["takenBy"],
): Board {
  const queue = board.queue.map((row) =>
    row.id === conversationId ? withHolder({ ...row, state }, takenBy) : row,
  );
  const opened = board.opened;
  if (opened?.id !== conversationId) return { ...board, queue };
  const status = state === "ended" ? "ended" : opened.status;
  return { ...board, queue, opened: withHolder({ ...opened, state, status }, takenBy) };
}

function isDurable(event: ConversationEvent): event is DurableEvent {
  return "seq" in event;
}

function applyNote(board: Board, conversationId: string, note: AnswerNote): Board {
  const { opened } = board;
  if (opened?.id !== conversationId) return board;
  return { ...board, opened: { ...opened, notes: mergeBySeq(opened.notes ?? [], [note]) } };
}

function applyRow(board: Board, given: DeskSummary): Board {
  const known = board.queue.find((each) => each.id === given.id);
  if (known && known.lastSeq > given.lastSeq) return board;
  const row = withSeen(given, known);
  const queue = known ? board.queue.map((each) => (each.id === row.id ? row : each)) : [row, ...board.queue];
  const opened = board.opened;
  if (opened?.id !== row.id || row.lastSeq < opened.lastSeq) return { ...board, queue };
  const status = row.state === "ended" ? "ended" : opened.status;
  const next = withWho(opened, row);
  return { ...board, queue, opened: withHolder({ ...next, status, state: row.state }, row.takenBy) };
}

function applyDurable(board: Board, conversationId: string, event: DurableEvent): Board {
  const next = event.type === "message.created" ? finishAnswer(board, conversationId, event.message) : board;
  const opened = next.opened;
  if (opened?.id !== conversationId || event.seq <= opened.lastSeq) return next;
  const lastSeq = event.seq;
  if (event.type === "message.created") {
    return {
      ...next,
      opened: { ...opened, lastSeq, messages: mergeBySeq(opened.messages, [event.message]) },
    };
  }
  const events = mergeBySeq(opened.events ?? [], [event]);
  return { ...next, opened: applyChange({ ...opened, lastSeq, events }, event, next.queue) };
}

function applyChange(
  opened: DeskConversation,
  event: Exclude<DurableEvent, { type: "message.created" }>,
  queue: readonly DeskSummary[],
): DeskConversation {
  switch (event.type) {
    case "conversation.started":
    case "summary.sent":
    case "action.requested":
    case "action.answered":
    case "action.completed":
    case "action.failed":
    case "action.unknown":
    case "action.expired":
      return opened;
    case "conversation.ended":
      return { ...opened, status: "ended", state: "ended" };
    case "conversation.reopened":
      return withHolder({ ...opened, status: "open", state: "agent" }, undefined);
    case "conversation.rated":
      return { ...opened, rating: event.rating };
    case "handoff.requested":
      return withHolder({ ...opened, handoff: event.handoff, state: "waiting" }, undefined);
    case "handoff.accepted":
      return withHolder(
        { ...opened, handoff: event.handoff, state: "taken" },
        holderAt(event.seq, opened, queue),
      );
    case "handoff.returned":
    case "handoff.failed":
      return withHolder({ ...opened, handoff: event.handoff, state: "agent" }, undefined);
  }
}

/**
 * The person who has the conversation, if known: from this desk's own take, or from a row that is at least as recent.
 */
function holderAt(seq: number, opened: DeskConversation, queue: readonly DeskSummary[]) {
  const row = queue.find((each) => each.id === opened.id);
  return row && row.lastSeq >= seq ? row.takenBy : opened.takenBy;
}

/** The conversation with what the row says about its customer, and whether they are there. */
function withWho(known: DeskConversation, row: DeskSummary): DeskConversation {
  const { presence: _, ...opened } = known;
  const { team: __, ...customer } = opened.customer;
  return {
    ...opened,
    customer: { ...customer, ...row.customer },
    ...(row.presence ? { presence: row.presence } : {}),
  };
}

type Held = Pick<DeskConversation, "takenBy">;

/** The same conversation or row, assigned to that person or, without one, to nobody. */
function withHolder<Item extends Held>(item: Item, takenBy: Held["takenBy"]): Item {
  if (takenBy) return { ...item, takenBy };
  const free = { ...item };
  delete free.takenBy;
  return free;
}

/** A seen message stays seen, whichever answer of the service arrives last. */
function withSeen<Item extends { readonly seenSeq: number }>(
  item: Item,
  known: { readonly seenSeq: number } | undefined,
): Item {
  return known && known.seenSeq > item.seenSeq ? { ...item, seenSeq: known.seenSeq } : item;
}

/** Both lists in the order of the log, each seq once; `more` wins for the same seq. */
function mergeBySeq<Entry extends { readonly seq: number }>(
  entries: readonly Entry[],
  more: readonly Entry[],
): Entry[] {
  const bySeq = new Map<number, Entry>();
  for (const entry of [...entries, ...more]) bySeq.set(entry.seq, entry);
  return [...bySeq.values()].sort((a, b) => a.seq - b.seq);
}
