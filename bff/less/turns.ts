import type { Outgoing, SentMessage } from "../../shared/api/conversation.ts";
import { Failure } from "../../shared/errors.ts";
import type { Sent } from "../../shared/operation.ts";
import { type Clock, isRecent, pause, within } from "../../shared/server/clock.ts";
import { errorFacts, type Log } from "../../shared/server/log.ts";
import { createOneAtATime } from "../../shared/server/one-at-a-time.ts";
import { TURN_STREAM } from "../../shared/v1/limits.ts";
import { NDJSON, sendTurn } from "../../shared/v1/turns.ts";
import { type Locks, RETRY_MS, type Release } from "../store/locks.ts";
import type { Store } from "../store/store.ts";
import type { ReadEvent } from "../upstream/event-source.ts";
import { isOurFault, meaningOf } from "../upstream/failure.ts";
import type { UpstreamAnswer } from "../upstream/transport.ts";
import { readTurnEvents } from "../upstream/turn-stream.ts";
import { type Verified, verify, verifyTaken } from "../upstream/verified.ts";
import { type AgentAnswer, createAgentAnswer } from "./agent-answer.ts";
import { type Feeds, type LogName, messageOf } from "./feeds.ts";

/** How long a customer waits for the confirmation of their message. The turn continues after it. */
const WAIT_MS = 8000;

export interface TurnRequest {
  readonly log: LogName;
  readonly outgoing: Outgoing;
  readonly sent: Sent<typeof sendTurn>;
  readonly open: (signal: AbortSignal) => Promise<UpstreamAnswer>;
}

export type Turns = ReturnType<typeof createTurns>;

interface Turn {
  readonly outgoing: Outgoing;
  readonly taken: Promise<SentMessage>;
  readonly over: Promise<void>;
  readonly abort: () => void;
}

export interface TurnsDeps {
  readonly feeds: Feeds;
  readonly store: Store;
  readonly locks: Locks;
  readonly clock: Clock;
  readonly log: Log;
  readonly readEvent: ReadEvent;
  readonly waitMs?: number | undefined;
}

/** How long `stop` waits for a turn of another process. */
const BREAK_OFF_MS = 5000;

/** The running turns. Each is read to its end even when the browser leaves, so that the log has the answer. */
export function createTurns(deps: TurnsDeps) {
  const { feeds, store, locks, clock, waitMs = WAIT_MS } = deps;
  const running = new Map<string, Turn>();
  const oneAtATime = createOneAtATime();
  let isClosed = false;

  function begin(request: TurnRequest, release: Release): Turn {
    const { log, outgoing } = request;
    const limit = new AbortController();
    const taken = Promise.withResolvers<SentMessage>();
    const work = runTurn(deps, request, limit, taken);
    // A waiting caller gets the failure; without one it was logged.
    taken.promise.catch(() => undefined);
    const over = work.finally(() => running.delete(log)).then(release);
    const turn = { outgoing, taken: taken.promise, over, abort: () => limit.abort() };
    running.set(log, turn);
    return turn;
  }

  /**
   * The turn that runs in this process, started for this message if needed; the message itself, if the log has it;
   * undefined while another process runs a turn.
   */
  async function enter(request: TurnRequest): Promise<Turn | SentMessage | undefined> {
    const { log, outgoing } = request;
    const turn = running.get(log);
    if (turn) return turn;
    if (isClosed) throw new Failure("unavailable", { retryAfter: 5 });
    const release = await locks.lease(`turn:${log}`, 0);
    if (!release) return undefined;
    let begun: Turn | undefined;
    try {
      const message = await feeds.find(log, outgoing.clientMessageId);
      if (!message) begun = begin(request, release);
      else requireSame(message, outgoing);
      return begun ?? message;
    } finally {
      if (!begun) await release();
    }
  }

  store.subscribe("turn", (log) => running.get(log)?.abort());

  return {
    /**
     * Sends a customer's message, one at a time per conversation. A message that the log has is not sent again.
     * @throws Failure not_confirmed, support_timeout (the turn continues, and the log gets its result), in_flight,
     * key_reused, and what `open` throws
     */
    async send(request: TurnRequest): Promise<SentMessage> {
      const { log, outgoing } = request;
      const since = clock.now();
      const left = () => Math.min(waitMs, since + waitMs - clock.now());
      for (;;) {
        const met = await oneAtATime(log, () => enter(request));
        if (met && "role" in met) return met;
        if (!met) {
          if (!isRecent(clock, since, waitMs)) throw inFlight();
          await pause(clock, RETRY_MS);
        } else if (met.outgoing.clientMessageId === outgoing.clientMessageId) {
          requireSame(met.outgoing, outgoing);
          return within(clock, left(), met.taken, new Failure("support_timeout"));
        } else {
          await within(clock, left(), met.over, inFlight());
        }
      }
    },
    /** Ends the turn of one conversation, if one runs, and resolves when its end is in the log. */
    async stop(log: LogName): Promise<void> {
      const turn = running.get(log);
      if (turn) {
        turn.abort();
        return turn.over;
      }
      store.publish({ topic: "turn", text: log });
      const release = await locks.lease(`turn:${log}`, BREAK_OFF_MS);
      await release?.();
    },
    /** Ends all turns, stores their text so far as incomplete, and accepts no more. */
    async close(): Promise<void> {
      isClosed = true;
      const turns = [...running.values()];
      for (const turn of turns) turn.abort();
      await Promise.all(turns.map(({ over }) => over));
    },
  };
}

