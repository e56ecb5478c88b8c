import { useEffect, useRef } from "preact/hooks";
import { CheckIcon } from "../../ui/icons.tsx";
import type { MadeLink, PeopleModel } from "../people-model.ts";
import { peopleTexts } from "../people-texts.ts";
import { dateAndTime } from "../times.ts";

/** The one time that a link is shown. */
export function MadeLinkBox({ people, made }: { people: PeopleModel; made: MadeLink }) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => heading.current?.focus(), []);
  const copied = people.copied.value;
  return (
    <section class="card made" aria-labelledby="made-title">
      <h2 id="made-title" ref={heading} tabIndex={-1}>
        {peopleTexts.madeTitle(made.name)}
      </h2>
      <p class="card-body">{peopleTexts.madeBody(dateAndTime(made.expiresAt))}</p>
      <label class="hidden-text" for="made-link">
        {peopleTexts.madeLabel}
      </label>
      <input
        id="made-link"
        class="made-link"
        type="text"
        readOnly
        value={made.url}
        onFocus={(event) => event.currentTarget.select()}
      />
      <p class="made-actions">
        <button type="button" class="button button-main" onClick={() => void people.copyLink()}>
          {peopleTexts.copy}
        </button>
        <button type="button" class="button" onClick={() => people.putLinkAway()}>
          {peopleTexts.madeDone}
        </button>
      </p>
      <p class="made-copied" role="status">
        {copied === "yes" && <CheckIcon />}
        {copied === "yes" && peopleTexts.copied}
        {copied === "no" && peopleTexts.copyFailed}
      </p>
    </section>
  );
}
