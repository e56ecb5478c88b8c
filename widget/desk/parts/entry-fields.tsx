import type { ComponentChildren } from "preact";
import type { Failure } from "../../../shared/errors.ts";
import { AlertIcon } from "../../elements/icons.tsx";
import styles from "../css/controls.module.css";
import { troubleText } from "../failure-texts.ts";
import { FailureSentence } from "./failure-reason.tsx";
import { MainButton } from "./main-button.tsx";
import type { EntryForm } from "./use-entry-form.ts";

/**
 * A form: why the service refused it, its fields, and the button that sends it. The reason takes the focus when it
 * appears.
 */
export function EntryFields<Field extends string>(props: {
  form: EntryForm<Field>;
  sentence: (failure: Failure) => string;
  /** The button's text, and the one while the form is being sent. */
  button: string;
  busyButton: string;
  class?: string | undefined;
  children: ComponentChildren;
}) {
  const { failure, failureRef, formRef, submit, busy } = props.form;
  return (
    <form class={props.class} ref={formRef} onSubmit={submit} noValidate aria-busy={busy}>
      {failure && (
        <p class={`${styles.banner} ${styles.bannerDanger}`} role="alert" tabIndex={-1} ref={failureRef}>
          <AlertIcon />
          <FailureSentence of={failure} sentence={props.sentence} />
        </p>
      )}
      {props.children}
      <MainButton type="submit" busy={busy}>
        {busy ? props.busyButton : props.button}
      </MainButton>
    </form>
  );
}

/** The sentence of a form that was not accepted: the service's own for a rejected value. */
export function sentenceOf(failure: Failure, failed: string): string {
  if (failure.code === "bad_request") return failure.detail ?? failed;
  return troubleText(failed, failure);
}
