import { useSignal } from "@preact/signals";
import { useLayoutEffect, useRef } from "preact/hooks";
import type { Failure } from "../../../shared/errors.ts";
import type { DurableEvent } from "../../../shared/event.ts";
import styles from "../css/action-entry.module.css";
import buttons from "../css/controls.module.css";
import { useDesk } from "../desk-context.ts";
import { actionTroubleText } from "../failure-texts.ts";
import { texts } from "../texts.ts";
import { FailureSentence } from "./failure-reason.tsx";
import { MainButton } from "./main-button.tsx";

interface ActionEntryProps {
  readonly event: Extract<DurableEvent, { type: "action.requested" }>;
}

/** The action that the agent asks for, with every argument. If the team decides, a person allows or refuses it here. */
export function ActionEntry({ event }: ActionEntryProps) {
  const { action } = event;
  const { confirm = "customer" } = action;
  // Read here, because a row of the log is not redrawn for the events after it.
  const { board } = useDesk();
  const opened = board.board.value.opened;
  const mayDecide = confirm === "person" && opened?.status === "open" && board.cameFrom.value === undefined;
  const title = texts.event.actionRequested(action.title ?? action.name);
  const latest = opened?.events?.findLast(
    (later) => "actionId" in later && later.actionId === action.actionId,
  );
  const isOpen = latest === undefined;
  const isRunning = latest?.type === "action.answered" && latest.approved;
  return (
    <li data-type={event.type}>
      {/* biome-ignore lint/a11y/useSemanticElements: a fieldset does not support the log's layout */}
      <div class={styles.card} role="group" aria-label={title} tabIndex={-1}>
        <p dir="auto">{title}</p>
        {(action.arguments ?? []).length > 0 && (
          <dl>
            {action.arguments?.map(({ label, value }) => (
              <div key={label}>
                <dt dir="auto">{label}</dt>
                <dd dir="auto">{value}</dd>
              </div>
            ))}
          </dl>
        )}
        {isRunning && <p class={styles.who}>{texts.actionRunning}</p>}
        {isOpen && <p class={styles.who}>{texts.actionFor[confirm]}</p>}
        {isOpen && mayDecide && <Decide conversationId={opened.id} actionId={action.actionId} />}
      </div>
    </li>
  );
}

/** The buttons stay until an event of the log says what was answered. */
function Decide({ conversationId, actionId }: { conversationId: string; actionId: string }) {
  const { board } = useDesk();
  const state = useSignal<"idle" | "busy" | Failure>("idle");
  const place = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    const own = place.current;
    const card = own?.parentElement;
    return () => {
      // The focused button disappears.
      if (own?.contains(document.activeElement)) card?.focus({ preventScroll: true });
    };
  }, []);
  const answer = async (approved: boolean) => {
    if (state.value === "busy") return;
    state.value = "busy";
    const failure = await board.answerAction(conversationId, { actionId, approved });
    if (failure) state.value = failure;
  };
  const isBusy = state.value === "busy";
  return (
    <>
      {typeof state.value === "object" && (
        <p class={styles.doubt} role="alert">
          <FailureSentence of={state.value} sentence={actionTroubleText} />
        </p>
      )}
      <div class={styles.buttons} ref={place}>
        <MainButton busy={isBusy} onClick={() => void answer(true)}>
          {isBusy ? texts.actionBusy : texts.allow}
        </MainButton>
        <button
          type="button"
          class={buttons.button}
          aria-disabled={isBusy}
          onClick={() => void answer(false)}
        >
          {texts.refuse}
        </button>
      </div>
    </>
  );
}
