import { type Finding, readDoctor } from "../../shared/api/doctor.ts";
import type { Clock } from "../clock.ts";
import { diagnosisOf } from "../doctor/finding.ts";
import { respondOwn, route } from "../route.ts";

/** An examination makes calls with an effect: whoever asks sooner gets the last one. */
const KEEP_MS = 10_000;

/** Says what is wrong between this BFF and its service. The page's own side, the page finds out itself. */
export function createReadDoctor(deps: {
  readonly clock: Clock;
  readonly examine: () => Promise<readonly Finding[]>;
}) {
  let last: { readonly at: number; readonly findings: Promise<readonly Finding[]> } | undefined;
  return route(readDoctor, async (exchange) => {
    const now = deps.clock.now();
    if (!last || now - last.at >= KEEP_MS) last = { at: now, findings: deps.examine() };
    return respondOwn(exchange, diagnosisOf(await last.findings));
  });
}
