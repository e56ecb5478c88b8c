import type { DeskUser } from "../../../shared/desk.ts";
import { Avatar } from "../../ui/avatar.tsx";
import type { DeskModel } from "../desk-model.ts";
import type { Connection } from "../desk-stream.ts";
import { failureText, texts } from "../texts.ts";
import { Mark, SignOutIcon } from "./desk-icons.tsx";

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
      <p class="desk-user">
        <Avatar role="human" name={user.name} />
        <bdi>{user.name}</bdi>
      </p>
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

function ConnectionState({ connection }: { connection: Connection }) {
  return (
    <p class="connection" data-state={connection}>
      <span class="connection-dot" aria-hidden="true" />
      <span class="connection-text">{texts.connection[connection]}</span>
    </p>
  );
}
