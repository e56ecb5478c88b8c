import type { Failure } from "../../../shared/errors.ts";
import controlsStyles from "../css/controls.module.css";
import entryStyles from "../css/entry.module.css";
import {
  cleanName,
  EmailField,
  faultOfNewPassword,
  faultsOfPerson,
  NameField,
  NewPasswordField,
} from "../parts/account-fields.tsx";
import { EntryCard } from "../parts/entry-card.tsx";
import { EntryFailure } from "../parts/entry-failure.tsx";
import { useEntryForm } from "../parts/use-entry-form.ts";
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
      name: cleanName(values.name),
      password: values.password,
    }),
  );
  return (
    <EntryCard title={texts.setUpTitle} body={texts.setUpBody}>
      <form ref={form.formRef} onSubmit={form.submit} noValidate aria-busy={form.busy}>
        <EntryFailure form={form} sentence={sentenceOf} />
        <EmailField form={form} isOwn hint={texts.emailHint} />
        <NameField form={form} isOwn hint={texts.nameHint} />
        <NewPasswordField form={form} field="password" />
        <button
          type="submit"
          class={`${controlsStyles.button} ${controlsStyles.buttonMain}`}
          aria-disabled={form.busy}
        >
          {form.busy ? texts.setUpBusy : texts.setUpButton}
        </button>
      </form>
      <p class={entryStyles.entryFoot}>
        {texts.setUpElse}{" "}
        <button type="button" class={controlsStyles.linkButton} onClick={props.onSignIn}>
          {texts.signInButton}
        </button>
      </p>
    </EntryCard>
  );
}

function check(values: SetUpForm) {
  return { ...faultsOfPerson(values), ...faultOfNewPassword("password", values.password) };
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
