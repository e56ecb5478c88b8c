import type { LinkOffer } from "../../../shared/desk.ts";
import type { Failure } from "../../../shared/errors.ts";
import controlsStyles from "../css/controls.module.css";
import entryStyles from "../css/entry.module.css";
import { faultOfNewPassword, NewPasswordField } from "../parts/account-fields.tsx";
import { EntryCard } from "../parts/entry-card.tsx";
import { EntryFailure } from "../parts/entry-failure.tsx";
import { useEntryForm } from "../parts/use-entry-form.ts";
import { peopleTexts } from "../people-texts.ts";
import { failureText, texts } from "../texts.ts";

/** A password for an account that an admin made, or made a new link for. */
export function JoinScreen(props: {
  offer: LinkOffer;
  /** Throws a `Failure`. */
  onSubmit: (form: { password: string }) => Promise<void>;
}) {
  const { email = "", name = "", purpose } = props.offer;
  const form = useEntryForm(["password"], check, props.onSubmit);
  const isReset = purpose === "reset";
  return (
    <EntryCard
      title={isReset ? peopleTexts.resetTitle : peopleTexts.joinTitle(name)}
      body={isReset ? peopleTexts.resetBody : peopleTexts.joinBody}
    >
      <form ref={form.formRef} onSubmit={form.submit} noValidate aria-busy={form.busy}>
        <EntryFailure form={form} sentence={sentenceOf} />
        <p class={entryStyles.entryAddress}>
          <bdi>{email}</bdi>
        </p>
        {/* Password managers keep the password under this address. */}
        <input type="email" name="email" value={email} autocomplete="username" readOnly hidden />
        <NewPasswordField form={form} field="password" />
        <button
          type="submit"
          class={`${controlsStyles.button} ${controlsStyles.buttonMain}`}
          aria-disabled={form.busy}
        >
          {form.busy ? peopleTexts.joinBusy : peopleTexts.joinButton}
        </button>
      </form>
    </EntryCard>
  );
}

/** The service said that the link opens nothing. */
export function LinkOverScreen({ onSignIn }: { onSignIn: () => void }) {
  return (
    <EntryCard title={peopleTexts.linkOverTitle} body={peopleTexts.linkOverBody}>
      <button
        type="button"
        class={`${controlsStyles.button} ${controlsStyles.buttonMain}`}
        onClick={onSignIn}
      >
        {texts.signInButton}
      </button>
    </EntryCard>
  );
}

function check({ password }: { password: string }) {
  return faultOfNewPassword("password", password);
}

function sentenceOf(failure: Failure): string {
  if (failure.code === "forbidden") return peopleTexts.linkOverBody;
  if (failure.code === "bad_request") return failure.detail ?? peopleTexts.joinFailed;
  if (failure.code === "rate_limited") return failureText(failure.code, failure);
  return `${peopleTexts.joinFailed} ${failureText(failure.code)}`;
}
