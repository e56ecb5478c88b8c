import type { Failure } from "../../../shared/errors.ts";
import controlsStyles from "../css/controls.module.css";
import entryStyles from "../css/entry.module.css";
import { EmailField, faultOfEmail } from "../parts/account-fields.tsx";
import { EntryCard } from "../parts/entry-card.tsx";
import { EntryFailure } from "../parts/entry-failure.tsx";
import { PasswordField } from "../parts/password-field.tsx";
import { useEntryForm } from "../parts/use-entry-form.ts";
import { failureText, texts } from "../texts.ts";

interface SignInScreenProps {
  /** The session ended while somebody worked. */
  readonly expired: boolean;
  /** Throws a `Failure`. */
  readonly onSubmit: (form: { email: string; password: string }) => Promise<void>;
}

export function SignInScreen(props: SignInScreenProps) {
  const form = useEntryForm(["email", "password"], check, ({ email, password }) =>
    props.onSubmit({ email: email.trim(), password }),
  );
  return (
    <EntryCard title={texts.signInTitle} body={props.expired ? texts.signInExpired : texts.signInBody}>
      <form ref={form.formRef} onSubmit={form.submit} noValidate aria-busy={form.busy}>
        <EntryFailure form={form} sentence={sentenceOf} />
        <EmailField form={form} isOwn />
        <PasswordField
          autocomplete="current-password"
          value={form.values.password}
          error={form.errors.password}
          onInput={(value) => form.set("password", value)}
        />
        <button
          type="submit"
          class={`${controlsStyles.button} ${controlsStyles.buttonMain}`}
          aria-disabled={form.busy}
        >
          {form.busy ? texts.signInBusy : texts.signInButton}
        </button>
      </form>
      <p class={entryStyles.entryFoot}>{texts.signInFirstTime}</p>
    </EntryCard>
  );
}

function check(values: { email: string; password: string }) {
  return {
    ...faultOfEmail(values.email),
    ...(values.password ? {} : { password: texts.passwordMissing }),
  };
}

function sentenceOf(failure: Failure): string {
  if (failure.code === "unauthenticated" || failure.code === "bad_request") return texts.signInWrong;
  if (failure.code === "rate_limited") return failureText(failure.code, failure);
  return `${texts.signInFailed} ${failureText(failure.code)}`;
}
