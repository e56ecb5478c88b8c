import { signal } from "@preact/signals";
import { Failure } from "../../shared/errors.ts";
import type { Message } from "../../shared/message.ts";
import type { DeskClient } from "./desk-client.ts";

/** A reply that the log does not hold yet. It leaves this list when the service says so, or when its writer removes it. */
export interface Outgoing {
  readonly conversationId: string;
  readonly clientMessageId: string;
  readonly body: string;
  /** When it was written, in milliseconds of this machine's clock; shown, never used for order. */
  readonly at: number;
  readonly status: "sending" | "not_confirmed";
  /** Why it is in doubt. */
  readonly failure?: Failure;
}

export interface OutboxDeps {
  readonly reply: DeskClient["reply"];
  readonly newId: () => string;
  readonly now: () => number;
  readonly onConfirmed: (conversationId: string, message: Message) => void;
  readonly onNotConfirmed: (conversationId: string, failure: Failure) => void;
}

export type Outbox = ReturnType<typeof createOutbox>;

/**
 * Replies on their way. One conversation's replies go one after the other, so that the customer reads them in the
 * order in which they were written; a Retry uses the first try's id, so that it cannot arrive twice.
 */
export function createOutbox(deps: OutboxDeps) {
  const replies = signal<readonly Outgoing[]>([]);
  const queues = new Map<string, Promise<void>>();

  function update(clientMessageId: string, change: Pick<Outgoing, "status" | "failure">): void {
    replies.value = replies.value.map((reply) => {
      if (reply.clientMessageId !== clientMessageId) return reply;
      const { failure: _, ...rest } = reply;
      return { ...rest, ...change };
    });
  }

  function drop(clientMessageId: string): void {
    replies.value = replies.value.filter((reply) => reply.clientMessageId !== clientMessageId);
  }

  async function deliver({ conversationId, clientMessageId, body }: Outgoing): Promise<void> {
    // The log may have confirmed it while it waited.
    if (!replies.value.some((reply) => reply.clientMessageId === clientMessageId)) return;
    try {
      const message = await deps.reply(conversationId, { clientMessageId, body });
      drop(clientMessageId);
      deps.onConfirmed(conversationId, message);
    } catch (cause) {
      const failure = cause instanceof Failure ? cause : new Failure("internal", { cause });
      if (!replies.value.some((reply) => reply.clientMessageId === clientMessageId)) return;
      update(clientMessageId, { status: "not_confirmed", failure });
      deps.onNotConfirmed(conversationId, failure);
    }
  }

  function enqueue(reply: Outgoing): Promise<void> {
    const before = queues.get(reply.conversationId) ?? Promise.resolve();
    const after = before.then(() => deliver(reply));
    queues.set(reply.conversationId, after);
    return after;
  }

  return {
    replies,
    /** Shows the reply as being sent and sends it. Settles when its fate is shown; never rejects. */
    send(conversationId: string, body: string): Promise<void> {
      const reply: Outgoing = {
        conversationId,
        clientMessageId: deps.newId(),
        body,
        at: deps.now(),
        status: "sending",
      };
      replies.value = [...replies.value, reply];
      return enqueue(reply);
    },
    /** Sends a reply that was not confirmed once more, under the same id. */
    retry(clientMessageId: string): Promise<void> {
      const reply = replies.value.find((each) => each.clientMessageId === clientMessageId);
      if (reply?.status !== "not_confirmed") return Promise.resolve();
      update(clientMessageId, { status: "sending" });
      return enqueue(reply);
    },
    /** Takes a reply that was not confirmed out of view. It takes nothing back: the service may have it. */
    remove(clientMessageId: string): void {
      const reply = replies.value.find((each) => each.clientMessageId === clientMessageId);
      if (reply?.status === "not_confirmed") drop(clientMessageId);
    },
    /** The log holds these messages: whatever waited for them is confirmed. */
    settle(messages: readonly Message[]): void {
      // Only a person's message can be a reply: a customer picks ids too.
      const replied = messages.filter((message) => message.role === "human");
      const seen = new Set(replied.map((message) => message.clientMessageId));
      if (!replies.value.some((reply) => seen.has(reply.clientMessageId))) return;
      replies.value = replies.value.filter((reply) => !seen.has(reply.clientMessageId));
    },
    clear(): void {
      replies.value = [];
    },
  };
}
