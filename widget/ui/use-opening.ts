import { useMemo } from "preact/hooks";
import { type Opening, openingAt } from "../app/opening.ts";
import { createMinute } from "./minute.ts";
import { usePanel } from "./panel-context.ts";

/**
 * Whether support is open now, by its hours; undefined if they are not known. @param known when it opens, if the
 * service reported it; newer than the session's own hours
 */
export function useOpening(known?: string): Opening | undefined {
  const { chat, environment } = usePanel();
  const minute = useMemo(() => createMinute(environment), [environment]);
  const session = chat.session.state.value;
  const hours = session.kind === "ready" ? session.hours : undefined;
  if (!hours && known === undefined) return undefined;
  // Read, so that what was true a minute ago is drawn again.
  void minute.value;
  const now = environment.now();
  const fresh = known === undefined ? undefined : openingAt({ opensAt: known }, now);
  return fresh ?? (hours && openingAt(hours, now));
}
