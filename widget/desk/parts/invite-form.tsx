import { useState } from "preact/hooks";
import type { DeskPerson } from "../../../shared/desk.ts";
import type { Failure } from "../../../shared/errors.ts";
import controlsStyles from "../css/controls.module.css";
import peopleStyles from "../css/people.module.css";
import { peopleTexts } from "../people-texts.ts";
import { failureText } from "../texts.ts";
import { cleanName, EmailField, faultsOfPerson, NameField } from "./account-fields.tsx";
import { EntryFailure } from "./entry-failure.tsx";
import { useEntryForm } from "./use-entry-form.ts";

type Role = DeskPerson["role"];
const ROLES: readonly Role[] = ["agent", "admin"];

interface InviteFormProps {
  /** Throws a `Failure`. */
  readonly onSubmit: (form: { email: string; name: string; role: Role }) => Promise<void>;
}

/** Begins anew after each invitation. */
export function InviteForm(props: InviteFormProps) {
  const [made, setMade] = useState(0);
  return (
    <Fields
      key={made}
      onSubmit={async (form) => {
        await props.onSubmit(form);
        setMade(made + 1);
      }}
    />
  );
}

function Fields(props: InviteFormProps) {
  const [role, setRole] = useState<Role>("agent");
  const form = useEntryForm(["email", "name"], faultsOfPerson, ({ email, name }) =>
    props.onSubmit({ email: email.trim(), name: cleanName(name), role }),
  );
  return (
    <form
      class={peopleStyles.form}
      ref={form.formRef}
      onSubmit={form.submit}
      noValidate
      aria-busy={form.busy}
    >
      <EntryFailure form={form} sentence={sentenceOf} />
      <EmailField form={form} isOwn={false} hint={peopleTexts.emailHint} />
      <NameField form={form} isOwn={false} hint={peopleTexts.nameHint} />
      <fieldset class={peopleStyles.choice}>
        <legend>{peopleTexts.roleLabel}</legend>
        {ROLES.map((each) => (
          <label key={each}>
            <input type="radio" name="role" checked={role === each} onChange={() => setRole(each)} />
            <span>
              {peopleTexts.role[each]}
              <small>{peopleTexts.roleHint[each]}</small>
            </span>
          </label>
        ))}
      </fieldset>
      <button
        type="submit"
        class={`${controlsStyles.button} ${controlsStyles.buttonMain}`}
        aria-disabled={form.busy}
      >
        {form.busy ? peopleTexts.inviteBusy : peopleTexts.inviteButton}
      </button>
    </form>
  );
}

function sentenceOf(failure: Failure): string {
  if (failure.code === "bad_request") return failure.detail ?? peopleTexts.inviteFailed;
  if (failure.code === "forbidden" || failure.code === "rate_limited") {
    return failureText(failure.code, failure);
  }
  return `${peopleTexts.inviteFailed} ${failureText(failure.code)}`;
}
