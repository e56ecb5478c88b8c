import { useState } from "preact/hooks";
import type { DeskUser } from "../../../shared/desk.ts";
import type { Failure } from "../../../shared/errors.ts";
import { CheckIcon } from "../../elements/log-icons.tsx";
import controlsStyles from "../css/controls.module.css";
import peopleStyles from "../css/people.module.css";
import { useDesk } from "../desk-context.ts";
import { faultOfNewPassword, NewPasswordField } from "../parts/account-fields.tsx";
import { EntryFields, sentenceOf } from "../parts/entry-fields.tsx";
import { PageHead } from "../parts/page-head.tsx";
import { PasswordField } from "../parts/password-field.tsx";
import { useEntryForm } from "../parts/use-entry-form.ts";
import { peopleTexts } from "../people-texts.ts";
import { texts } from "../texts.ts";

/** The signed-in person, and their password. */
export function AccountPage({ me }: { me: DeskUser }) {
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
        <PasswordForm key={changes} onChanged={() => setChanges(changes + 1)} />
      </section>
    </main>
  );
}

type Values = Readonly<Record<"present" | "next", string>>;

function PasswordForm({ onChanged }: { onChanged: () => void }) {
  const desk = useDesk();
  const form = useEntryForm(["present", "next"], check, async ({ present, next }) => {
    await desk.changePassword({ password: present, newPassword: next });
    onChanged();
  });
  const { values, errors } = form;
  return (
    <EntryFields
      form={form}
      sentence={sentence}
      button={peopleTexts.passwordButton}
      busyButton={peopleTexts.passwordBusy}
      class={peopleStyles.form}
    >
      <PasswordField
        id="present"
        label={peopleTexts.present}
        autocomplete="current-password"
        value={values.present}
        error={errors.present}
        onInput={(value) => form.set("present", value)}
      />
      <NewPasswordField form={form} field="next" label={peopleTexts.next} />
    </EntryFields>
  );
}

function check({ present, next }: Values) {
  return {
    ...(present ? {} : { present: texts.passwordMissing }),
    ...faultOfNewPassword("next", next),
  };
}

function sentence(failure: Failure): string {
  return sentenceOf(failure, peopleTexts.passwordFailed);
}
