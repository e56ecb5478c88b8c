import { type Signal, useSignal } from "@preact/signals";
import { useId, useLayoutEffect, useRef } from "preact/hooks";
import { cleaned } from "../../shared/characters.ts";
import type { Rating } from "../../shared/rating.ts";
import { unrated } from "../app/aftercare.ts";
import type { RequestState } from "../app/conversation-requests.ts";
import buttonStyles from "../elements/button.module.css";
import { ThumbIcon } from "../elements/log-icons.tsx";
import { usePanel } from "./panel-context.ts";
import { Problem } from "./problem.tsx";
import prominentStyles from "./prominent-button.module.css";
import ratingStyles from "./rating.module.css";

const MAX_COMMENT = 1000;

/** Asks for a rating. Says thanks only after the service verifiably has it. A rating can be changed. */
export function RatingForm(props: {
  given: Rating | undefined;
  state: RequestState;
  unsent: Signal<Partial<Rating>>;
  onRate: (rating: Rating) => void;
}) {
  const { given, state, unsent } = props;
  const { texts } = usePanel();
  const isChanging = useSignal(false);
  const score = unsent.value.score ?? given?.score;
  const comment = unsent.value.comment ?? given?.comment ?? "";
  const id = useId();
  const isAsking = state.kind === "asking";
  /** The log takes no change any more, whatever it is. */
  const isFull = state.kind === "failed" && state.failure.code === "conversation_full";
  const isThanking = given !== undefined && !isChanging.value && state.kind === "idle";
  const place = useRef<HTMLElement | null>(null);
  const isPressed = useRef(false);
  useLayoutEffect(() => {
    // The pressed button is gone, so the focus moves to its replacement.
    if (isPressed.current && document.activeElement === document.body)
      place.current?.querySelector<HTMLElement>("input:checked, button")?.focus();
    isPressed.current = false;
  }, [isThanking]);

  if (isThanking) {
    return (
      <div
        class={ratingStyles.rating}
        ref={(it) => {
          place.current = it;
        }}
      >
        <p>{texts.rateThanks}</p>
        <button
          type="button"
          class={`${buttonStyles.quiet} ${buttonStyles.strong}`}
          onClick={() => {
            isPressed.current = true;
            isChanging.value = true;
          }}
        >
          {texts.rateChange}
        </button>
      </div>
    );
  }
  const choice = (value: Rating["score"], name: string) => (
    <label class={ratingStyles.choice}>
      <input
        type="radio"
        name={id}
        value={value}
        checked={score === value}
        onChange={() => {
          unsent.value = { ...unsent.value, score: value };
        }}
      />
      <ThumbIcon />
      {name}
    </label>
  );
  return (
    <form
      class={ratingStyles.rating}
      ref={(it) => {
        place.current = it;
      }}
      // Keys in this box edit its text; they must not reach the log, where they move between messages.
      onKeyDown={(event) => {
        if (event.key !== "Escape") event.stopPropagation();
      }}
      onSubmit={(event) => {
        event.preventDefault();
        if (!score || isAsking || isFull) return;
        const words = cleaned(comment);
        isPressed.current = true;
        isChanging.value = false;
        props.onRate(words ? { score, comment: words } : { score });
      }}
    >
      <fieldset>
        <legend>{texts.rateQuestion}</legend>
        <div class={ratingStyles.choices}>
          {choice("up", texts.rateGood)}
          {choice("down", texts.rateBad)}
        </div>
      </fieldset>
      <textarea
        rows={2}
        dir="auto"
        maxLength={MAX_COMMENT}
        aria-label={texts.rateComment}
        placeholder={texts.rateComment}
        value={comment}
        onInput={({ currentTarget }) => {
          unsent.value = { ...unsent.value, comment: currentTarget.value };
        }}
      />
      {state.kind === "failed" && (
        <p class={ratingStyles.doubt}>
          {texts.rateNotConfirmed} <Problem failure={unrated(state.failure)} />
        </p>
      )}
      {!isFull && (
        <button type="submit" class={prominentStyles.outline} aria-disabled={!score || isAsking}>
          {isAsking ? texts.sending : state.kind === "failed" ? texts.retry : texts.rateSend}
        </button>
      )}
    </form>
  );
}
