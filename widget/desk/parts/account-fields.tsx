import { codePoints } from "../../../shared/characters.ts";
import { EMAIL_ADDRESS } from "../../../shared/email-address.ts";
import { texts } from "../texts.ts";
import { FormField } from "./form-field.tsx";
import { PasswordField } from "./password-field.tsx";
import { missingOf, PasswordLength } from "./password-length.tsx";
import type { EntryForm } from "./use-entry-form.ts";

export const MAX_NAME = 100;
export const MAX_EMAIL = 254;

type FormWith<Field extends string> = Pick<EntryForm<Field>, "values" | "errors" | "set">;

/**
 * The e-mail address for signing in. `isOwn`: it belongs to the person typing, so a password manager may fill it in.
 */
export function EmailField(props: { form: FormWith<"email">; isOwn: boolean; hint?: string }) {
  const { form, isOwn, hint } = props;
  return (
    <FormField
      id="email"
      label={texts.emailLabel}
      hint={hint}
      type="email"
      autocomplete={isOwn ? "username" : "off"}
      maxLength={MAX_EMAIL}
      value={form.values.email}
      error={form.errors.email}
      onInput={(value) => form.set("email", value)}
    />
  );
}

/** The name that customers see. `isOwn` as above. */
export function NameField(props: { form: FormWith<"name">; isOwn: boolean; hint: string }) {
  const { form, isOwn, hint } = props;
  return (
    <FormField
      id="name"
      label={texts.nameLabel}
      hint={hint}
      type="text"
      autocomplete={isOwn ? "name" : "off"}
      maxLength={MAX_NAME}
      value={form.values.name}
      error={form.errors.name}
      onInput={(value) => form.set("name", value)}
    />
  );
}

/** A new password, with its length so far. */
export function NewPasswordField<Field extends string>(props: {
  form: FormWith<Field>;
  field: Field;
  label?: string;
}) {
  const { form, field, label } = props;
  const value = form.values[field];
  return (
    <PasswordField
      id={field}
      label={label}
      autocomplete="new-password"
      hint={texts.passwordHint}
      value={value}
      error={form.errors[field]}
      onInput={(next) => form.set(field, next)}
    >
      <PasswordLength length={value.length} />
    </PasswordField>
  );
}

/** The name as it is sent: single spaces, none at its ends. */
export function cleanName(name: string): string {
  return name.trim().replace(/\s+/g, " ");
}

/** The faults of an address and a name, as sentences by field. */
export function faultsOfPerson({ email, name }: { readonly email: string; readonly name: string }) {
  const trimmed = name.trim();
  return {
    ...faultOfEmail(email),
    ...(trimmed && codePoints(trimmed) <= MAX_NAME ? {} : { name: texts.nameMissing }),
  };
}

export function faultOfEmail(email: string): { email?: string } {
  return EMAIL_ADDRESS.test(email.trim()) ? {} : { email: texts.emailMissing };
}

/** The sentence about a new password's fault, by field. */
export function faultOfNewPassword<Field extends string>(
  field: Field,
  password: string,
): Partial<Record<Field, string>> {
  const tooShort = missingOf(password);
  return (tooShort ? { [field]: tooShort } : {}) as Partial<Record<Field, string>>;
}
