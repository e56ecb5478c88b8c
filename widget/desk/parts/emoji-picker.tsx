import { useEffect, useRef, useState } from "preact/hooks";
import { isComposing } from "../../elements/is-composing.ts";
import controlsStyles from "../css/controls.module.css";
import styles from "../css/emoji.module.css";
import { useDesk } from "../desk-context.ts";
import { movedPlace } from "../emoji-grid.ts";
import { findEmoji } from "../emoji-model.ts";
import { texts } from "../texts.ts";
import { FailureReason } from "./failure-reason.tsx";

/** All emoji, with a search. Arrow keys move between them; one of them is in the page's Tab order. */
export function EmojiPicker({ onPick }: { onPick: (emoji: string) => void }) {
  const { board } = useDesk();
  const reading = board.emoji.value;
  const [query, setQuery] = useState("");
  const [current, setCurrent] = useState(0);
  const search = useRef<HTMLInputElement>(null);
  const grid = useRef<HTMLFieldSetElement>(null);
  useEffect(() => search.current?.focus(), []);

  const groups = reading.kind === "ready" ? findEmoji(reading.groups, query) : [];
  const count = groups.reduce((sum, { emoji }) => sum + emoji.length, 0);
  const first = groups[0]?.emoji[0]?.[0];
  const focusOn = (place: number) => {
    setCurrent(place);
    grid.current?.querySelectorAll("button")[place]?.focus();
  };
  const onGridKey = (event: KeyboardEvent) => {
    const isRightToLeft = grid.current !== null && getComputedStyle(grid.current).direction === "rtl";
    const lengths = groups.map(({ emoji }) => emoji.length);
    const place = movedPlace(lengths, current, event.key, isRightToLeft);
    if (place === undefined) {
      if (event.key === "ArrowUp") search.current?.focus();
      return;
    }
    event.preventDefault();
    focusOn(place);
  };
  const onSearchKey = (event: KeyboardEvent) => {
    // An input method's keys choose a word. Its Escape closes nothing.
    if (isComposing(event)) return event.stopPropagation();
    if (event.key === "ArrowDown") focusOn(0);
    else if (event.key === "Enter" && query && first) onPick(first);
    else if (event.key !== "Enter") return;
    event.preventDefault();
  };
  let place = -1;
  return (
    <div class={styles.picker} role="dialog" aria-label={texts.emoji}>
      <input
        ref={search}
        class={styles.search}
        type="search"
        aria-label={texts.findEmoji}
        placeholder={texts.findEmoji}
        value={query}
        onInput={({ currentTarget }) => {
          setQuery(currentTarget.value);
          setCurrent(0);
        }}
        onKeyDown={onSearchKey}
      />
      <p class={styles.state} role="status">
        {reading.kind === "reading" && texts.readingEmoji}
        {reading.kind === "failed" && (
          <>
            {texts.noEmoji}{" "}
            {reading.failure.code === "not_found" ? texts.emojiGone : <FailureReason of={reading.failure} />}
          </>
        )}
        {reading.kind === "ready" && query && texts.foundEmoji(count)}
      </p>
      {reading.kind === "failed" && (
        <button type="button" class={controlsStyles.button} onClick={() => void board.readEmoji()}>
          {texts.retry}
        </button>
      )}
      <fieldset ref={grid} class={styles.groups} aria-label={texts.emoji} onKeyDown={onGridKey}>
        {groups.map(({ name, emoji }) => (
          <section key={name} aria-label={name} class={styles.group}>
            <p aria-hidden="true">{name}</p>
            <div class={styles.grid}>
              {emoji.map(([each, label]) => {
                place += 1;
                return (
                  <button
                    key={each}
                    type="button"
                    aria-label={label}
                    title={label}
                    tabIndex={place === current ? 0 : -1}
                    onClick={() => onPick(each)}
                  >
                    {each}
                  </button>
                );
              })}
            </div>
          </section>
        ))}
      </fieldset>
    </div>
  );
}
