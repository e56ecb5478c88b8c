import type { Failure } from "../../../shared/errors.ts";
import entryStyles from "../css/entry.module.css";
import { useDesk } from "../desk-context.ts";
import { EmailField, faultOfEmail } from "../parts/account-fields.tsx";
import { EntryCard } from "../parts/entry-card.tsx";
import { EntryFields, sentenceOf } from "../parts/entry-fields.tsx";
import { PasswordField } from "../parts/password-field.tsx";
import { useEntryForm } from "../parts/use-entry-form.ts";
import { texts } from "../texts.ts";

/** `expired`: a session ended while somebody worked. */
export function SignInScreen({ expired }: { expired: boolean }) {
  const desk = useDesk();
  const form = useEntryForm(["email", "password"], check, ({ email, password }) =>
    desk.signIn({ email: email.trim(), password }),
  );
  const why = desk.unsent.value ? texts.signInExpiredDrafts : texts.signInExpired;
  return (
    <EntryCard title={texts.signInTitle} body={expired ? why : texts.signInBody} isNews={expired}>
      <EntryFields form={form} sentence={sentence} button={texts.signInButton} busyButton={texts.signInBusy}>
        <EmailField form={form} isOwn />
        <PasswordField
          autocomplete="current-password"
          value={form.values.password}
          error={form.errors.password}
          onInput={(value) => form.set("password", value)}
        />
      </EntryFields>
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

function sentence(failure: Failure): string {
  const isWrong = failure.code === "unauthenticated" || failure.code === "bad_request";
  return isWrong ? texts.signInWrong : sentenceOf(failure, texts.signInFailed);
}
