import { describe, expect, it } from "vitest";
import type { DeskEvent } from "../../shared/desk.ts";
import type { DurableEvent, LiveEvent } from "../../shared/event.ts";
import {
  applyAction,
  applyDeskEvent,
  applyMessage,
  applyQueue,
  applyRead,
  applySeen,
  needsRead,
} from "./apply-desk-event.ts";
import { dropLive } from "./apply-live-event.ts";
import { type Board, EMPTY_BOARD } from "./board.ts";
import { ANA, at, MIRA, message, rowOf, SAM, waiting } from "./testing/samples.ts";

const open: Board = { ...EMPTY_BOARD, opened: waiting(), queue: [rowOf(waiting())] };
const sam = { id: SAM.id, name: SAM.name };

function inConversation(event: DurableEvent | LiveEvent, conversationId = ANA): DeskEvent {
  return { type: "conversation.event", conversationId, event };
}

function created(seq: number, body: string, more = {}): DeskEvent {
  return inConversation({
    type: "message.created",
    seq,
    at: at(seq),
    message: message(seq, "customer", body, more),
  });
}

function accepted(seq: number, name: string): DeskEvent {
  const handoff = { id: "hnd_1", status: "accepted" as const, human: { name } };
  return inConversation({ type: "handoff.accepted", seq, at: at(seq), handoff });
}

const bodies = (board: Board) => board.opened?.messages.map(({ body }) => body);

describe("DESK11 what this person has seen", () => {
  const seenOf = (board: Board) => [board.queue[0]?.seenSeq, board.opened?.seenSeq];

  it("stays seen, whichever answer of the service comes last", () => {
    const seen = applySeen(open, ANA, 2);
    expect(seenOf(seen)).toEqual([2, 2]);
    const old = rowOf(waiting());
    expect(seenOf(applyDeskEvent(seen, { type: "queue.changed", conversation: old }))).toEqual([2, 2]);
    expect(seenOf(applyQueue(seen, [old], new Set()))).toEqual([2, 2]);
    expect(seenOf(applyRead(seen, waiting()))).toEqual([2, 2]);
  });

  it("moves with what another window of theirs has seen", () => {
    const conversation = rowOf(waiting({ seenSeq: 2 }));
    expect(applyDeskEvent(open, { type: "queue.changed", conversation }).queue[0]?.seenSeq).toBe(2);
  });
});

describe("messages", () => {
  it("appends a message and moves the position", () => {
    const next = applyDeskEvent(open, created(4, "Hello?"));
    expect(bodies(next)).toEqual(["My lamp is broken", "Hello?"]);
    expect(next.opened?.lastSeq).toBe(4);
  });

  it("ignores a seq that it has already seen, and redraws nothing", () => {
    const once = applyDeskEvent(open, created(4, "Hello?"));
    expect(applyDeskEvent(once, created(4, "Hello?"))).toBe(once);
  });

  it("orders by seq only, whatever the clocks say", () => {
    const late = applyDeskEvent(open, created(5, "second", { at: at(-500) }));
    const board = applyRead(late, waiting({ messages: [message(4, "customer", "first")], lastSeq: 4 }));
    expect(bodies(board)).toEqual(["My lamp is broken", "first", "second"]);
    expect(board.opened?.lastSeq).toBe(5);
  });

  it("a confirmed message is shown at once, and its event does not show it again", () => {
    const reply = message(5, "human", "Hi", { clientMessageId: "reply_1" });
    const confirmed = applyMessage(open, ANA, reply);
    expect(confirmed.opened?.lastSeq).toBe(3);
    const between = applyDeskEvent(confirmed, created(4, "Hello?"));
    const after = applyDeskEvent(
      between,
      inConversation({ type: "message.created", seq: 5, at: at(5), message: reply }),
    );
    expect(bodies(after)).toEqual(["My lamp is broken", "Hello?", "Hi"]);
    expect(after.opened?.lastSeq).toBe(5);
  });

  it("an event of another conversation does not change the open one", () => {
    const event = inConversation(
      { type: "message.created", seq: 4, at: at(4), message: message(4, "customer", "x") },
      "cnv_other",
    );
    expect(applyDeskEvent(open, event).opened).toBe(open.opened);
    expect(needsRead(open, event)).toBe(false);
    expect(applyMessage(open, "cnv_other", message(4, "human", "x"))).toBe(open);
  });
});

