import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";
import styles from "../css/field.module.css";
import { texts } from "../texts.ts";
import { EyeIcon } from "./desk-icons.tsx";
import { FormField } from "./form-field.tsx";

interface PasswordFieldProps {
  /** If a form has more than one. */
  readonly id?: string;
  readonly label?: string | undefined;
  readonly value: string;
  readonly onInput: (value: string) => void;
  readonly autocomplete: "current-password" | "new-password";
  readonly hint?: string;
  readonly error?: string | undefined;
  readonly children?: ComponentChildren;
}

/** A password that can be shown: people who see what they type choose longer ones. */
export function PasswordField(props: PasswordFieldProps) {
  const [shown, setShown] = useState(false);
  return (
    <FormField
      {...props}
      id={props.id ?? "password"}
      label={props.label ?? texts.passwordLabel}
      type={shown ? "text" : "password"}
      maxLength={256}
      aside={
        <button
          type="button"
          class={styles.fieldButton}
          aria-pressed={shown}
          aria-label={shown ? texts.hidePassword : texts.showPassword}
          onClick={() => setShown(!shown)}
        >
          <EyeIcon />
        </button>
      }
    />
  );
}
