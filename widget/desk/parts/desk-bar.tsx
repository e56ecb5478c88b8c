import type { ComponentChildren } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import type { DeskUser } from "../../../shared/desk.ts";
import { Avatar } from "../../elements/avatar.tsx";
import hiddenStyles from "../../elements/hidden.module.css";
import { EndIcon } from "../../elements/icons.tsx";
import controlsStyles from "../css/controls.module.css";
import layoutStyles from "../css/layout.module.css";
import { useDesk } from "../desk-context.ts";
import type { Page, Unsent } from "../desk-model.ts";
import type { Connection } from "../desk-stream.ts";
import { peopleTexts } from "../people-texts.ts";
import { texts } from "../texts.ts";
import { AlertSwitches, AlertsBlocked } from "./alert-switches.tsx";
import { Mark, PeopleIcon, TalkIcon } from "./desk-icons.tsx";
import { FailureReason } from "./failure-reason.tsx";
import { Question } from "./question.tsx";

/** The product, the state of the connection, and who is signed in. */
export function DeskBar({ user }: { user: DeskUser }) {
  const desk = useDesk();
  const doubt = desk.signOutDoubt.value;
  return (
    <header class={layoutStyles.deskBar}>
      <p class={layoutStyles.deskBrand}>
        <Mark />
        <span>{texts.product}</span>
      </p>
      <ConnectionState connection={desk.board.connection.value} />
      <DeskNav user={user} />
      <AlertSwitches />
      <div class={layoutStyles.deskUser}>
        <PageButton page="account">
          <span class={hiddenStyles.hiddenText}>{`${peopleTexts.account}: ${user.name}`}</span>
          <Avatar role="human" name={user.name} />
          <bdi aria-hidden="true">{user.name}</bdi>
        </PageButton>
      </div>
      <SignOut />
      <AlertsBlocked />
      {doubt && (
        <p class={`${controlsStyles.banner} ${controlsStyles.bannerDanger}`} role="alert">
          {texts.signOutFailed} <FailureReason of={doubt} />
        </p>
      )}
    </header>
  );
}

/** Asks first if something of the person would be lost. */
function SignOut() {
  const desk = useDesk();
  const [asked, setAsked] = useState<Unsent | undefined>(undefined);
  const button = useRef<HTMLButtonElement>(null);
  // The focus returns to the button once the question is answered.
  useEffect(() => asked && (() => button.current?.focus()), [asked]);
  const busy = desk.signingOut.value;
  const press = () => {
    if (busy) return;
    setAsked(desk.unsent.value);
    if (!desk.unsent.value) void desk.signOut();
  };
  if (asked) {
    return (
      <Question
        sentence={texts.signOutAsk[asked]}
        yes={texts.signOut}
        no={texts.signOutStay}
        onYes={() => {
          setAsked(undefined);
          void desk.signOut();
        }}
        onNo={() => setAsked(undefined)}
      />
    );
  }
  return (
    <button
      type="button"
      class={`${controlsStyles.button} ${controlsStyles.buttonQuiet}`}
      ref={button}
      aria-disabled={busy}
      onClick={press}
    >
      <EndIcon />
      <span class={controlsStyles.buttonText}>{busy ? texts.signOutBusy : texts.signOut}</span>
    </button>
  );
}

/** Only if there is more than one page. */
function DeskNav({ user }: { user: DeskUser }) {
  const desk = useDesk();
  const isAdmin = user.role === "admin";
  if (!isAdmin && desk.page.value === "board") return null;
  return (
    <nav class={layoutStyles.deskNav} aria-label={peopleTexts.navLabel}>
      <PageButton page="board">
        <TalkIcon />
        <span class={controlsStyles.buttonText}>{peopleTexts.board}</span>
      </PageButton>
      {isAdmin && (
        <PageButton page="people">
          <PeopleIcon />
          <span class={controlsStyles.buttonText}>{peopleTexts.people}</span>
        </PageButton>
      )}
    </nav>
  );
}

function PageButton({ page, children }: { page: Page; children: ComponentChildren }) {
  const desk = useDesk();
  return (
    <button
      type="button"
      class={`${controlsStyles.button} ${controlsStyles.buttonQuiet}`}
      aria-current={desk.page.value === page ? "page" : undefined}
      onClick={() => desk.show(page)}
    >
      {children}
    </button>
  );
}

function ConnectionState({ connection }: { connection: Connection }) {
  return (
    <p class={layoutStyles.connection} data-state={connection}>
      <span class={layoutStyles.connectionDot} aria-hidden="true" />
      <span>{texts.connection[connection]}</span>
    </p>
  );
}
