import type { DurableEvent, ServiceEvent } from "../../shared/event.ts";
import type { Message } from "../../shared/message.ts";
import type { Clock } from "../../shared/server/clock.ts";
import { errorFacts, type Log } from "../../shared/server/log.ts";
import type { Hub } from "../live/hub.ts";
import type { OpenTarget } from "../store/handoffs.ts";
import type { Store } from "../store/store.ts";
import type { HandoffAdapter, Outbound } from "./adapter.ts";

const SEND_MS = 15_000;
const FIRST_RETRY_MS = 1000;
const MAX_RETRY_MS = 5 * 60 * 1000;

type SummarySent = Extract<DurableEvent, { type: "summary.sent" }>;

/** Sends what customers write to the targets that have their conversations. */
export interface Relay {
  /** Follows the open hand-offs that an earlier process left. Call it once, at the start. */
  start(): Promise<void>;
  /** Follows one hand-off until it ends. `isNew`: no message has been sent to the target yet. */
  follow(target: OpenTarget, isNew: boolean): void;
  /** Resolves when no message is being sent or queued. */
  settled(): Promise<void>;
  close(): void;
}

const CLOSES: ReadonlySet<ServiceEvent["type"]> = new Set([
  "handoff.returned",
  "handoff.failed",
  "conversation.ended",
]);

/**
 * The log is the outbox: what the customer wrote after the hand-off began is sent in order, one message at a time.
 * After a failure, and after a start, the target is asked what it has, and only the rest is sent.
 */
export function createRelay(deps: {
  readonly store: Pick<Store, "handoffs" | "desk">;
  readonly hub: Hub;
  readonly adapters: readonly HandoffAdapter[];
  readonly clock: Clock;
  readonly log: Log;
}): Relay {
  const { store, hub, clock, log } = deps;
  const outboundOf = (adapter: string) => deps.adapters.find(({ id }) => id === adapter)?.outbound;
  const working = new Set<Promise<void>>();
  /** The conversations whose new messages are sent. */
  const followed = new Set<string>();
  /** Unsubscribes from each of these, and from each that is being closed. */
  const subscriptions = new Set<() => void>();
  const closing = new AbortController();

  const follow: Relay["follow"] = (target, isNew) => {
    const outbound = outboundOf(target.adapter);
    const { conversationId } = target;
    if (!outbound || followed.has(conversationId)) return;
    followed.add(conversationId);
    const isErased = async () => (await store.desk.readDeskSummary(target)) === undefined;
    const sender = createSender({
      target,
      outbound,
      isNew,
      clock,
      log,
      closing: closing.signal,
      isErased,
      onErased: () => erased(),
    });
    const run = (work: Promise<void>) => {
      const done: Promise<void> = work.finally(() => void working.delete(done));
      working.add(done);
    };
    let isOpen = true;
    const close = () => {
      if (!isOpen) return;
      isOpen = false;
      followed.delete(conversationId);
      run(sender.close().finally(leave));
    };
    const erased = () => {
      sender.drop();
      close();
    };
    const stop = hub.subscribe(conversationId, ({ event }) => {
      // Also after the end, while messages are still queued.
      if (event.type === "conversation.erased") return erased();
      if (!isOpen) return;
      const message = customerMessageIn(event);
      if (message) run(sender.send(async () => [message]));
      if (CLOSES.has(event.type)) close();
    });
    const leave = () => {
      stop();
      subscriptions.delete(leave);
    };
    subscriptions.add(leave);
    // Also for a new one: a message, or the end, may have been stored before this process subscribed.
    const readStored = async () => {
      if (!(await store.handoffs.findByTarget(target.adapter, target.ref))?.isOpen) close();
      return readCustomerMessages(store, target);
    };
    run(sender.send(readStored));
  };
  return {
    async start() {
      for (const { id, outbound } of deps.adapters) {
        if (!outbound) continue;
        for (const target of await store.handoffs.listOpenTargets(id)) follow(target, false);
      }
    },
    follow,
    async settled() {
      while (working.size > 0) await Promise.all(working);
    },
    close() {
      for (const leave of subscriptions) leave();
      closing.abort();
    },
  };
}

