import type { Failure } from "../../../shared/errors.ts";
import { codePoints } from "../../../shared/text.ts";
import { EntryCard } from "../parts/entry-card.tsx";
import { EntryFailure } from "../parts/entry-failure.tsx";
import { FormField } from "../parts/form-field.tsx";
import { PasswordField } from "../parts/password-field.tsx";
import { missingOf, PasswordLength } from "../parts/password-length.tsx";
import { looksLikeEmail, useEntryForm } from "../parts/use-entry-form.ts";
import { failureText, texts } from "../texts.ts";

interface SetUpForm {
  readonly email: string;
  readonly name: string;
  readonly password: string;
}

/** The first account, made with the one-time link. */
export function SetUpScreen(props: {
  /** Throws a `Failure`. */
  onSubmit: (form: SetUpForm) => Promise<void>;
  onSignIn: () => void;
}) {
  const form = useEntryForm(["email", "name", "password"], check, (values) =>
    props.onSubmit({
      email: values.email.trim(),
      name: values.name.trim().replace(/\s+/g, " "),
      password: values.password,
    }),
  );
  const { values, errors } = form;
  return (
    <EntryCard title={texts.setUpTitle} body={texts.setUpBody}>
      <form ref={form.formRef} onSubmit={form.submit} noValidate aria-busy={form.busy}>
        <EntryFailure form={form} sentence={sentenceOf} />
        <FormField
          id="email"
          label={texts.emailLabel}
          hint={texts.emailHint}
          type="email"
          autocomplete="username"
          maxLength={254}
          value={values.email}
          error={errors.email}
          onInput={(value) => form.set("email", value)}
        />
        <FormField
          id="name"
          label={texts.nameLabel}
          hint={texts.nameHint}
          type="text"
          autocomplete="name"
          maxLength={100}
          value={values.name}
          error={errors.name}
          onInput={(value) => form.set("name", value)}
        />
        <PasswordField
          autocomplete="new-password"
          hint={texts.passwordHint}
          value={values.password}
          error={errors.password}
          onInput={(value) => form.set("password", value)}
        >
          <PasswordLength length={values.password.length} />
        </PasswordField>
        <button type="submit" class="button button-main" aria-disabled={form.busy}>
          {form.busy ? texts.setUpBusy : texts.setUpButton}
        </button>
      </form>
      <p class="entry-foot">
        {texts.setUpElse}{" "}
        <button type="button" class="link-button" onClick={props.onSignIn}>
          {texts.signInButton}
        </button>
      </p>
    </EntryCard>
  );
}

function check(values: SetUpForm) {
  const name = values.name.trim();
  const tooShort = missingOf(values.password);
  return {
    ...(looksLikeEmail(values.email) ? {} : { email: texts.emailMissing }),
    ...(name && codePoints(name) <= 100 ? {} : { name: texts.nameMissing }),
    ...(tooShort ? { password: tooShort } : {}),
  };
}

function sentenceOf(failure: Failure): string {
  switch (failure.code) {
    case "unauthenticated":
    case "session_expired":
    case "forbidden":
    case "not_found":
      return texts.setUpLinkOver;
    case "bad_request":
      // The service says which rule it was, such as a password that everyone uses.
      return failure.detail ?? texts.setUpFailed;
    case "rate_limited":
      return failureText(failure.code, failure);
    default:
      return `${texts.setUpFailed} ${failureText(failure.code)}`;
  }
}
