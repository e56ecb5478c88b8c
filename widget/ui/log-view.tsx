import { type ReadonlySignal, useComputed } from "@preact/signals";
import { useEffect, useLayoutEffect, useMemo } from "preact/hooks";
import type { AskedAction } from "../../shared/action.ts";
import type { Mark } from "../../shared/conversation.ts";
import { authorOf } from "../app/author-name.ts";
import type { Chat } from "../app/chat.ts";
import type { Environment } from "../app/environment.ts";
import type { Pending } from "../app/log-state.ts";
import type { Part } from "../app/part.ts";
import type { Texts } from "../app/texts.ts";
import { type Calendar, createCalendar } from "../client/calendar.ts";
import { createRows, type Row, type Section } from "../client/log-rows.ts";
import { ActionRow } from "./action-row.tsx";
import { useDrawnSections } from "./drawn-sections.tsx";
import type { ExtrasPart } from "./extras.ts";
import { useFollow } from "./follow.ts";
import { createChoosing } from "./kinds/choosing.ts";
import logStyles from "./log.module.css";
import { LogFrame } from "./log-frame.tsx";
import { DownIcon } from "./log-icons.tsx";
import { onLogKey } from "./log-keys.ts";
import { isUnseen, newestOf, useNews } from "./log-news.ts";
import messageStyles from "./message.module.css";
import { Dots, MessageGroup } from "./message-group.tsx";
import { createMinute } from "./minute.ts";
import { useFocusKept } from "./use-focus-kept.ts";
import { useKeptSaid } from "./use-kept-said.ts";

export interface LogViewProps {
  readonly chat: Chat;
  readonly texts: Texts;
  readonly locale: string | undefined;
  readonly environment: Pick<Environment, "now" | "setTimer">;
  /** Draws files and asks for a rating. */
  readonly extras: Part<ExtrasPart>;
  /** The focus has to leave the log, or lost what it was on: it goes to the composer. */
  readonly onFocusLost: () => void;
}

/** What has a place in the log beside the messages. */
type PanelEntry = Mark | AskedAction;

/** The transcript. What a message does not change stands here; the messages draw themselves, in `Rows`. */
export function LogView(props: LogViewProps) {
  const { chat, texts, extras, onFocusLost } = props;
  const follow = useFollow((content) => newestOf(content, isUnseen(chat)));
  const { place, toEnd, show, content } = follow;
  const { firstNew, hasNews, conversationId } = useNews(chat, place);
  const isOpen = chat.isOpen.value;
  useLayoutEffect(() => {
    const divider = isOpen && content.current?.querySelector("[data-new]");
    if (divider) show(divider);
    else toEnd();
  }, [isOpen, conversationId, content, show, toEnd]);
  useKeptSaid(chat);
  useFocusKept(onFocusLost);
  return (
    <LogFrame
      texts={texts}
      features={chat.session.features.value}
      scroller={{
        ref: follow.scroller,
        onScroll: follow.onScroll,
        onKeyDown: (event) => onLogKey(event, onFocusLost),
      }}
      content={{ ref: content }}
      over={
        place.value !== "end" && (
          <ToNewest
            hasNews={hasNews.value}
            texts={texts}
            onPress={() => {
              toEnd();
              follow.scroller.current?.focus();
            }}
          />
        )
      }
    >
      <Rows {...props} firstNew={firstNew} toEnd={toEnd} />
      <Typing chat={chat} texts={texts} />
      <Rating chat={chat} texts={texts} extras={extras} />
    </LogFrame>
  );
}

