import type { Citation } from "../../../shared/message-kinds/citations.ts";
import { AgentIcon } from "../../elements/icons.tsx";
import { OutLink } from "../../elements/out-link.tsx";
import { RichText } from "../../elements/rich-text.tsx";
import { safeHref } from "../../elements/safe-href.ts";
import type { AgentDraft as State } from "../agent-drafts-model.ts";
import styles from "../css/agent-draft.module.css";
import controlsStyles from "../css/controls.module.css";
import { useDesk } from "../desk-context.ts";
import { texts } from "../texts.ts";
import { FailureReason } from "./failure-reason.tsx";

/** Asks the agent for a draft, or stops that. */
export function AskForDraft({ conversationId }: { conversationId: string }) {
  const { board } = useDesk();
  const isAsking = board.agentDrafts.value[conversationId]?.kind === "asking";
  return (
    <button
      type="button"
      class={`${controlsStyles.button} ${controlsStyles.buttonQuiet} ${styles.ask}`}
      onClick={() => (isAsking ? board.stopDrafting() : void board.askForDraft())}
    >
      <AgentIcon />
      <span class={controlsStyles.buttonText}>{isAsking ? texts.draft.stop : texts.draft.ask}</span>
    </button>
  );
}

/** The sources of a draft, or the reason why there is none. Only the person sends it. */
export function AgentDraft({ conversationId }: { conversationId: string }) {
  const { board } = useDesk();
  const state = board.agentDrafts.value[conversationId];
  if (!state || state.kind === "asking") return null;
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
    <section class={styles.card} aria-label={texts.draft.title} tabIndex={0}>
      <Content state={state} />
      <button type="button" class={controlsStyles.linkButton} onClick={board.dismissDraft}>
        {texts.draft.dismiss}
      </button>
    </section>
  );
}

function Content({ state }: { state: Exclude<State, { kind: "asking" }> }) {
  const { board } = useDesk();
  switch (state.kind) {
    case "none":
      return <p>{texts.draft.none[state.reason]}</p>;
    case "failed":
      return (
        <p>
          {texts.draft.failed} <FailureReason of={state.failure} />
        </p>
      );
    case "inserted":
    case "offered": {
      const { author, body, citations, hasWithheld } = state.draft;
      return (
        <>
          <p>
            <strong>{texts.draft.by(author)}</strong>{" "}
            {state.kind === "inserted" ? texts.draft.inserted : texts.draft.offered}
          </p>
          {hasWithheld && <p>{texts.draft.withheld}</p>}
          {state.kind === "offered" && (
            <>
              <div class={styles.words}>
                <RichText text={body} />
              </div>
              <button type="button" class={controlsStyles.button} onClick={board.insertDraft}>
                {texts.draft.insert}
              </button>
            </>
          )}
          <Sources citations={citations} />
        </>
      );
    }
  }
}

function Sources({ citations }: { citations: readonly Citation[] }) {
  if (citations.length === 0) return <p>{texts.draft.noSources}</p>;
  return (
    <ul class={styles.sources} aria-label={texts.sources}>
      {citations.map(({ citationId, title, url, excerpt }) => {
        const href = url?.startsWith("http") ? safeHref(url) : undefined;
        const name = href ? <OutLink href={href}>{title}</OutLink> : <bdi>{title}</bdi>;
        return (
          <li key={citationId}>
            {name}
            {excerpt && (
              <details>
                <summary>{texts.draft.passage(title)}</summary>
                <blockquote dir="auto">{excerpt}</blockquote>
              </details>
            )}
          </li>
        );
      })}
    </ul>
  );
}
