// @vitest-environment node
import { describe, expect, it } from "vitest";
import type { DurableEvent, LiveEvent } from "../../shared/event.ts";
import type { Handoff } from "../../shared/handoff.ts";
import { applyEvent, applyStreamLost } from "./apply-event.ts";
import { applyConversation, applyEnd, applyHandoff, applyMessage } from "./apply-own.ts";
import { applySnapshot, EMPTY_LOG, type LogState } from "./log-state.ts";
import { AT, agentMessage, customerMessage, EPOCH } from "./testing/scripted-bff.ts";

const open: LogState = applyConversation(EMPTY_LOG, { id: "c1", status: "open", epoch: EPOCH });
const handoff = (status: Handoff["status"], id = "h1"): Handoff => ({ id, status });
const created = (seq: number, body = `text ${seq}`): DurableEvent => ({
  type: "message.created",
  seq,
  at: AT,
  message: agentMessage(seq, body),
});
const own = (seq: number, key: string): DurableEvent => ({
  type: "message.created",
  seq,
  at: AT,
  message: customerMessage(seq, key, "mine"),
});
const handed = (seq: number, status: Handoff["status"], human?: string): DurableEvent => ({
  type: `handoff.${status}`,
  seq,
  at: AT,
  handoff: { ...handoff(status), ...(human ? { human: { name: human } } : {}) },
});
const ended: DurableEvent = { type: "conversation.ended", seq: 9, at: AT, by: "human" };
const delta = (messageId: string, text: string): LiveEvent => ({
  type: "response.delta",
  messageId,
  delta: text,
});
const play = (events: readonly (DurableEvent | LiveEvent)[], from = open) => events.reduce(applyEvent, from);
/** The state with one more message that waits for its confirmation. */
const waitingIn = (state: LogState, clientMessageId: string, body: string): LogState => ({
  ...state,
  pending: [...state.pending, { clientMessageId, body, status: "sending" }],
});
const seqs = (state: LogState) => state.messages.map((message) => message.seq);

describe("the log's entries", () => {
  const log = [
    { type: "conversation.started", seq: 1, at: AT } as const,
    own(2, "k1"),
    created(3),
    handed(4, "requested"),
    handed(5, "accepted", "Mira"),
    created(6),
    handed(7, "returned"),
    created(8),
    ended,
  ];

  it("are in the order of their seq, whatever the order of arrival", () => {
    const expected = play(log);
    expect(seqs(expected)).toEqual([2, 3, 6, 8]);
    const orders = [[...log].reverse(), log.toSorted((a, b) => (a.seq % 3) - (b.seq % 3))];
    for (const order of orders) expect(play(order)).toEqual(expected);
  });

  it("MSG1 are in the order of their seq, whatever the clocks say", () => {
    const late = { ...agentMessage(3, "second"), at: "1999-01-01T00:00:00Z" };
    const state = play([created(2), { type: "message.created", seq: 3, at: late.at, message: late }]);
    expect(seqs(state)).toEqual([2, 3]);
  });

  it("MSG3 change nothing when they arrive again: the same state object is returned", () => {
    const state = play(log);
    for (const event of log) expect(applyEvent(state, event)).toBe(state);
  });

  it("an entry's position in the log is its seq", () => {
    const state = play([
      created(5),
      { type: "message.created", seq: 4, at: AT, message: agentMessage(99, "x") },
    ]);
    expect(seqs(state)).toEqual([4, 5]);
  });

  it("the stream continues after the highest seq that was handled", () => {
    expect(play([created(7), created(3)]).lastSeq).toBe(7);
  });
});

describe("a message of the customer's own", () => {
  it("TRUTH2 never vanishes once confirmed, even if another message has its seq", () => {
    const held = applyMessage(open, customerMessage(2, "k1", "mine"));
    const other = { ...customerMessage(2, "k2", "mine too"), id: "elsewhere" };
    expect(applyMessage(held, other).messages.map(({ clientMessageId }) => clientMessageId)).toEqual([
      "k1",
      "k2",
    ]);
  });

  it("MSG3 is replaced by its key", () => {
    const sending = waitingIn(open, "k1", "mine");
    const state = applyEvent(sending, own(2, "k1"));
    expect(state.pending).toEqual([]);
    expect(seqs(state)).toEqual([2]);
  });

  it("is never replaced by its text: two equal texts are two messages", () => {
    const twice = waitingIn(waitingIn(open, "k1", "mine"), "k2", "mine");
    const state = applyEvent(twice, own(2, "k2"));
    expect(state.pending.map((pending) => pending.clientMessageId)).toEqual(["k1"]);
  });

  it("is shown once, whether the event or the answer to the POST arrives first", () => {
    const sending = waitingIn(open, "k1", "mine");
    const answer = customerMessage(2, "k1", "mine");
    expect(seqs(applyEvent(applyMessage(sending, answer), own(2, "k1")))).toEqual([2]);
    expect(seqs(applyMessage(applyEvent(sending, own(2, "k1")), answer))).toEqual([2]);
  });

  it("an answer to a POST does not move the position where the stream continues", () => {
    const state = applyMessage(open, customerMessage(5, "k1", "mine"));
    expect(state.lastSeq).toBe(0);
    expect(seqs(applyEvent(state, created(4)))).toEqual([4, 5]);
  });

  it("is removed from the unconfirmed messages even if the log had it already", () => {
    const known = applyEvent(open, own(2, "k1"));
    const again = waitingIn(known, "k1", "mine");
    expect(applyMessage(again, customerMessage(2, "k1", "mine")).pending).toEqual([]);
  });
});