/** The messages, and what separates them. */
function Rows(props: LogViewProps & { firstNew: ReadonlySignal<number | undefined>; toEnd: () => void }) {
  const { chat, texts, locale, environment, extras, onFocusLost, firstNew, toEnd } = props;
  const { now } = environment;
  const today = new Date(now()).toDateString();
  // Another day has other words for the same days.
  const calendar = useMemo(() => today && createCalendar(locale, now), [locale, now, today]) as Calendar;
  const minute = useMemo(() => createMinute(environment), [environment]);
  const parts = usePartsOf(chat);
  const makeRows = useMemo(
    () => createRows<PanelEntry, Pending>(calendar.dayOf, { role: "customer" }),
    [calendar],
  );
  const sections = useComputed(() =>
    makeRows({
      messages: parts.messages.value,
      entries: parts.entries.value,
      pending: parts.pending.value,
      answerIds: parts.answerIds.value,
      firstNew: firstNew.value,
    }),
  ).value;
  const own = newestOwnOf(sections);
  const choosing = useMemo(() => createChoosing(chat, onFocusLost), [chat, onFocusLost]);
  useLayoutEffect(toEnd, [own?.key]);

  const draw = useDrawnSections<PanelEntry, Pending>([calendar, texts], (row, newest, keep) =>
    row.kind === "entry" && "actionId" in row.entry ? (
      <ActionRow key={row.key} action={row.entry} chat={chat} texts={texts} onFocusLost={onFocusLost} />
    ) : row.kind === "group" ? (
      <MessageGroup
        key={row.key}
        group={row}
        keep={keep}
        texts={texts}
        extras={extras}
        choosing={choosing}
        answer={parts.answer}
        seenUpTo={parts.seenUpTo}
        calendar={calendar}
        minute={minute}
        newestOwn={newest}
        onRetry={(key) => {
          chat.outbox.retry(key);
          onFocusLost();
        }}
        onDiscard={(key) => {
          chat.outbox.discard(key);
          onFocusLost();
        }}
      />
    ) : (
      <Separator key={row.key} row={row} texts={texts} calendar={calendar} />
    ),
  );
  return (
    <>
      {sections.map((section, index) =>
        draw(section, section === own?.section ? own.key : undefined, index === sections.length - 1),
      )}
    </>
  );
}

/** Once it is over, how it was. */
function Rating({ chat, texts, extras }: Pick<LogViewProps, "chat" | "texts" | "extras">) {
  const isEnded = chat.conversation.current.value?.status === "ended";
  useEffect(() => {
    if (isEnded) extras.want();
  }, [isEnded, extras]);
  const more = extras.it.value;
  return isEnded && more ? <more.Rating texts={texts} /> : null;
}

/** Leads to the end; it says so in words when there is something new. */
function ToNewest({ hasNews, texts, onPress }: { hasNews: boolean; texts: Texts; onPress: () => void }) {
  return (
    <button
      type="button"
      class={hasNews ? logStyles.news : `${logStyles.news} ${logStyles.newsQuiet}`}
      aria-label={hasNews ? undefined : texts.toNewest}
      onClick={onPress}
    >
      <DownIcon />
      {hasNews && texts.newMessages}
    </button>
  );
}

/** The parts of the log's state, each waking its readers only when it changed itself. */
function usePartsOf(chat: Chat) {
  const { log } = chat.conversation;
  const answer = useComputed(() => log.value.answer);
  const answerId = useComputed(() => answer.value?.messageId);
  const marks = useComputed(() => log.value.marks);
  const actions = useComputed(() => log.value.actions);
  return {
    messages: useComputed(() => log.value.messages),
    entries: useComputed((): readonly PanelEntry[] =>
      [...marks.value, ...actions.value].sort((a, b) => a.seq - b.seq),
    ),
    pending: useComputed(() => log.value.pending),
    answer,
    seenUpTo: useComputed(() => chat.conversation.current.value?.read?.human ?? 0),
    answerIds: useComputed(() => (answerId.value === undefined ? [] : [answerId.value])),
  };
}

/** The customer's newest message, and the section that it stands in. */
function newestOwnOf(sections: readonly Section<PanelEntry, Pending>[]) {
  for (let at = sections.length - 1; at >= 0; at -= 1) {
    const section = sections[at];
    const group = section?.rows.findLast((row) => row.kind === "group" && row.role === "customer");
    if (section && group?.kind === "group") return { section, key: group.items.at(-1)?.key };
  }
  return undefined;
}

/** A day, a turn of the conversation, or where the new begins. */
function Separator(props: {
  row: Exclude<Row<PanelEntry, Pending>, { kind: "group" }>;
  texts: Texts;
  calendar: Calendar;
}) {
  const { row, texts, calendar } = props;
  const words =
    row.kind === "day"
      ? calendar.dayName(row.at)
      : row.kind === "new"
        ? texts.firstNew
        : "type" in row.entry && markText(row.entry, texts);
  return (
    <p class={logStyles[row.kind === "entry" ? "mark" : row.kind]} data-new={row.kind === "new" || undefined}>
      <span dir="auto">{words}</span>
    </p>
  );
}

function Typing({ chat, texts }: { chat: Chat; texts: Texts }) {
  const typing: ReadonlySignal<{ label: string; role: string } | null> = useComputed(() => {
    const who = chat.conversation.log.value.typing;
    return who && { label: texts.isTyping(authorOf(texts, who.role, who.name)), role: who.role };
  });
  if (!typing.value) return null;
  return (
    <div class={`${logStyles.group} ${logStyles.typing}`} data-role={typing.value.role}>
      <div class={messageStyles.message}>
        <div class={messageStyles.bubble}>
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
