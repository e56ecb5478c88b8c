import { useId } from "preact/hooks";
import buttonStyles from "../elements/button.module.css";
import { EndIcon, PersonIcon } from "../elements/icons.tsx";
import { once } from "./once.ts";
import styles from "./panel.module.css";
import { usePanel } from "./panel-context.ts";
import { useOpening } from "./use-opening.ts";
import { whenOf } from "./wait-words.ts";

/** The buttons below the composer: ask for a person, and end the conversation. */
export function PanelActions({ onEnd }: { onEnd: () => void }) {
  const { chat, texts, locale, environment, focusComposer } = usePanel();
  const opening = useOpening();
  const hoursId = useId();
  const conversation = chat.conversation.current.value;
  const isOpen = conversation?.status === "open";
  const status = isOpen ? conversation.handoff?.status : undefined;
  const isWithPeople = status === "requested" || status === "accepted";
  const isServed = chat.conversation.isAnswerable.value && !chat.conversation.isLost.value;
  const askForPerson = () => {
    void chat.conversation.requestHuman();
    focusComposer();
  };
  return (
    <>
      {isServed && !isWithPeople && opening && (
        <p id={hoursId} class={styles.hours}>
          {opening === "open"
            ? texts.openNow
            : texts.opens(whenOf(opening.opensAt, locale, environment.now()))}
        </p>
      )}
      <div class={styles.actions}>
        {isServed && !isWithPeople && (
          <button
            type="button"
            class={buttonStyles.quiet}
            aria-describedby={opening && hoursId}
            onClick={once(askForPerson)}
          >
            <PersonIcon />
            {texts.talkToPerson}
          </button>
        )}
        {isServed && isWithPeople && (
          <span class={`${buttonStyles.quiet} ${styles.gap}`} data-name={texts.talkToPerson}>
            <PersonIcon />
          </span>
        )}
        {isServed && isOpen && (
          <button type="button" class={buttonStyles.quiet} onClick={once(onEnd)}>
            <EndIcon />
            {texts.endConversation}
          </button>
        )}
      </div>
    </>
  );
}
