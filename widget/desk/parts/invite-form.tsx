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
  const form = useEntryForm(
    ["email", "name", "role"],
    faultsOfPerson,
    ({ email, name, role }) =>
      people.invite({ email: email.trim(), name: cleanName(name), role: role as Role }),
    { name: "invitation", initial: { role: "agent" }, onSent: onMade },
  );
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
            <input
              type="radio"
              name="role"
              checked={form.values.role === each}
              onChange={() => form.set("role", each)}
            />
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
