import { useRef } from "preact/hooks";
import type { PastModel } from "../../app/past-model.ts";
import buttonStyles from "../../elements/button.module.css";
import { icon } from "../../elements/icon.tsx";
import { usePanel } from "../panel-context.ts";
import styles from "./past-view.module.css";

const SearchIcon = icon("M4.5 10.5a6 6 0 1 0 12 0a6 6 0 1 0-12 0M15 15l5 5", true);

/** Searches the customer's conversations at the service, when the words are complete. An empty box shows all again. */
export function PastSearch({ past }: { readonly past: PastModel }) {
  const { texts } = usePanel();
  const box = useRef<HTMLInputElement>(null);
  return (
    <search>
      <form
        class={styles.search}
        onSubmit={(event) => {
          event.preventDefault();
          past.search(box.current?.value ?? "");
        }}
      >
        <input
          ref={box}
          type="search"
          dir="auto"
          maxLength={100}
          aria-label={texts.searchPast}
          placeholder={texts.searchPast}
          enterkeyhint="search"
          autocomplete="off"
          defaultValue={past.searched.value}
          onInput={(event) => {
            if (event.currentTarget.value === "") past.search("");
          }}
        />
        <button type="submit" class={buttonStyles.round} aria-label={texts.searchPast}>
          <SearchIcon />
        </button>
      </form>
    </search>
  );
}
