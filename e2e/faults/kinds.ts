import { BACK_KINDS } from "./back-kinds.ts";
import { FRONT_KINDS } from "./front-kinds.ts";
import type { Kind } from "./kind.ts";
import { processKinds } from "./process-kinds.ts";

/** The kinds that need no browser, by name: 10 between widget and BFF, 14 between BFF and service, 8 of processes. */
export function allKinds(stopMs: number): readonly Kind[] {
  return [...FRONT_KINDS, ...BACK_KINDS, ...processKinds(stopMs)];
}
