import type { RouteContext } from "../match.ts";
import type { RuleInput } from "../rule.ts";

/** The winner's number by a naive implementation: every condition written out, patterns as regular expressions. */
export function naiveWinner(
  rules: readonly RuleInput[],
  context: RouteContext,
  state: "open" | "closed",
): number | null {
  const index = rules.findIndex(({ match: { not, ...match }, trust }) => {
    const excluded = not !== undefined && naiveHolds({ match: not, trust }, context, state);
    return naiveHolds({ match, trust }, context, state) && !excluded;
  });
  return index < 0 ? null : index + 1;
}

function naiveHolds(
  { match, trust }: Pick<RuleInput, "match" | "trust">,
  context: RouteContext,
  state: "open" | "closed",
): boolean {
  if (match.hours && match.hours !== state) return false;
  if (match.identified === true && !context.identified) return false;
  if (match.identified === false && context.identified) return false;
  if (match.userIDs) {
    if (!context.identified || !context.externalId) return false;
    if (!match.userIDs.includes(context.externalId)) return false;
  }
  if (match.locales) {
    const parts = (context.locale ?? "").toLowerCase().split("-");
    const starts = parts.map((_, index) => parts.slice(0, index + 1).join("-"));
    if (!match.locales.some((range) => starts.includes(range.toLowerCase()))) return false;
  }
  if (match.pages) {
    if (context.page === undefined) return false;
    const path = new URL(context.page, "https://site.example").pathname
      .replace(/\/+/g, "/")
      .replace(/(.)\/$/, "$1");
    if (!match.pages.some((glob) => expressionOf(glob).test(path))) return false;
  }
  const stated = trust === "page" ? context.pageAttributes : {};
  const known: Record<string, unknown> = { ...stated, ...(context.identified ? context.attributes : {}) };
  return Object.entries(match.attributes ?? {}).every(([key, wanted]) => {
    const value = known[key];
    if (Array.isArray(wanted)) return wanted.some((one) => one === value);
    if (typeof value !== "number") return false;
    if (wanted.atLeast !== undefined && value < wanted.atLeast) return false;
    if (wanted.atMost !== undefined && value > wanted.atMost) return false;
    if (wanted.above !== undefined && value <= wanted.above) return false;
    return wanted.below === undefined || value < wanted.below;
  });
}

/** Sufficient for the test's letters, and implemented differently from the matcher. */
function expressionOf(glob: string): RegExp {
  const segments = glob.split("/").filter(Boolean);
  const source = segments.map((segment) => {
    return segment === "**" ? "(?:/[^/]+)*" : `/(?!/|$)${segment.replaceAll("*", "[^/]*")}`;
  });
  return new RegExp(
    `^(?:${source.join("")}|${source.join("") === "" ? "/" : "(?!)"}|${source.every((part) => part.startsWith("(?:/")) ? "/" : "(?!)"})$`,
  );
}
