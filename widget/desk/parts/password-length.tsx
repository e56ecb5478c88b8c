import { CheckIcon } from "../../ui/log-icons.tsx";
import styles from "../css/field.module.css";
import { texts } from "../texts.ts";

/** The shared `Password` rule: length alone. Whether it is a common one the service says. */
const MIN_PASSWORD = 12;

/** What is missing of a new password, as a sentence; undefined when it is long enough. */
export function missingOf(password: string): string | undefined {
  const missing = MIN_PASSWORD - password.length;
  return missing > 0 ? texts.passwordTooShort(missing) : undefined;
}

/** The one honest measure: the length. A coloured guess of "strength" would promise what nobody checked. */
export function PasswordLength({ length }: { length: number }) {
  if (length === 0) return null;
  const enough = length >= MIN_PASSWORD;
  return (
    <p class={styles.passwordLength} data-enough={enough}>
      <progress max={MIN_PASSWORD} value={Math.min(length, MIN_PASSWORD)} aria-hidden="true" />
      <span>
        {enough && <CheckIcon />}
        {enough ? texts.passwordLongEnough : texts.passwordCount(length)}
      </span>
    </p>
  );
}
