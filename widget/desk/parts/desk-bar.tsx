import type { ComponentChildren } from "preact";
import type { DeskUser } from "../../../shared/desk.ts";
import { Avatar } from "../../ui/avatar.tsx";
import hiddenStyles from "../../ui/hidden.module.css";
import controlsStyles from "../css/controls.module.css";
import layoutStyles from "../css/layout.module.css";
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
    <header class={layoutStyles.deskBar}>
      <p class={layoutStyles.deskBrand}>
        <Mark />
        <span>{texts.product}</span>
      </p>
      <ConnectionState connection={desk.board.connection.value} />
      <DeskNav desk={desk} user={user} />
      <div class={layoutStyles.deskUser}>
        <PageButton desk={desk} page="account">
          <span class={hiddenStyles.hiddenText}>{`${peopleTexts.account}: ${user.name}`}</span>
          <Avatar role="human" name={user.name} />
          <bdi aria-hidden="true">{user.name}</bdi>
        </PageButton>
      </div>
      <button
        type="button"
        class={`${controlsStyles.button} ${controlsStyles.buttonQuiet}`}
        aria-disabled={busy}
        onClick={() => void desk.signOut()}
      >
        <SignOutIcon />
        <span class={controlsStyles.buttonText}>{busy ? texts.signOutBusy : texts.signOut}</span>
      </button>
      {doubt && (
        <p class={`${controlsStyles.banner} ${controlsStyles.bannerDanger}`} role="alert">
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
    <nav class={layoutStyles.deskNav} aria-label={peopleTexts.navLabel}>
      <PageButton desk={desk} page="board">
        <TalkIcon />
        <span class={controlsStyles.buttonText}>{peopleTexts.board}</span>
      </PageButton>
      {isAdmin && (
        <PageButton desk={desk} page="people">
          <PeopleIcon />
          <span class={controlsStyles.buttonText}>{peopleTexts.people}</span>
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
      class={`${controlsStyles.button} ${controlsStyles.buttonQuiet}`}
      aria-current={desk.page.value === page ? "page" : undefined}
      onClick={() => desk.show(page)}
    >
      {props.children}
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
