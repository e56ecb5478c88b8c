import { type ReadonlySignal, useComputed } from "@preact/signals";
import { useLayoutEffect, useMemo } from "preact/hooks";
import type { Chat } from "../../app/chat.ts";
import { feedbackOf } from "../../app/feedback.ts";
import type { Pending } from "../../app/log-state.ts";
import { createCalendar } from "../../client/calendar.ts";
import { createRows, type Section } from "../../client/rows.ts";
import type { Follow } from "../../elements/follow.ts";
import { createMinute } from "../minute.ts";
import { usePanel } from "../panel-context.ts";
import { ActionRow } from "./action-row.tsx";
import { createChoosing } from "./choosing.ts";
import { useDrawnSections } from "./drawn-sections.tsx";
import { LogContext } from "./log-context.ts";
import { MessageGroup } from "./message-group.tsx";
import { type PanelEntry, Separator } from "./separator.tsx";
import { useStablePlace } from "./use-earlier.ts";

interface LogRowsProps {
  readonly firstNew: ReadonlySignal<number | undefined>;
  readonly follow: Follow;
  /** Loads earlier messages when the reader comes near the top. */
  readonly loadEarlier: () => void;
}

/** The messages, and the separators between them. */
export function LogRows({ firstNew, follow, loadEarlier }: LogRowsProps) {
  const { chat, texts, locale, environment, focusComposer } = usePanel();
  const { now } = environment;
  const today = new Date(now()).toDateString();
  // "Today" and "Yesterday" change at midnight.
  const calendar = useMemo(() => ({ ...createCalendar(locale, now), today }), [locale, now, today]);
  const { answer, seenUpTo, ...parts } = usePartsOf(chat);
  const log = useMemo(
    () => ({
      calendar,
      minute: createMinute(environment),
      answer,
      seenUpTo,
      choosing: createChoosing(chat, focusComposer),
      feedback: feedbackOf(chat),
    }),
    [calendar, environment, answer, seenUpTo, chat, focusComposer],
  );
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
  const first = parts.messages.value[0]?.seq;
  useStablePlace({ first, own: own?.key }, follow);
  const isOpen = chat.isOpen.value;
  useLayoutEffect(loadEarlier, [loadEarlier, first, isOpen]);

  const draw = useDrawnSections<PanelEntry, Pending>([calendar, texts], (row, newest, keep) => {
    if (row.kind === "group")
      return <MessageGroup key={row.key} group={row} keep={keep} newestOwn={newest} />;
    if (row.kind === "entry" && "actionId" in row.entry)
      return <ActionRow key={row.key} action={row.entry} />;
    return <Separator key={row.key} row={row} />;
  });
  return (
    <LogContext.Provider value={log}>
      {sections.map((section, index) =>
        draw(section, section === own?.section ? own.key : undefined, index === sections.length - 1),
      )}
    </LogContext.Provider>
  );
}

/** The parts of the log's state, as signals that change only when their part does. */
function usePartsOf(chat: Chat) {
  const { log, current } = chat.conversation;
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
    seenUpTo: useComputed(() => current.value?.read?.human ?? 0),
    answerIds: useComputed(() => (answerId.value === undefined ? [] : [answerId.value])),
  };
}

/** The customer's newest message, and the section that contains it. */
function newestOwnOf(sections: readonly Section<PanelEntry, Pending>[]) {
  for (let at = sections.length - 1; at >= 0; at -= 1) {
    const section = sections[at];
    const group = section?.rows.findLast((row) => row.kind === "group" && row.role === "customer");
    if (section && group?.kind === "group") return { section, key: group.items.at(-1)?.key };
  }
  return undefined;
}
