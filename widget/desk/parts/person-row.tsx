import { useEffect, useRef, useState } from "preact/hooks";
import type { DeskPerson } from "../../../shared/desk.ts";
import type { Calendar } from "../../client/calendar.ts";
import { Avatar } from "../../elements/avatar.tsx";
import controlsStyles from "../css/controls.module.css";
import peopleStyles from "../css/people.module.css";
import { useDesk } from "../desk-context.ts";
import { troubleText } from "../failure-texts.ts";
import { peopleTexts } from "../people-texts.ts";
import { FailureSentence } from "./failure-reason.tsx";
import { Question } from "./question.tsx";

type Asked = "newLink" | "disable";

/** One person, and what an admin can do with their account. */
export function PersonRow({ person, isMe }: { person: DeskPerson; isMe: boolean }) {
  const { people, calendar } = useDesk();
  const [asked, setAsked] = useState<Asked | undefined>(undefined);
  const answered = useRef<Asked | undefined>(undefined);
  const close = () => {
    answered.current = asked;
    setAsked(undefined);
  };
  const doubt = people.doubt.value?.personId === person.id ? people.doubt.value : undefined;
  return (
    <li class={peopleStyles.person} data-state={person.state}>
      <Avatar role="human" name={person.name} />
      <div>
        <p class={peopleStyles.personName}>
          <bdi>{person.name}</bdi>
          {isMe && <span class={peopleStyles.chip}>{peopleTexts.you}</span>}
        </p>
        <p class={peopleStyles.personMore}>
          <bdi>{person.email}</bdi>
        </p>
        <p class={peopleStyles.personMore}>
          {peopleTexts.role[person.role]} · {stateOf(person, calendar)}
        </p>
      </div>
      {!isMe && !asked && <Actions person={person} from={answered.current} onAsk={setAsked} />}
      {asked && (
        <Question
          sentence={peopleTexts.ask[asked](person.name)}
          yes={peopleTexts.yes[asked]}
          no={peopleTexts.cancel}
          onYes={() => {
            close();
            void people[asked](person.id);
          }}
          onNo={close}
        />
      )}
      {doubt && (
        <p
          class={`${controlsStyles.banner} ${controlsStyles.bannerDanger} ${peopleStyles.personWide}`}
          role="alert"
        >
          <FailureSentence
            of={doubt.failure}
            sentence={(failure) => troubleText(peopleTexts.doubt[doubt.action], failure)}
          />
        </p>
      )}
    </li>
  );
}

function Actions(props: {
  person: DeskPerson;
  /** The question that was just answered: the focus returns to its button. */
  from: Asked | undefined;
  onAsk: (asked: Asked) => void;
}) {
  const { person, from, onAsk } = props;
  const { people } = useDesk();
  const came = useRef<HTMLButtonElement>(null);
  useEffect(() => came.current?.focus(), []);
  const busy = people.busy.value !== undefined;
  const button = (action: Asked | "enable", run: () => void, label = peopleTexts[action]) => (
    <button
      // Enabling and disabling are one button, which keeps the focus when it becomes the other.
      key={action === "newLink" ? "link" : "state"}
      type="button"
      class={controlsStyles.button}
      ref={from === action ? came : null}
      aria-disabled={busy}
      aria-label={`${label}: ${person.name}`}
      onClick={() => !busy && run()}
    >
      {label}
    </button>
  );
  if (person.state === "disabled") {
    return <p class={peopleStyles.personActions}>{button("enable", () => void people.enable(person.id))}</p>;
  }
  return (
    <p class={peopleStyles.personActions}>
      {person.state === "invited"
        ? // Not asked about: without a password there is nothing to lose.
          button("newLink", () => void people.newLink(person.id))
        : button("newLink", () => onAsk("newLink"), peopleTexts.resetPassword)}
      {button("disable", () => onAsk("disable"))}
    </p>
  );
}

function stateOf({ state, linkExpiresAt }: DeskPerson, calendar: Calendar): string {
  if (state !== "invited") return peopleTexts.state[state];
  const link =
    linkExpiresAt === undefined
      ? peopleTexts.noLink
      : peopleTexts.linkUntil(calendar.shortMomentOf(linkExpiresAt));
  return `${peopleTexts.state.invited} · ${link}`;
}
