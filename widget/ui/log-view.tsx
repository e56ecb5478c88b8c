import { type ReadonlySignal, useComputed, useSignal, useSignalEffect } from "@preact/signals";
import type { VNode } from "preact";
import { useEffect, useLayoutEffect, useMemo, useRef } from "preact/hooks";
import type { Chat } from "../app/chat.ts";
import type { Mark } from "../app/log-state.ts";
import type { Texts } from "../app/texts.ts";
import { ActionRow } from "./action-row.tsx";
import { type Calendar, createCalendar } from "./calendar.ts";
import { DownIcon } from "./icons.tsx";
import { LogFrame } from "./log-frame.tsx";
import { type Row, rowsOf } from "./log-rows.ts";
import { Dots, MessageGroup } from "./message-group.tsx";
import { useStayAtEnd } from "./stay-at-end.ts";
import { authorOf } from "./who-answers.ts";

export interface LogViewProps {
  readonly chat: Chat;
  readonly texts: Texts;
  readonly locale: string;
  readonly now: () => number;
  /** A button that the customer pressed is gone from under the focus: it goes to the composer. */
  readonly onFocusLost: () => void;
}

/** The transcript. */
export function LogView({ chat, texts, locale, now, onFocusLost }: LogViewProps) {
  const end = useStayAtEnd();
  const hasNews = useSignal(false);
  const calendar = useMemo(() => createCalendar(locale, now), [locale, now]);
  const parts = usePartsOf(chat);
  const before = useRef<readonly Row[]>([]);
  const rows = useComputed(() => {
    const log = {
      messages: parts.messages.value,
      marks: parts.marks.value,
      actions: parts.actions.value,
      pending: parts.pending.value,
    };
    const next = rowsOf(log, parts.answerId.value, (at) => calendar.dayOf(at), before.current);
    before.current = next;
    return next;
  });
  const newestOwn = newestOwnKey(rows.value);

  useSignalEffect(() => {
    if (end.isAtEnd.value) hasNews.value = false;
  });
  useEffect(
    () =>
      chat.subscribe((happening) => {
        const isNews = happening.type === "message.received" || happening.type === "action.requested";
        if (isNews && !end.isAtEnd.peek()) hasNews.value = true;
      }),
    [chat, end.isAtEnd, hasNews],
  );
  const isOpen = chat.isOpen.value;
  // Own words, and opening the panel, lead to the end.
  useLayoutEffect(end.toEnd, [newestOwn, isOpen]);

  const drawn = useDrawnRows(calendar, texts, (row, newest) =>
    row.kind === "action" ? (
      <ActionRow key={row.key} action={row.action} chat={chat} texts={texts} onFocusLost={onFocusLost} />
    ) : row.kind === "group" ? (
      <MessageGroup
        key={row.key}
        group={row}
        texts={texts}
        answer={parts.answer}
        timeOf={calendar.timeOf}
        newestOwn={newest}
        onRetry={(key) => {
          chat.retry(key);
          onFocusLost();
        }}
        onDiscard={(key) => {
          chat.discard(key);
          onFocusLost();
        }}
      />
    ) : (
      <p class={row.kind} key={row.key}>
        <span dir="auto">{row.kind === "day" ? calendar.dayName(row.at) : markText(row.mark, texts)}</span>
      </p>
    ),
  );
  return (
    <LogFrame
      texts={texts}
      carries={chat.carries.value}
      scroller={{ ref: end.scroller, onScroll: end.onScroll }}
      content={{ ref: end.content }}
      over={
        hasNews.value && (
          <button
            type="button"
            class="news"
            onClick={() => {
              end.toEnd();
              end.scroller.current?.focus();
            }}
          >
            <DownIcon />
            {texts.newMessages}
          </button>
        )
      }
    >
      {rows.value.map((row) => drawn(row, newestOwn))}
      <Typing chat={chat} texts={texts} />
    </LogFrame>
  );
}

/**
 * Draws each row once: the same element, given again, tells Preact to leave that part of the page alone. A row is drawn
 * anew when it changed, when it holds, or held, the customer's newest message, and in another language.
 */
function useDrawnRows(
  calendar: Calendar,
  texts: Texts,
  draw: (row: Row, newestOwn: string | undefined) => VNode,
) {
  const known = useMemo(
    () => new WeakMap<Row, { newest: string | undefined; drawn: VNode }>(),
    [calendar, texts],
  );
  return (row: Row, newestOwn: string | undefined): VNode => {
    const isIn = row.kind === "group" && row.items.some((item) => item.key === newestOwn);
    const newest = isIn ? newestOwn : undefined;
    const old = known.get(row);
    if (old && old.newest === newest) return old.drawn;
    const drawn = draw(row, newest);
    known.set(row, { newest, drawn });
    return drawn;
  };
}

/** The parts of the log's state, each waking its readers only when it changed itself. */
function usePartsOf(chat: Chat) {
  const answer = useComputed(() => chat.log.value.answer);
  return {
    messages: useComputed(() => chat.log.value.messages),
    marks: useComputed(() => chat.log.value.marks),
    actions: useComputed(() => chat.log.value.actions),
    pending: useComputed(() => chat.log.value.pending),
    answer,
    answerId: useComputed(() => answer.value?.messageId),
  };
}

function newestOwnKey(rows: readonly Row[]): string | undefined {
  const group = rows.findLast((row) => row.kind === "group" && row.role === "customer");
  return group?.kind === "group" ? group.items.at(-1)?.key : undefined;
}

function Typing({ chat, texts }: { chat: Chat; texts: Texts }) {
  const typing: ReadonlySignal<{ label: string; role: string } | null> = useComputed(() => {
    const who = chat.log.value.typing;
    return who && { label: texts.isTyping(authorOf(texts, who.role, who.name)), role: who.role };
  });
  if (!typing.value) return null;
  return (
    <div class="group" data-role={typing.value.role}>
      <div class="message">
        <div class="bubble">
          <Dots label={typing.value.label} />
        </div>
      </div>
    </div>
  );
}

function markText(mark: Mark, texts: Texts): string {
  switch (mark.type) {
    case "handoff.requested":
      return texts.markRequested;
    case "handoff.accepted":
      return mark.name ? texts.markAcceptedBy(mark.name) : texts.markAccepted;
    case "handoff.returned":
      return texts.markReturned;
    case "handoff.failed":
      return texts.markFailed;
    case "conversation.ended":
      return texts.markEnded;
  }
}