describe("an answer in progress", () => {
  it("grows by its pieces and is replaced by the finished message with its id", () => {
    const state = play([delta("m3", "Hel"), delta("m3", "lo")]);
    expect(state.answer).toEqual({ messageId: "m3", text: "Hello", broken: false });
    expect(applyEvent(state, created(3, "Hello.")).answer).toBeNull();
  });

  it("stays when another message is finished", () => {
    expect(play([delta("m3", "Hel"), own(2, "k1"), created(8)]).answer?.text).toBe("Hel");
  });

  it("a piece that arrives after the finished message changes nothing", () => {
    const state = play([created(3)]);
    expect(applyEvent(state, delta("m3", "x"))).toBe(state);
    expect(applyEvent(state, { type: "response.snapshot", messageId: "m3", text: "x" })).toBe(state);
  });

  it("is replaced by another answer", () => {
    expect(play([delta("m3", "old"), delta("m4", "new")]).answer?.text).toBe("new");
  });

  it("pieces after a lost stream are not appended to earlier ones; the whole text replaces them", () => {
    const lost = applyStreamLost(play([delta("m3", "Hel")]));
    expect(lost.answer?.broken).toBe(true);
    expect(applyEvent(lost, delta("m3", "world"))).toBe(lost);
    const whole = applyEvent(lost, { type: "response.snapshot", messageId: "m3", text: "Hello wor" });
    expect(whole.answer).toEqual({ messageId: "m3", text: "Hello wor", broken: false });
    expect(applyStreamLost(lost)).toBe(lost);
  });

  it("TRUTH5 without text it disappears with the stream, because nobody is known to be writing", () => {
    const blank = play([{ type: "response.snapshot", messageId: "m3", text: "" }]);
    expect(blank.answer).not.toBeNull();
    expect(applyStreamLost(blank).answer).toBeNull();
  });

  it("disappears when broken and the service sends anything else instead", () => {
    expect(applyEvent(applyStreamLost(play([delta("m3", "Hel")])), created(4)).answer).toBeNull();
  });
});

describe("typing", () => {
  it("shows only the other side's typing, until it stops, writes or the stream is lost", () => {
    const started = play([{ type: "typing.started", role: "human", name: "Mira" }]);
    expect(started.typing).toEqual({ role: "human", name: "Mira" });
    expect(applyEvent(open, { type: "typing.started", role: "customer" })).toBe(open);
    expect(applyEvent(started, { type: "typing.stopped", role: "agent" })).toBe(started);
    expect(applyEvent(started, { type: "typing.stopped", role: "human" }).typing).toBeNull();
    expect(applyEvent(started, created(2)).typing).toBeNull();
    expect(applyEvent(started, own(2, "k1")).typing).not.toBeNull();
    expect(applyStreamLost(started).typing).toBeNull();
    expect(play([{ type: "typing.started", role: "agent" }]).typing).toEqual({ role: "agent" });
  });
});

describe("a hand-off", () => {
  it("follows the newest entry, whatever arrives late", () => {
    const state = play([handed(5, "accepted", "Mira"), handed(4, "requested")]);
    expect(state.conversation?.handoff).toEqual({ id: "h1", status: "accepted", human: { name: "Mira" } });
    expect(state.marks.map((mark) => mark.seq)).toEqual([4, 5]);
  });

  it("a verified answer about a hand-off that an event already reported changes nothing", () => {
    const state = play([handed(5, "accepted", "Mira")]);
    expect(applyHandoff(state, handoff("requested"))).toBe(state);
    expect(applyHandoff(state, handoff("requested", "h2")).conversation?.handoff?.status).toBe("requested");
    expect(applyHandoff(EMPTY_LOG, handoff("requested"))).toBe(EMPTY_LOG);
  });

  it("is impossible without a conversation", () => {
    expect(applyEvent(EMPTY_LOG, handed(4, "failed")).conversation).toBeNull();
  });
});