describe("gaps and hand-offs", () => {
  it("a consecutive event needs no reload; one that leaves a gap does", () => {
    expect(needsRead(open, created(4, "a"))).toBe(false);
    expect(needsRead(open, created(5, "b"))).toBe(true);
    expect(needsRead(open, created(3, "seen"))).toBe(false);
    expect(needsRead(open, accepted(4, "Mira Chen"))).toBe(true);
    expect(needsRead(EMPTY_BOARD, created(9, "c"))).toBe(false);
  });

  it("an accepted handoff event does not identify an account", () => {
    const next = applyDeskEvent(open, accepted(4, SAM.name));
    expect(next.opened?.state).toBe("taken");
    expect(next.opened?.takenBy).toBeUndefined();
    expect(next.opened?.handoff?.human?.name).toBe(SAM.name);
  });

  it("an equally recent row identifies the account, before or after the event", () => {
    const taken = rowOf(waiting({ state: "taken", takenBy: MIRA, lastSeq: 4 }));
    const row: DeskEvent = { type: "queue.changed", conversation: taken };
    expect(applyDeskEvent(applyDeskEvent(open, accepted(4, MIRA.name)), row).opened?.takenBy).toEqual(MIRA);
    expect(applyDeskEvent(applyDeskEvent(open, row), accepted(4, MIRA.name)).opened?.takenBy).toEqual(MIRA);
  });

  it("a confirmed own take stays confirmed when its event arrives", () => {
    const mine = applyAction(open, ANA, "taken", sam);
    expect(mine.queue[0]?.takenBy).toEqual(sam);
    expect(applyDeskEvent(mine, accepted(4, SAM.name)).opened?.takenBy).toEqual(sam);
  });

  it("returned, failed and requested again leave the conversation with nobody", () => {
    const mine = applyAction(open, ANA, "taken", sam);
    for (const [type, status, state] of [
      ["handoff.returned", "returned", "agent"],
      ["handoff.failed", "failed", "agent"],
      ["handoff.requested", "requested", "waiting"],
    ] as const) {
      const event = inConversation({ type, seq: 4, at: at(4), handoff: { id: "hnd_1", status } });
      const next = applyDeskEvent(mine, event);
      expect([next.opened?.state, next.opened?.takenBy]).toEqual([state, undefined]);
      expect(next.opened?.events?.at(-1)?.type).toBe(type);
    }
  });

  it("an end ends it, by the log, by a row and by an action alike", () => {
    const event = inConversation({ type: "conversation.ended", seq: 4, at: at(4), by: "customer" });
    const row: DeskEvent = {
      type: "queue.changed",
      conversation: rowOf(waiting({ state: "ended", lastSeq: 4 })),
    };
    for (const board of [
      applyDeskEvent(open, event),
      applyDeskEvent(open, row),
      applyAction(open, ANA, "ended"),
    ]) {
      expect([board.opened?.state, board.opened?.status]).toEqual(["ended", "ended"]);
    }
  });

  it("a start is an entry and changes nothing else", () => {
    const event = inConversation({ type: "conversation.started", seq: 4, at: at(4) });
    expect(applyDeskEvent(open, event).opened?.state).toBe("waiting");
  });

  it("an action on a conversation that is not open changes only its row", () => {
    const board = { ...open, opened: undefined };
    expect(applyAction(board, ANA, "agent").queue[0]?.state).toBe("agent");
  });
});

