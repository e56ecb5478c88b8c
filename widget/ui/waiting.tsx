import type { Wait } from "../../shared/handoff.ts";
import { usePanel } from "./panel-context.ts";
import { timeOf } from "./time-words.ts";
import { useOpening } from "./use-opening.ts";
import { whenOf } from "./wait-words.ts";

/** The known facts about the wait for a person: when support opens, the place in the queue, the usual time. */
export function Waiting({ place, usualSeconds, opensAt }: Wait) {
  const { texts, locale, environment } = usePanel();
  const opening = useOpening(opensAt);
  const isClosed = typeof opening === "object";
  const facts = [
    ...(isClosed ? [texts.opens(whenOf(opening.opensAt, locale, environment.now()))] : []),
    ...(place === undefined ? [] : [texts.queuePlace(new Intl.NumberFormat(locale).format(place))]),
    // Others waited that long while somebody was there.
    ...(usualSeconds === undefined || isClosed ? [] : [texts.usualWait(timeOf(usualSeconds, locale))]),
  ];
  return facts.length > 0 ? <p>{facts.join(" · ")}</p> : null;
}