describe("the end, and the next conversation", () => {
  it("an ended conversation keeps its log until the next one starts", () => {
    const state = play([own(2, "k1"), ended]);
    expect(state.conversation?.status).toBe("ended");
    expect(seqs(applySnapshot(state, null))).toEqual([2]);
    const next = applyConversation(waitingIn(state, "k9", "again"), {
      id: "c2",
      status: "open",
      epoch: EPOCH,
    });
    expect(next).toEqual({
      ...EMPTY_LOG,
      conversation: { id: "c2", status: "open", epoch: EPOCH },
      pending: [{ clientMessageId: "k9", body: "again", status: "sending" }],
    });
    expect(applyEnd(EMPTY_LOG)).toBe(EMPTY_LOG);
  });

  it("a snapshot replaces the log and keeps what only this screen knows", () => {
    const before = waitingIn(
      waitingIn(play([handed(4, "requested"), delta("m8", "x")]), "k1", "a"),
      "k2",
      "b",
    );
    const snapshot = {
      id: "c1",
      status: "open",
      epoch: "e2",
      lastSeq: 6,
      messages: [agentMessage(5, "two"), customerMessage(2, "k1", "a")],
    } as const;
    const state = applySnapshot(before, { ...snapshot, messages: [...snapshot.messages] });
    expect(seqs(state)).toEqual([2, 5]);
    expect(state.pending.map((pending) => pending.clientMessageId)).toEqual(["k2"]);
    expect(state.marks).toHaveLength(1);
    expect(state.answer).toBeNull();
    expect(applySnapshot(state, { ...snapshot, id: "c7", messages: [] }).marks).toEqual([]);
  });

  describe("OPS4 a message that was confirmed and that the service no longer has", () => {
    const before = waitingIn(play([own(2, "k2"), created(3), own(4, "k4")]), "k5", "new");
    const doubts = (state: LogState) =>
      state.pending.map(({ clientMessageId, status }) => `${clientMessageId} ${status}`);
    const restored = { id: "c1", status: "open", epoch: "e2", lastSeq: 2 } as const;

    it("is in doubt after a restore, with its text; the others stay confirmed", () => {
      const state = applySnapshot(before, { ...restored, messages: [customerMessage(2, "k2", "mine")] });
      expect(doubts(state)).toEqual(["k4 not_confirmed", "k5 sending"]);
      expect(state.pending[0]).toMatchObject({ body: "mine", code: "not_confirmed" });
      expect(seqs(state)).toEqual([2]);
      // The stream, or the answer to a Retry, confirms it again.
      expect(doubts(applyEvent(state, own(3, "k4")))).toEqual(["k5 sending"]);
    });

    it("is confirmed where the page begins after it, or names it by its id only", () => {
      const page = { ...restored, lastSeq: 6, messages: [agentMessage(5, "five")], nextBefore: 5 };
      expect(doubts(applySnapshot(before, page))).toEqual(["k5 sending"]);
      const { clientMessageId: _, ...without } = customerMessage(4, "k4", "mine");
      const messages = [customerMessage(2, "k2", "mine"), without];
      expect(doubts(applySnapshot(before, { ...restored, messages }))).toEqual(["k5 sending"]);
    });

    it("is in doubt where the whole conversation is lost, but not where it was erased", () => {
      expect(doubts(applySnapshot(before, null, true))).toEqual([
        "k2 not_confirmed",
        "k4 not_confirmed",
        "k5 sending",
      ]);
      expect(doubts(applySnapshot(before, null))).toEqual(["k5 sending"]);
    });
  });

  it("HAND3 a snapshot's entries replace this screen's, and an event that it contains adds none", () => {
    const mark = { seq: 3, at: AT, type: "handoff.requested" } as const;
    const snapshot = {
      id: "c1",
      status: "open",
      epoch: EPOCH,
      lastSeq: 4,
      messages: [],
      marks: [mark],
    } as const;
    const state = applySnapshot(play([handed(4, "requested")]), { ...snapshot, messages: [], marks: [mark] });
    expect(state.marks).toEqual([mark]);
    expect(play([handed(3, "requested")], state).marks).toEqual([mark]);
  });

  it("no conversation at the service means none here, and unconfirmed messages stay", () => {
    const state = applySnapshot(waitingIn(play([created(2)]), "k1", "a"), null);
    expect(state.conversation).toBeNull();
    expect(state.pending).toHaveLength(1);
  });
});
