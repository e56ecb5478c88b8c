import { Failure } from "../../../shared/errors.ts";
import { type Reason, useWaitOver } from "../../elements/use-wait-over.ts";
import { useDesk } from "../desk-context.ts";
import { failureText } from "../failure-texts.ts";

/** Why something failed; once the time to wait has passed, that it may be tried again. */
export function FailureReason({ of }: { of: Reason & { readonly detail?: string | undefined } }) {
  const isOver = useWaitOver(of, useDesk());
  return <>{failureText(of.code ?? "not_confirmed", isOver ? { ...of, retryAfter: 0 } : of)}</>;
}

/** The sentence about a failure; once the time to wait has passed, the sentence for no more seconds. */
export function FailureSentence(props: { of: Failure; sentence: (failure: Failure) => string }) {
  const { of, sentence } = props;
  const isOver = useWaitOver(of, useDesk());
  return <>{sentence(isOver ? new Failure(of.code, { detail: of.detail, retryAfter: 0 }) : of)}</>;
}
