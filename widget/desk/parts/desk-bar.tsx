import type { ComponentChildren } from "preact";
import type { DeskUser } from "../../../shared/desk.ts";
import { Avatar } from "../../ui/avatar.tsx";
import type { DeskModel, Page } from "../desk-model.ts";
import type { Connection } from "../desk-stream.ts";
import { peopleTexts } from "../people-texts.ts";
import { failureText, texts } from "../texts.ts";
import { Mark, PeopleIcon, SignOutIcon, TalkIcon } from "./desk-icons.tsx";

/** The product, the state of the line, and who is signed in. */
export function DeskBar({ desk, user }: { desk: DeskModel; user: DeskUser }) {
  const doubt = desk.signOutDoubt.value;
  const busy = desk.signingOut.value;
  return (
    <header class="desk-bar">
      <p class="desk-brand">
        <Mark />
        <span>{texts.product}</span>
      </p>
      <ConnectionState connection={desk.board.connection.value} />
      <DeskNav desk={desk} user={user} />
      <div class="desk-user">
        <PageButton desk={desk} page="account">
          <span class="hidden-text">{`${peopleTexts.account}: ${user.name}`}</span>
          <Avatar role="human" name={user.name} />
          <bdi aria-hidden="true">{user.name}</bdi>
        </PageButton>
      </div>
      <button
        type="button"
        class="button button-quiet"
        aria-disabled={busy}
        onClick={() => void desk.signOut()}
      >
        <SignOutIcon />
        <span class="button-text">{busy ? texts.signOutBusy : texts.signOut}</span>
      </button>
      {doubt && (
        <p class="banner banner-danger" role="alert">
          {texts.signOutFailed} {failureText(doubt.code, doubt)}
        </p>
      )}
    </header>
  );
}

/** Only where there is more than one place to be. */
function DeskNav({ desk, user }: { desk: DeskModel; user: DeskUser }) {
  const isAdmin = user.role === "admin";
  if (!isAdmin && desk.page.value === "board") return null;
  return (
    <nav class="desk-nav" aria-label={peopleTexts.navLabel}>
      <PageButton desk={desk} page="board">
        <TalkIcon />
        <span class="button-text">{peopleTexts.board}</span>
      </PageButton>
      {isAdmin && (
        <PageButton desk={desk} page="people">
          <PeopleIcon />
          <span class="button-text">{peopleTexts.people}</span>
        </PageButton>
      )}
    </nav>
  );
}

function PageButton(props: { desk: DeskModel; page: Page; children: ComponentChildren }) {
  const { desk, page } = props;
  return (
    <button
      type="button"
      class="button button-quiet"
      aria-current={desk.page.value === page ? "page" : undefined}
      onClick={() => desk.show(page)}
    >
      {props.children}
    </button>
  );
}

function ConnectionState({ connection }: { connection: Connection }) {
  return (
    <p class="connection" data-state={connection}>
      <span class="connection-dot" aria-hidden="true" />
      <span class="connection-text">{texts.connection[connection]}</span>
    </p>
  );
}
