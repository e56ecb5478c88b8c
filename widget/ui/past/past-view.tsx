import "../../elements/dialog.css";
import { useEffect, useMemo, useRef } from "preact/hooks";
import { authorOf } from "../../app/author-name.ts";
import type { Past } from "../../app/past-client.ts";
import type { Pages, PastModel } from "../../app/past-model.ts";
import type { StoredFilesModel } from "../../app/stored-files.ts";
import type { Texts } from "../../app/texts.ts";
import { createCalendar } from "../../client/calendar.ts";
import buttonStyles from "../../elements/button.module.css";
import { isComposing } from "../../elements/is-composing.ts";
import { LiveRegions } from "../../elements/live-regions.tsx";
import { usePanel } from "../panel-context.ts";
import { PagesFoot } from "./past-foot.tsx";
import { PastSearch } from "./past-search.tsx";
import { PastTranscript } from "./past-transcript.tsx";
import styles from "./past-view.module.css";

/** The customer's own conversations over the whole panel, or one of them to read and to continue. */
export function PastView({
  past,
  stored,
}: {
  readonly past: PastModel;
  /** Files of the conversation that is read. */
  readonly stored: StoredFilesModel;
}) {
  const { texts, announcer } = usePanel();
  const listed = past.conversations.value;
  const chosen = past.chosen.value;
  const isOpen = listed !== undefined;
  const dialog = useRef<HTMLDialogElement>(null);
  /** The conversation that was read last: the focus returns to it. */
  const left = useRef<string>(undefined);
  useEffect(() => {
    // The browser makes everything else inert, and returns the focus at the end.
    if (isOpen && dialog.current?.open === false) dialog.current.showModal();
    if (!isOpen) left.current = undefined;
  }, [isOpen]);
  if (!listed) return null;
  if (chosen) left.current = chosen.reference;
  const goBack = () => {
    if (past.asksToEnd.value) past.keepCurrent();
    else if (chosen) past.leave();
    else past.close();
  };
  return (
    <dialog
      ref={dialog}
      aria-label={texts.past}
      onCancel={(event) => {
        event.preventDefault();
        goBack();
      }}
      // Chromium lets `cancel` be prevented only once after a press in the page; then Back closes the dialog.
      onClose={past.close}
      onKeyDown={(event) => {
        if (event.key !== "Escape" || isComposing(event)) return;
        // Otherwise the panel would close too.
        event.stopPropagation();
        event.preventDefault();
        goBack();
      }}
    >
      <button type="button" class={`${buttonStyles.quiet} ${styles.back}`} onClick={goBack}>
        <span class={styles.arrow} aria-hidden="true" />
        {chosen ? texts.past : texts.log}
      </button>
      {chosen ? (
        <PastTranscript key={chosen.reference} past={past} chosen={chosen} stored={stored} />
      ) : (
        <List past={past} listed={listed} left={left.current} />
      )}
      <LiveRegions said={announcer.said} />
    </dialog>
  );
}

function List(props: { past: PastModel; listed: Pages<Past>; left: string | undefined }) {
  const { past, listed, left } = props;
  const { chat, texts, locale, environment } = usePanel();
  const calendar = useMemo(() => createCalendar(locale, environment.now), [locale, environment]);
  const back = useRef<HTMLButtonElement>(null);
  useEffect(() => back.current?.focus(), []);
  return (
    <div class={styles.scroller}>
      <h2>{texts.past}</h2>
      {chat.session.features.value.search && past.hasMany.value && <PastSearch past={past} />}
      <ul class={styles.list}>
        {listed.items.map((item) => (
          <li key={item.reference}>
            <button
              type="button"
              ref={item.reference === left ? back : null}
              aria-current={item.isCurrent || undefined}
              onClick={() => (item.isCurrent ? past.close() : past.choose(item))}
            >
              <bdi class={styles.words}>{item.firstWords ?? texts.log}</bdi>
              {item.excerpt && item.excerpt !== item.firstWords && (
                <bdi class={styles.excerpt}>{item.excerpt}</bdi>
              )}
              <span class={styles.facts}>
                <time dateTime={item.startedAt}>{calendar.shortMomentOf(item.startedAt)}</time>
                {item.answeredBy && <bdi>{authorOf(texts, item.answeredBy.role, item.answeredBy.name)}</bdi>}
                {item.status === "ended" && <span>{endOf(item, texts)}</span>}
              </span>
            </button>
          </li>
        ))}
      </ul>
      <PagesFoot
        pages={listed}
        onMore={past.loadList}
        nothing={past.searched.value ? texts.nothingFound : undefined}
      />
    </div>
  );
}

/** How it ended, as far as the service says. */
function endOf({ ended }: Past, texts: Texts): string {
  switch (ended?.by) {
    case "customer":
      return texts.endedByYou;
    case "human":
      return texts.endedByTeam;
    case "system":
      return texts.endedBySystem;
    default:
      return texts.markEnded;
  }
}
