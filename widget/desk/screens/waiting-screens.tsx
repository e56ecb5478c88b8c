import controlsStyles from "../css/controls.module.css";
import entryStyles from "../css/entry.module.css";
import { EntryCard } from "../parts/entry-card.tsx";
import { texts } from "../texts.ts";

export function LoadingScreen() {
  return (
    <main class={entryStyles.entry} aria-busy="true">
      <p class={entryStyles.entryWait}>{texts.loading}</p>
    </main>
  );
}

/** Replaces a screen that could not be rendered. Drafts and conversations are in the model and are shown again. */
export function BrokenScreen(props: { onReload: () => void }) {
  return (
    <EntryCard title={texts.brokenTitle} body={texts.brokenBody}>
      <button
        type="button"
        class={`${controlsStyles.button} ${controlsStyles.buttonMain}`}
        onClick={props.onReload}
      >
        {texts.reloadDesk}
      </button>
    </EntryCard>
  );
}

/** Nothing answers: neither "signed out" nor "signed in" is known, so neither is said. */
export function UnreachableScreen(props: { onTryAgain: () => void }) {
  return (
    <EntryCard title={texts.unreachableTitle} body={texts.unreachableBody}>
      <button
        type="button"
        class={`${controlsStyles.button} ${controlsStyles.buttonMain}`}
        onClick={props.onTryAgain}
      >
        {texts.tryAgain}
      </button>
    </EntryCard>
  );
}