/** The part of an event that a target gets; undefined if the customer did not write it. */
function customerMessageIn(event: ServiceEvent): Message | undefined {
  if (event.type === "message.created") return event.message.role === "customer" ? event.message : undefined;
  return event.type === "summary.sent" ? summaryMessage(event) : undefined;
}

function summaryMessage({ seq, at, summary }: SummarySent): Message {
  const body = summary.sentences.map(({ text }) => text).join("\n");
  return { id: `summary-${summary.handoffId}`, seq, at, role: "customer", body };
}

/** The messages of one customer since the hand-off began, oldest first. */
async function readCustomerMessages(store: Pick<Store, "desk">, target: OpenTarget): Promise<Message[]> {
  const { events = [], messages = [] } = (await store.desk.readDeskConversation(target)) ?? {};
  const begun = events.findLast(({ type }) => type === "handoff.requested")?.seq ?? 0;
  const summaries = events.flatMap((event) => (event.type === "summary.sent" ? summaryMessage(event) : []));
  return [...messages.filter(({ role }) => role === "customer"), ...summaries]
    .filter(({ seq }) => seq > begun)
    .toSorted((a, b) => a.seq - b.seq);
}

/** Sends to one target, one message after another. */
function createSender(deps: {
  readonly target: OpenTarget;
  readonly outbound: Outbound;
  readonly isNew: boolean;
  readonly clock: Clock;
  readonly log: Log;
  /** Aborts when the process stops. */
  readonly closing: AbortSignal;
  /** Asks the store, because the event of an erasure by another process comes seconds later. */
  readonly isErased: () => Promise<boolean>;
  readonly onErased: () => void;
}) {
  const { target, outbound, clock, log, closing } = deps;
  const facts = { adapter: target.adapter, conversationId: target.conversationId };
  const dropped = new AbortController();
  const sending = AbortSignal.any([closing, dropped.signal]);
  const has = new Set<string>();
  let isInDoubt = !deps.isNew;
  let turn: Promise<void> = Promise.resolve();

  const limited = async <T>(signal: AbortSignal, ask: (signal: AbortSignal) => Promise<T>): Promise<T> => {
    const late = new AbortController();
    const reason = new DOMException("The target did not answer in time.", "TimeoutError");
    const cancel = clock.after(SEND_MS, () => late.abort(reason));
    try {
      return await ask(AbortSignal.any([signal, late.signal]));
    } finally {
      cancel();
    }
  };
  const inTurn = (work: () => Promise<void>): Promise<void> => {
    turn = turn.then(work).catch((error: unknown) => {
      if (!closing.aborted) log.warn({ ...facts, ...errorFacts(error) }, "a handoff target failed");
    });
    return turn;
  };
  const sendMissing = async (messages: readonly Message[]): Promise<void> => {
    if (isInDoubt) {
      const present = await limited(sending, (signal) => outbound.readBack(target.ref, signal));
      for (const id of present) has.add(id);
    }
    isInDoubt = true;
    for (const message of messages) {
      if (has.has(message.id)) continue;
      if (await deps.isErased()) return deps.onErased();
      await limited(sending, (signal) => outbound.send(target.ref, message, signal));
      has.add(message.id);
    }
    isInDoubt = false;
  };
  const send = async (read: () => Promise<readonly Message[]>): Promise<void> => {
    for (let wait = FIRST_RETRY_MS; !sending.aborted; wait = Math.min(wait * 2, MAX_RETRY_MS)) {
      try {
        return await sendMissing(await read());
      } catch (error) {
        log.warn({ ...facts, ...errorFacts(error) }, "a handoff target has not confirmed a message");
        await pauseUntil(sending, clock, wait);
      }
    }
  };
  return {
    send: (read: () => Promise<readonly Message[]>) => inTurn(() => send(read)),
    close: () => inTurn(() => limited(closing, (signal) => outbound.close(target.ref, signal))),
    /** Sends nothing more: what waits was erased. */
    drop: () => dropped.abort(),
  };
}

function pauseUntil(signal: AbortSignal, clock: Clock, ms: number): Promise<void> {
  return new Promise((resolve) => {
    const cancel = clock.after(ms, resolve);
    signal.addEventListener(
      "abort",
      () => {
        cancel();
        resolve();
      },
      { once: true },
    );
  });
}
