import { useState } from "preact/hooks";
import type { DeskUser } from "../../../shared/desk.ts";
import type { Failure } from "../../../shared/errors.ts";
import { CheckIcon } from "../../ui/log-icons.tsx";
import controlsStyles from "../css/controls.module.css";
import peopleStyles from "../css/people.module.css";
import type { DeskModel } from "../desk-model.ts";
import { faultOfNewPassword, NewPasswordField } from "../parts/account-fields.tsx";
import { EntryFailure } from "../parts/entry-failure.tsx";
import { PageHead } from "../parts/page-head.tsx";
import { PasswordField } from "../parts/password-field.tsx";
import { useEntryForm } from "../parts/use-entry-form.ts";
import { peopleTexts } from "../people-texts.ts";
import { failureText, texts } from "../texts.ts";

/** Who is signed in, and their own password. */
export function AccountPage({ desk, me }: { desk: DeskModel; me: DeskUser }) {
  const [changes, setChanges] = useState(0);
  return (
    <main class={peopleStyles.page}>
      <PageHead title={peopleTexts.account} />
      <section class={peopleStyles.card}>
        <h2>{me.name}</h2>
        <p class={peopleStyles.cardBody}>
          <bdi>{me.email}</bdi> · {peopleTexts.role[me.role]}
        </p>
      </section>
      <section class={peopleStyles.card}>
        <h2>{peopleTexts.passwordTitle}</h2>
        <p class={peopleStyles.cardBody}>{peopleTexts.passwordBody}</p>
        {changes > 0 && (
          <p class={`${controlsStyles.banner} ${controlsStyles.bannerCalm}`} role="status">
            <CheckIcon />
            {peopleTexts.passwordChanged}
          </p>
        )}
        <PasswordForm
          key={changes}
          onSubmit={async (form) => {
            await desk.changePassword(form);
            setChanges(changes + 1);
          }}
        />
      </section>
    </main>
  );
}

type Values = Readonly<Record<"present" | "next", string>>;

function PasswordForm(props: {
  /** Throws a `Failure`. */
  onSubmit: (form: { password: string; newPassword: string }) => Promise<void>;
}) {
  const form = useEntryForm(["present", "next"], check, ({ present, next }) =>
    props.onSubmit({ password: present, newPassword: next }),
  );
  const { values, errors } = form;
  return (
    <form
      class={peopleStyles.form}
      ref={form.formRef}
      onSubmit={form.submit}
      noValidate
      aria-busy={form.busy}
    >
      <EntryFailure form={form} sentence={sentenceOf} />
      <PasswordField
        id="present"
        label={peopleTexts.present}
        autocomplete="current-password"
        value={values.present}
        error={errors.present}
        onInput={(value) => form.set("present", value)}
      />
      <NewPasswordField form={form} field="next" label={peopleTexts.next} />
      <button
        type="submit"
        class={`${controlsStyles.button} ${controlsStyles.buttonMain}`}
        aria-disabled={form.busy}
      >
        {form.busy ? peopleTexts.passwordBusy : peopleTexts.passwordButton}
      </button>
    </form>
  );
}

function check({ present, next }: Values) {
  return {
    ...(present ? {} : { present: texts.passwordMissing }),
    ...faultOfNewPassword("next", next),
  };
}

function sentenceOf(failure: Failure): string {
  if (failure.code === "bad_request") return failure.detail ?? peopleTexts.passwordFailed;
  if (failure.code === "rate_limited") return failureText(failure.code, failure);
  return `${peopleTexts.passwordFailed} ${failureText(failure.code)}`;
}
