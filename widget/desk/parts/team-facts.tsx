import { useLayoutEffect, useRef, useState } from "preact/hooks";
import { codePoints } from "../../../shared/characters.ts";
import type { DeskConversation, TeamFactsChange } from "../../../shared/desk.ts";
import { EMAIL_ADDRESS } from "../../../shared/email-address.ts";
import controlsStyles from "../css/controls.module.css";
import customerStyles from "../css/customer.module.css";
import fieldStyles from "../css/field.module.css";
import { useDesk } from "../desk-context.ts";
import { troubleText } from "../failure-texts.ts";
import { factsForm } from "../forms-model.ts";
import { texts } from "../texts.ts";
import { MAX_EMAIL, MAX_NAME } from "./account-fields.tsx";
import { Field } from "./customer-facts.tsx";
import { FailureSentence } from "./failure-reason.tsx";
import { FormField } from "./form-field.tsx";
import { RegionHeading } from "./region-heading.tsx";
import { useEntryForm } from "./use-entry-form.ts";

/** The name and the address that the team typed, and the form that changes them. */
export function TeamFacts({ opened }: { opened: DeskConversation }) {
  const { board } = useDesk();
  const [isEditing, setEditing] = useState(board.formOf(factsForm(opened.id)) !== undefined);
  const section = useRef<HTMLElement>(null);
  const wasEditing = useRef(isEditing);
  useLayoutEffect(() => {
    // The pressed button disappeared. A form that was open before takes no focus.
    if (wasEditing.current !== isEditing)
      section.current?.querySelector<HTMLElement>("input, button")?.focus();
    wasEditing.current = isEditing;
  }, [isEditing]);
  const { team } = opened.customer;
  const hasFacts = team?.name !== undefined || team?.email !== undefined;
  return (
    <section ref={section}>
      <RegionHeading of="part">{texts.teamTitle}</RegionHeading>
      {isEditing ? (
        <TeamFactsForm opened={opened} onDone={() => setEditing(false)} />
      ) : (
        <>
          {hasFacts && (
            <dl>
              <TypedFacts team={team} />
            </dl>
          )}
          <button
            type="button"
            class={`${controlsStyles.button} ${customerStyles.teamEdit}`}
            onClick={() => setEditing(true)}
          >
            {hasFacts ? texts.teamEdit : texts.teamAdd}
          </button>
        </>
      )}
    </section>
  );
}

/** The name and address that the team typed, marked as such. */
export function TypedFacts({ team }: { team: NonNullable<DeskConversation["customer"]["team"]> }) {
  return (
    <>
      {team.name !== undefined && <TypedFact name={texts.nameLabel} value={team.name} />}
      {team.email !== undefined && <TypedFact name={texts.field.email} value={team.email} />}
    </>
  );
}

function TypedFact({ name, value }: { name: string; value: string }) {
  return (
    <Field name={name}>
      <bdi>{value}</bdi> <span class={customerStyles.unverified}>{texts.typedByTeam}</span>
    </Field>
  );
}

const FIELDS = ["team-name", "team-email"] as const;
type Values = Readonly<Record<(typeof FIELDS)[number], string>>;

function TeamFactsForm({ opened, onDone }: { opened: DeskConversation; onDone: () => void }) {
  const { board } = useDesk();
  const { team } = opened.customer;
  const name = factsForm(opened.id);
  const isShown = useRef(true);
  useLayoutEffect(
    () => () => {
      isShown.current = false;
    },
    [],
  );
  const form = useEntryForm(
    FIELDS,
    faultsOf,
    (values, before) => board.describeCustomer(opened.id, changeOf(values, before)),
    {
      name,
      initial: { "team-name": team?.name ?? "", "team-email": team?.email ?? "" },
      // The person may have cancelled, and opened another form.
      onSent: () => isShown.current && onDone(),
    },
  );
  return (
    <form ref={form.formRef} class={customerStyles.teamForm} noValidate onSubmit={form.submit}>
      {form.failure && (
        <p class={fieldStyles.fieldError} role="alert" tabIndex={-1} ref={form.failureRef}>
          <FailureSentence of={form.failure} sentence={(failure) => troubleText(texts.teamFailed, failure)} />
        </p>
      )}
      <FormField
        id="team-name"
        label={texts.nameLabel}
        type="text"
        autocomplete="off"
        maxLength={MAX_NAME}
        value={form.values["team-name"]}
        error={form.errors["team-name"]}
        onInput={(value) => form.set("team-name", value)}
      />
      <FormField
        id="team-email"
        label={texts.emailLabel}
        type="email"
        autocomplete="off"
        maxLength={MAX_EMAIL}
        value={form.values["team-email"]}
        error={form.errors["team-email"]}
        hint={texts.teamHint}
        onInput={(value) => form.set("team-email", value)}
      />
      <div class={customerStyles.teamButtons}>
        <button
          type="submit"
          class={`${controlsStyles.button} ${controlsStyles.buttonMain}`}
          aria-disabled={form.busy}
        >
          {form.busy ? texts.teamSaving : texts.teamSave}
        </button>
        <button
          type="button"
          class={controlsStyles.button}
          onClick={() => {
            board.dropForm(name);
            onDone();
          }}
        >
          {texts.teamCancel}
        </button>
      </div>
    </form>
  );
}

function faultsOf(values: Values): Partial<Record<(typeof FIELDS)[number], string>> {
  const [name, email] = [values["team-name"].trim(), values["team-email"].trim()];
  return {
    ...(codePoints(name) > MAX_NAME ? { "team-name": texts.teamNameTooLong } : {}),
    ...(email && !EMAIL_ADDRESS.test(email) ? { "team-email": texts.emailMissing } : {}),
  };
}

/** Only the fields that the person changed: a colleague may have changed the other one meanwhile. */
function changeOf(values: Values, before: Values): TeamFactsChange {
  const isChanged = (field: keyof Values) => values[field].trim() !== before[field];
  return {
    ...(isChanged("team-name") ? { name: values["team-name"].trim() || null } : {}),
    ...(isChanged("team-email") ? { email: values["team-email"].trim() || null } : {}),
  };
}
