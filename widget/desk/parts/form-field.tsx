import type { ComponentChildren } from "preact";
import { AlertIcon } from "../../elements/icons.tsx";
import styles from "../css/field.module.css";

interface FieldProps {
  readonly id: string;
  readonly label: string;
  readonly value: string;
  readonly onInput: (value: string) => void;
  readonly hint?: string | undefined;
  readonly error?: string | undefined;
  readonly type: "email" | "text" | "password";
  readonly autocomplete: "username" | "name" | "current-password" | "new-password" | "off";
  readonly maxLength: number;
  /** Inside the field's box, such as the button that shows a password. */
  readonly aside?: ComponentChildren;
  /** Below the field, such as the length of a password. */
  readonly children?: ComponentChildren;
}

/** A labelled text field with its hint and its error, both linked for screen readers. */
export function FormField(props: FieldProps) {
  const hintId = props.hint ? `${props.id}-hint` : undefined;
  const errorId = props.error ? `${props.id}-error` : undefined;
  return (
    <div class={styles.field}>
      <label for={props.id}>{props.label}</label>
      <div class={styles.fieldBox}>
        <Input {...props} describedBy={[errorId, hintId].filter(Boolean).join(" ") || undefined} />
        {props.aside}
      </div>
      {props.error && (
        <p class={styles.fieldError} id={errorId}>
          <AlertIcon />
          {props.error}
        </p>
      )}
      {props.hint && (
        <p class={styles.fieldHint} id={hintId}>
          {props.hint}
        </p>
      )}
      {props.children}
    </div>
  );
}

function Input(props: FieldProps & { describedBy: string | undefined }) {
  const attributes = {
    id: props.id,
    name: props.id,
    value: props.value,
    onInput: (event: { currentTarget: HTMLInputElement }) => props.onInput(event.currentTarget.value),
    autocomplete: props.autocomplete,
    autocapitalize: "off",
    spellcheck: false,
    maxLength: props.maxLength,
    dir: "auto",
    "aria-invalid": props.error ? ("true" as const) : undefined,
    "aria-describedby": props.describedBy,
  } as const;
  // The types know one kind of input for each type, so each is written out.
  if (props.type === "email") return <input {...attributes} type="email" />;
  if (props.type === "password") return <input {...attributes} type="password" />;
  return <input {...attributes} type="text" />;
}
