import { useEffect, useRef } from "preact/hooks";
import hiddenStyles from "../../elements/hidden.module.css";
import { CheckIcon } from "../../elements/log-icons.tsx";
import controlsStyles from "../css/controls.module.css";
import peopleStyles from "../css/people.module.css";
import { useDesk } from "../desk-context.ts";
import type { MadeLink } from "../people-model.ts";
import { peopleTexts } from "../people-texts.ts";
import { MainButton } from "./main-button.tsx";

/** The only time that a link is shown. */
export function MadeLinkBox({ made }: { made: MadeLink }) {
  const { people, calendar } = useDesk();
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => heading.current?.focus(), []);
  const copied = people.copied.value;
  return (
    <section class={`${peopleStyles.card} ${peopleStyles.made}`} aria-labelledby="made-title">
      <h2 id="made-title" ref={heading} tabIndex={-1}>
        {peopleTexts.madeTitle(made.name)}
      </h2>
      <p class={peopleStyles.cardBody}>{peopleTexts.madeBody(calendar.shortMomentOf(made.expiresAt))}</p>
      <label class={hiddenStyles.hiddenText} for="made-link">
        {peopleTexts.madeLabel}
      </label>
      <input
        id="made-link"
        class={peopleStyles.madeLink}
        type="text"
        readOnly
        value={made.url}
        onFocus={(event) => event.currentTarget.select()}
      />
      <p class={peopleStyles.madeActions}>
        <MainButton onClick={() => void people.copyLink()}>{peopleTexts.copy}</MainButton>
        <button type="button" class={controlsStyles.button} onClick={() => people.putLinkAway()}>
          {peopleTexts.madeDone}
        </button>
      </p>
      <p class={peopleStyles.madeCopied} role="status">
        {copied === "yes" && <CheckIcon />}
        {copied === "yes" && peopleTexts.copied}
        {copied === "no" && peopleTexts.copyFailed}
      </p>
    </section>
  );
}