describe("the queue", () => {
  it("a row that is older than the known one changes nothing", () => {
    const row = rowOf(waiting({ state: "agent", lastSeq: 2 }));
    expect(applyDeskEvent(open, { type: "queue.changed", conversation: row })).toBe(open);
  });

  it("a row of an unknown conversation is added; a row older than the open log does not change it", () => {
    const other = rowOf(waiting({ id: "cnv_new" }));
    const joined = applyDeskEvent(open, { type: "queue.changed", conversation: other });
    expect(joined.queue.map(({ id }) => id)).toEqual(["cnv_new", ANA]);
    const ahead = { ...open, queue: [], opened: waiting({ lastSeq: 9 }) };
    const stale = rowOf(waiting({ state: "ended", lastSeq: 8 }));
    expect(applyDeskEvent(ahead, { type: "queue.changed", conversation: stale }).opened?.state).toBe(
      "waiting",
    );
  });

  it("events that arrive while the queue is read are not undone by the result", () => {
    const fresh = [rowOf(waiting({ state: "taken", takenBy: MIRA, lastSeq: 3 }))];
    const moved = {
      ...open,
      queue: [rowOf(waiting({ state: "agent", lastSeq: 4 })), rowOf(waiting({ id: "new" }))],
    };
    const kept = applyQueue(moved, fresh, new Set([ANA, "new"]));
    expect(kept.queue.map(({ id, state }) => [id, state])).toEqual([
      ["new", "waiting"],
      [ANA, "agent"],
    ]);
    // Control: without the stream's revision the result wins, and rows that it does not contain are gone.
    expect(applyQueue(moved, fresh, new Set()).queue.map(({ id, state }) => [id, state])).toEqual([
      [ANA, "taken"],
    ]);
  });
});

describe("answers in progress", () => {
  const delta = (text: string) => inConversation({ type: "response.delta", messageId: "msg_4", delta: text });

  it("pieces join, a snapshot replaces, the whole message ends them", () => {
    const joined = applyDeskEvent(applyDeskEvent(open, delta("Rub ")), delta("oil"));
    expect(joined.answers[ANA]).toEqual({ msg_4: "Rub oil" });
    const whole = applyDeskEvent(
      joined,
      inConversation({ type: "response.snapshot", messageId: "msg_4", text: "Rub oil on" }),
    );
    expect(whole.answers[ANA]).toEqual({ msg_4: "Rub oil on" });
    const done = applyDeskEvent(whole, created(4, "Rub oil on it."));
    expect(done.answers[ANA]).toEqual({});
    // A piece that arrives after its message would show the answer twice.
    expect(applyDeskEvent(done, delta("late"))).toBe(done);
  });

  it("an endless answer is cut", () => {
    const board = applyDeskEvent(open, delta("x".repeat(100_000)));
    expect(board.answers[ANA]?.["msg_4"]?.length).toBe(40_000);
  });

  it("only the customer's typing is shown, and their message ends it", () => {
    const typing = (role: "customer" | "human") => inConversation({ type: "typing.started", role });
    expect(applyDeskEvent(open, typing("human"))).toBe(open);
    const board = applyDeskEvent(open, typing("customer"));
    expect([...board.typing]).toEqual([ANA]);
    expect(applyDeskEvent(board, typing("customer"))).toBe(board);
    expect(applyDeskEvent(board, created(4, "done")).typing.size).toBe(0);
    const stop = inConversation({ type: "typing.stopped", role: "customer" });
    expect(applyDeskEvent(board, stop).typing.size).toBe(0);
    expect(applyDeskEvent(open, stop)).toBe(open);
    expect(applyDeskEvent(board, inConversation({ type: "typing.stopped", role: "agent" }))).toBe(board);
  });

  it("a lost connection drops what only the stream carried", () => {
    const board = dropLive(applyDeskEvent(open, delta("Rub ")));
    expect(board.answers).toEqual({});
    expect(board.opened).toBe(open.opened);
  });
});

describe("IDENT9 a customer who signs in", () => {
  const linked = { externalId: "ann", afterSeq: 3 };
  const changed = (more: object): DeskEvent => ({
    type: "queue.changed",
    conversation: { ...rowOf(waiting()), ...more },
  });

  it("reloads the open conversation, once; another row does not", () => {
    expect(needsRead(open, changed({ linked }))).toBe(true);
    expect(needsRead(open, changed({}))).toBe(false);
    expect(needsRead(open, changed({ linked, id: "conv_other" }))).toBe(false);
    const read = applyRead(open, { ...waiting(), linked });
    expect(needsRead(read, changed({ linked }))).toBe(false);
  });
});
