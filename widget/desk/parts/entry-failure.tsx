import type { Failure } from "../../../shared/errors.ts";
import { AlertIcon } from "../../ui/icons.tsx";
import styles from "../css/controls.module.css";
import type { EntryForm } from "./use-entry-form.ts";

/** Why the service did not let the form through; it takes the focus when it appears. */
export function EntryFailure<Field extends string>(props: {
  form: EntryForm<Field>;
  sentence: (failure: Failure) => string;
}) {
  const { failure, failureRef } = props.form;
  if (!failure) return null;
  return (
    <p class={`${styles.banner} ${styles.bannerDanger}`} role="alert" tabIndex={-1} ref={failureRef}>
      <AlertIcon />
      {props.sentence(failure)}
    </p>
  );
}
