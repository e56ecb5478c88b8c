import { CheckIcon } from "../../elements/log-icons.tsx";
import styles from "../css/field.module.css";
import { texts } from "../texts.ts";

/** The shared `Password` rule: only length. The service refuses common ones. */
const MIN_PASSWORD = 12;

/** The sentence about a password that is too short; undefined when it is long enough. */
export function missingOf(password: string): string | undefined {
  const missing = MIN_PASSWORD - password.length;
  return missing > 0 ? texts.passwordTooShort(missing) : undefined;
}

/** Shows only the length. A "strength" meter would promise something unverified. */
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
