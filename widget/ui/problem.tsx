import { problemText } from "../app/problem-texts.ts";
import { type Reason, useWaitOver } from "../elements/use-wait-over.ts";
import { usePanel } from "./panel-context.ts";

/** Why something failed; once the time to wait has passed, that it may be tried again. */
export function Problem({ failure }: { failure: Reason }) {
  const { texts, environment } = usePanel();
  const { code = "not_confirmed", retryAfter } = failure;
  const isOver = useWaitOver(failure, environment);
  return <>{isOver ? texts.waitOver : problemText(texts, { code, retryAfter })}</>;
}
