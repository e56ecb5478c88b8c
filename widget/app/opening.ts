import type { OpeningHours } from "../../shared/handoff.ts";

/** "open", or when support opens next. */
export type Opening = "open" | { readonly opensAt: string };

/** The state of support by its hours at `now`; undefined after the last change that they name. */
export function openingAt({ opensAt, closesAt }: OpeningHours, now: number): Opening | undefined {
  if (opensAt === undefined && closesAt === undefined) return "open";
  const [opens, closes] = [opensAt, closesAt].map((at) => {
    const change = Date.parse(at ?? "");
    return change > now ? change : Number.POSITIVE_INFINITY;
  }) as [number, number];
  if (closes < opens) return "open";
  return opens < closes && opensAt !== undefined ? { opensAt } : undefined;
}
