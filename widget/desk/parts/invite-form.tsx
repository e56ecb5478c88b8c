import { useState } from "preact/hooks";
import type { DeskPerson } from "../../../shared/desk.ts";
import peopleStyles from "../css/people.module.css";
import { useDesk } from "../desk-context.ts";
import { peopleTexts } from "../people-texts.ts";
import { cleanName, EmailField, faultsOfPerson, NameField } from "./account-fields.tsx";
import { EntryFields, sentenceOf } from "./entry-fields.tsx";
import { useEntryForm } from "./use-entry-form.ts";

type Role = DeskPerson["role"];
const ROLES: readonly Role[] = ["agent", "admin"];

/** Is empty again after each invitation. */
export function InviteForm() {
  const [made, setMade] = useState(0);
  return <Fields key={made} onMade={() => setMade(made + 1)} />;
}

function Fields({ onMade }: { onMade: () => void }) {
  const { people } = useDesk();
  const [role, setRole] = useState<Role>("agent");
  const form = useEntryForm(["email", "name"], faultsOfPerson, async ({ email, name }) => {
    await people.invite({ email: email.trim(), name: cleanName(name), role });
    onMade();
  });
  return (
    <EntryFields
      form={form}
      sentence={(failure) => sentenceOf(failure, peopleTexts.inviteFailed)}
      button={peopleTexts.inviteButton}
      busyButton={peopleTexts.inviteBusy}
      class={peopleStyles.form}
    >
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
    </EntryFields>
  );
}
