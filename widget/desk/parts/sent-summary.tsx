import type { DeskConversation } from "../../../shared/desk.ts";
import { PlainText } from "../../elements/rich-text.tsx";
import styles from "../css/sent-summary.module.css";
import { useDesk } from "../desk-context.ts";
import { texts } from "../texts.ts";

interface SentSummaryProps {
  readonly opened: DeskConversation;
  /** Brings a message of the log into view. */
  readonly onShow: (seq: number) => void;
}

/** The newest summary that the customer sent, above the log: sentences with their places, and the customer's own words. */
export function SentSummary({ opened, onShow }: SentSummaryProps) {
  const { calendar } = useDesk();
  const sent = opened.events?.findLast((event) => event.type === "summary.sent");
  if (!sent) return null;
  return (
    <details class={styles.summary} open key={`${opened.id} ${sent.seq}`}>
      <summary>{texts.summary.title}</summary>
      {sent.summary.generated && <p data-generated={sent.summary.generated.by}>{texts.summary.generated}</p>}
      <ul>
        {sent.summary.sentences.map(({ text, seq }, index) => {
          const at = opened.messages.find((message) => message.seq === seq)?.at;
          return (
            <li key={`${index} ${seq}`}>
              <PlainText text={text} />{" "}
              {seq !== undefined && at !== undefined ? (
                <button
                  type="button"
                  aria-label={texts.summary.show(calendar.timeOf(at))}
                  onClick={() => onShow(seq)}
                >
                  {calendar.timeOf(at)}
                </button>
              ) : (
                <span>{texts.summary.own}</span>
              )}
            </li>
          );
        })}
      </ul>
    </details>
  );
}
