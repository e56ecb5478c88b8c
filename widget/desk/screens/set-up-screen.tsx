import type { Failure, FailureCode } from "../../../shared/errors.ts";
import { useDesk } from "../desk-context.ts";
import {
  cleanName,
  EmailField,
  faultOfNewPassword,
  faultsOfPerson,
  NameField,
  NewPasswordField,
} from "../parts/account-fields.tsx";
import { EntryCard } from "../parts/entry-card.tsx";
import { EntryFields, sentenceOf } from "../parts/entry-fields.tsx";
import { HaveAccount } from "../parts/have-account.tsx";
import { useEntryForm } from "../parts/use-entry-form.ts";
import { texts } from "../texts.ts";

/** The first account, created with the one-time link. */
export function SetUpScreen() {
  const desk = useDesk();
  const form = useEntryForm(["email", "name", "password"], check, (values) =>
    desk.setUp({
      email: values.email.trim(),
      name: cleanName(values.name),
      password: values.password,
    }),
  );
  return (
    <EntryCard title={texts.setUpTitle} body={texts.setUpBody}>
      <EntryFields form={form} sentence={sentence} button={texts.setUpButton} busyButton={texts.setUpBusy}>
        <EmailField form={form} isOwn hint={texts.emailHint} />
        <NameField form={form} isOwn hint={texts.nameHint} />
        <NewPasswordField form={form} field="password" />
      </EntryFields>
      <HaveAccount />
    </EntryCard>
  );
}

function check(values: Readonly<Record<"email" | "name" | "password", string>>) {
  return { ...faultsOfPerson(values), ...faultOfNewPassword("password", values.password) };
}

const LINK_OVER: ReadonlySet<FailureCode> = new Set([
  "unauthenticated",
  "session_expired",
  "forbidden",
  "not_found",
]);

function sentence(failure: Failure): string {
  return LINK_OVER.has(failure.code) ? texts.setUpLinkOver : sentenceOf(failure, texts.setUpFailed);
}
