import { type Reason, useWaitOver } from "../../ui/use-wait-over.ts";
import { useDesk } from "../desk-context.ts";
import { failureText } from "../texts.ts";

/** Why something failed; once the time to wait has passed, that it may be tried again. */
export function FailureReason({ of }: { of: Reason & { readonly detail?: string | undefined } }) {
  const isOver = useWaitOver(of, useDesk());
  return <>{failureText(of.code ?? "not_confirmed", isOver ? { ...of, retryAfter: 0 } : of)}</>;
}
