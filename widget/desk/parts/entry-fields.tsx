import type { ComponentChildren } from "preact";
import { Failure } from "../../../shared/errors.ts";
import { AlertIcon } from "../../ui/icons.tsx";
import { useWaitOver } from "../../ui/use-wait-over.ts";
import styles from "../css/controls.module.css";
import { useDesk } from "../desk-context.ts";
import { troubleText } from "../texts.ts";
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
  const isOver = useWaitOver(failure, useDesk());
  const shown =
    isOver && failure ? new Failure(failure.code, { detail: failure.detail, retryAfter: 0 }) : failure;
  return (
    <form class={props.class} ref={formRef} onSubmit={submit} noValidate aria-busy={busy}>
      {shown && (
        <p class={`${styles.banner} ${styles.bannerDanger}`} role="alert" tabIndex={-1} ref={failureRef}>
          <AlertIcon />
          {props.sentence(shown)}
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