function inFlight(): Failure {
  return new Failure("in_flight", { retryAfter: 5 });
}

/** @throws Failure key_reused where a known message has another text */
export function requireSame(known: { readonly body: string }, outgoing: Outgoing): void {
  if (known.body !== outgoing.body) throw new Failure("key_reused");
}

/** Runs one turn to its end. Never rejects; `taken` rejects if the message was not accepted. */
async function runTurn(
  deps: TurnsDeps,
  request: TurnRequest,
  limit: AbortController,
  taken: PromiseWithResolvers<SentMessage>,
): Promise<void> {
  const { feeds, clock, log, readEvent } = deps;
  const { sent } = request;
  const abort = () => limit.abort();
  const cancelWhole = clock.after(TURN_STREAM.totalMs, abort);
  let cancelSilence = clock.after(TURN_STREAM.firstMs, abort);
  const isAlive = () => {
    cancelSilence();
    cancelSilence = clock.after(TURN_STREAM.silenceMs, abort);
  };
  let answer: AgentAnswer | undefined;
  let isWhole = false;
  try {
    const known = (await feeds.read(request.log)).length;
    const stream = await request.open(limit.signal);
    if (stream.mediaType !== NDJSON) {
      const { status, mediaType } = stream;
      const bytes = await stream.read(sendTurn.limits.answerBytes);
      await noteTaken(feeds, request, verify(sendTurn, sent, { status, mediaType, bytes }), known, taken);
      return;
    }
    for await (const event of readTurnEvents(stream.body, sent.params.id, readEvent)) {
      isAlive();
      const proof = verifyTaken(event, sent);
      if (proof && !answer) {
        const customerSeq = await noteTaken(feeds, request, proof, known, taken);
        answer = createAgentAnswer({ feeds, log: request.log, proof, customerSeq });
      }
      await answer?.take(event);
    }
    if (!answer) throw new Failure("not_confirmed", { cause: "a turn's stream without a sign" });
    isWhole = true;
  } catch (error) {
    const failure = meaningOf(error, { isLate: limit.signal.aborted, isAnswered: true });
    const code = failure instanceof Failure ? failure.code : "internal";
    log.warn({ code, taken: answer !== undefined }, "a turn broke off");
    // The request may be answered already, and then nobody else logs it.
    if (isOurFault(error)) log.error(errorFacts(error), "unexpected error");
    taken.reject(failure);
  } finally {
    cancelWhole();
    cancelSilence();
    limit.abort();
    await answer?.finish(isWhole).catch((error: unknown) => {
      log.error(errorFacts(error), "a turn's end could not be stored");
    });
    feeds.endWriting(request.log);
  }
}

/** Stores the message that the service took, and answers who waits for it. */
async function noteTaken(
  feeds: Feeds,
  { log, outgoing }: TurnRequest,
  proof: Verified<unknown>,
  known: number,
  taken: PromiseWithResolvers<SentMessage>,
): Promise<number> {
  const message = messageOf(outgoing);
  const [entry] = await feeds.append(log, proof, [{ type: "message.created", message }], known);
  if (!entry) throw new Failure("internal");
  const { seq, at } = entry;
  taken.resolve({ ...message, seq, at });
  return seq;
}
