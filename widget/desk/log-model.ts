import { computed, createModel, type ReadonlySignal } from "@preact/signals";
import type { DurableEvent } from "../../shared/event.ts";
import { createRows, type LogEntry } from "../client/rows.ts";
import type { BoardStore } from "./board-store.ts";
import { isOfLinked } from "./people.ts";
import type { Reply } from "./reply.ts";

type Logged = Exclude<DurableEvent, { type: "message.created" | "conversation.started" }>;

/** An entry of the desk's log that is not a message. `proof`: the site has verified the customer from this place on. */
export type DeskEntry = Logged | (LogEntry & { readonly type: "proof" });

export interface LogModelDeps {
  readonly store: BoardStore;
  readonly replies: ReadonlySignal<readonly Reply[]>;
  readonly senderName: () => string | undefined;
}

export type LogModel = InstanceType<typeof LogModel>;

/**
 * The open conversation as rows. Each part notifies its readers only when it changed itself: a piece of an answer
 * changes only that answer's text.
 */
export const LogModel = createModel(({ store, replies, senderName }: LogModelDeps) => {
  const opened = computed(() => store.state.value.opened);
  const id = computed(() => opened.value?.id);
  const messages = computed(() => opened.value?.messages ?? NONE);
  const events = computed(() => opened.value?.events ?? NONE);
  const notes = computed(() => opened.value?.notes ?? NONE);
  const linked = computed(() => opened.value?.linked);
  /** The first message that the customer wrote after the site identified them. */
  const firstLinked = computed(() =>
    messages.value.find((message) => isOfLinked({ linked: linked.value }, message)),
  );
  const entries = computed((): readonly DeskEntry[] => {
    const logged = events.value.filter(isShown);
    const first = firstLinked.value;
    if (!first) return logged;
    const proof = { type: "proof" as const, seq: first.seq - 0.5, at: first.at };
    return [...logged, proof].sort((a, b) => a.seq - b.seq);
  });
  const pending = keepSame(() => replies.value.filter(({ conversationId }) => conversationId === id.value));
  const answers = computed(() => store.state.value.answers[id.value ?? ""]);
  const answerIds = keepSame(() => Object.keys(answers.value ?? {}));
  const makeRows = computed(() => {
    // Another conversation has its own rows.
    void id.value;
    const name = senderName();
    return createRows<DeskEntry, Reply>((at) => new Date(at).toDateString(), {
      role: "human",
      ...(name ? { name } : {}),
    });
  });
  return {
    opened,
    rows: computed(() =>
      makeRows
        .value({
          messages: messages.value,
          entries: entries.value,
          pending: pending.value,
          answerIds: answerIds.value,
        })
        .flatMap((section) => section.rows),
    ),
    /** The notes on the answers beside their text. */
    notes,
    /** The customer's feedback on the answers, by the message's id. */
    feedback: computed(() => new Map(messages.value.map(({ id, feedback }) => [id, feedback]))),
    /** How many replies of the open conversation are unconfirmed. */
    pendingCount: computed(() => pending.value.length),
    /** The text so far of each answer in progress in the open conversation, by message id. */
    answers: answers as ReadonlySignal<Readonly<Record<string, string>> | undefined>,
    /** Whether the customer of the open conversation is typing. */
    isTyping: computed(() => store.state.value.typing.has(id.value ?? "")),
  };
});

const NONE: readonly never[] = [];

function isShown(event: DurableEvent): event is Logged {
  return event.type !== "message.created" && event.type !== "conversation.started";
}

/** A computed list that stays the same object while its items do not change. */
function keepSame<T>(list: () => readonly T[]): ReadonlySignal<readonly T[]> {
  let known: readonly T[] = [];
  return computed(() => {
    const next = list();
    if (next.length !== known.length || next.some((item, at) => item !== known[at])) known = next;
    return known;
  });
}
