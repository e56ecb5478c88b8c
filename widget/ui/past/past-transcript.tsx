import { useEffect, useMemo, useRef } from "preact/hooks";
import type { Message } from "../../../shared/message.ts";
import { authorOf } from "../../app/author-name.ts";
import { wordsOfMessage } from "../../app/message-words.ts";
import type { Past } from "../../app/past-client.ts";
import type { PastModel } from "../../app/past-model.ts";
import type { StoredFilesModel } from "../../app/stored-files.ts";
import { createCalendar } from "../../client/calendar.ts";
import { generatedBy } from "../../client/generated-by.ts";
import { AlertIcon } from "../../elements/icons.tsx";
import { PlainText, RichText } from "../../elements/rich-text.tsx";
import { Confirm } from "../confirm.tsx";
import { ActionCard } from "../log/action-card.tsx";
import { PastKinds } from "../log/kinds/past-views.tsx";
import { markText } from "../log/mark-text.ts";
import { usePanel } from "../panel-context.ts";
import { Problem } from "../problem.tsx";
import prominentStyles from "../prominent-button.module.css";
import { Strip } from "../strips.tsx";
import { PagesFoot } from "./past-foot.tsx";
import styles from "./past-view.module.css";

interface PastTranscriptProps {
  readonly past: PastModel;
  readonly chosen: Past;
  readonly stored: StoredFilesModel;
}

/** A past conversation to read, and the way to continue it. */
export function PastTranscript({ past, chosen, stored }: PastTranscriptProps) {
  const { texts, locale, environment } = usePanel();
  const calendar = useMemo(() => createCalendar(locale, environment.now), [locale, environment]);
  const pages = past.messages.value;
  const scroller = useRef<HTMLElement>(null);
  // The list that had the focus is gone.
  useEffect(() => scroller.current?.focus(), []);
  return (
    <>
      <section
        ref={scroller}
        class={styles.scroller}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
        tabIndex={0}
        aria-label={texts.log}
      >
        <h2 dir="auto">{chosen.firstWords ?? texts.log}</h2>
        <PagesFoot pages={pages} onMore={past.loadMessages} />
        {pages.items.map((item) => {
          if ("actionId" in item)
            return (
              <div key={item.seq} class={styles.said}>
                <ActionCard action={item} />
              </div>
            );
          if ("type" in item)
            return (
              <p key={item.seq} class={styles.mark}>
                {markText(item, texts)}
              </p>
            );
          return <Said key={item.seq} message={item} at={calendar.shortMomentOf(item.at)} stored={stored} />;
        })}
      </section>
      {!pages.isLoading && !pages.failure && <WayOn past={past} chosen={chosen} />}
    </>
  );
}

interface SaidProps {
  readonly message: Message;
  readonly at: string;
  readonly stored: StoredFilesModel;
}

function Said({ message, at, stored }: SaidProps) {
  const { texts } = usePanel();
  const { role, author } = message;
  const words = wordsOfMessage(texts, message);
  const name = authorOf(texts, role, author?.name);
  return (
    <article class={styles.said} data-role={role} data-generated={generatedBy(message)}>
      <p class={styles.facts}>
        <bdi>{name}</bdi>
        <time dateTime={message.at}>{at}</time>
      </p>
      {role === "customer" ? <PlainText text={words} /> : <RichText text={words} />}
      <PastKinds message={message} author={name} stored={stored} />
      {message.incomplete && <p class={styles.facts}>{texts.incomplete}</p>}
    </article>
  );
}

/** Continues the conversation if the service allows it; otherwise says that it can't be continued. */
function WayOn({ past, chosen }: Pick<PastTranscriptProps, "past" | "chosen">) {
  const { chat, texts, focusComposer } = usePanel();
  const waiting = chat.conversation.log.value.pending.length;
  const continuing = past.continuing.value;
  const asksToEnd = past.asksToEnd.value;
  const proceed = async (mayEnd: boolean) => {
    if (await past.continueChosen(mayEnd)) focusComposer();
  };
  if (chosen.status === "ended" && !chat.session.features.value.reopen) {
    return (
      <div class={styles.foot}>
        <Strip tone="quiet">{texts.isEnded}</Strip>
      </div>
    );
  }
  // They would go to the other conversation.
  if (waiting > 0) {
    return (
      <div class={styles.foot}>
        <Strip tone="doubt">{texts.statusQueued(waiting)}</Strip>
      </div>
    );
  }
  return (
    <>
      <div class={styles.foot}>
        <div role="status">
          {continuing.kind === "failed" && (
            <Strip tone="doubt" icon={<AlertIcon />}>
              <Problem failure={continuing.failure} />
            </Strip>
          )}
          {chat.conversation.current.value?.status === "open" && (
            <Strip tone="quiet">{texts.endsCurrent}</Strip>
          )}
        </div>
        <button
          type="button"
          class={prominentStyles.solid}
          aria-disabled={continuing.kind === "asking"}
          onClick={() => void proceed(false)}
        >
          {texts.continueConversation}
        </button>
      </div>
      {asksToEnd && (
        <Confirm
          what="End"
          detail={texts.endsCurrent}
          onKeep={past.keepCurrent}
          onYes={() => void proceed(true)}
        />
      )}
    </>
  );
}
