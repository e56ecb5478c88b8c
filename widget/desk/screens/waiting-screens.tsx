import entryStyles from "../css/entry.module.css";
import { EntryCard } from "../parts/entry-card.tsx";
import { MainButton } from "../parts/main-button.tsx";
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
      <MainButton onClick={props.onReload}>{texts.reloadDesk}</MainButton>
    </EntryCard>
  );
}

/** Nothing answers: it is unknown whether the person is signed in, so the screen claims neither. */
export function UnreachableScreen(props: { onTryAgain: () => void }) {
  return (
    <EntryCard title={texts.unreachableTitle} body={texts.unreachableBody}>
      <MainButton onClick={props.onTryAgain}>{texts.tryAgain}</MainButton>
    </EntryCard>
  );
}
