import { decideRoute, type RouteDecision, type Routing } from "../../bff/routing/decide.ts";
import { isOpen, nextChange, type SupportHours } from "../../bff/routing/hours.ts";
import type { Facts, RouteContext } from "../../bff/routing/match.ts";
import { TARGETS } from "../../bff/routing/rule.ts";
import { readRouting } from "../../bff/routing/settings.ts";
import { offeredTargets } from "../../service/start-faults.ts";
import { createEnvironmentReader, type Environment } from "../../shared/server/environment.ts";
import { findTargetFaults, routingWarnings } from "../../start/routing-faults.ts";
import { asksForHelp } from "../asks-for-help.ts";
import type { CommandResult } from "../command-result.ts";
import { explainMatch, explainMiss } from "./explain-match.ts";
import { type RouteQuestion, readQuestion, USAGE } from "./question.ts";
import { joinWords } from "./words.ts";

/**
 * Answers `npm run route`: which rule wins for the customer that the arguments describe, and why.
 *
 * @param options.readFile a file's text; throws when it can't be read
 * @param options.now milliseconds since 1970, used without `--at`
 */
export function explainRoute(options: {
  readonly args: readonly string[];
  readonly env: Environment;
  readonly readFile: (path: string) => string;
  readonly now: number;
}): CommandResult {
  const { args, env, readFile, now } = options;
  if (asksForHelp(args)) return { output: `${USAGE}\n`, errors: "", exitCode: 0 };
  let question: RouteQuestion;
  try {
    question = readQuestion(args, now);
  } catch (error) {
    return { output: "", errors: `${error instanceof Error ? error.message : String(error)}\n`, exitCode: 2 };
  }
  const reader = createEnvironmentReader(env, readFile);
  const routing = readRouting(reader);
  // Only the embedded service's targets are known here.
  const offered = reader.text("BASE_URL") === undefined ? offeredTargets(env, readFile) : {};
  const faults = reader.faults.length > 0 ? reader.faults : findTargetFaults(routing, offered);
  if (faults.length > 0) {
    const errors = faults.map(({ name, fault }) => `${name} ${fault}\n`).join("");
    return { output: "", errors, exitCode: 1 };
  }
  const decision = decideRoute(routing, question.context, question.at);
  const output = question.json
    ? JSON.stringify(asJson(routing, question, decision), null, 2)
    : inSentences(routing, question, decision).join("\n");
  return { output: `${output}\n`, errors: "", exitCode: 0 };
}

function asJson(routing: Routing, { context, at }: RouteQuestion, decision: RouteDecision) {
  const { hours } = routing;
  const opening = hours && (isOpen(hours, at) ? at : nextChange(hours, at));
  const open = hours && {
    timeZone: hours.timeZone,
    open: isOpen(hours, at),
    nextOpening: opening === undefined ? null : new Date(opening).toISOString(),
  };
  return {
    ...decision,
    context,
    at: new Date(at).toISOString(),
    hours: open,
    warnings: routingWarnings(routing),
  };
}

function inSentences(routing: Routing, { context, at }: RouteQuestion, decision: RouteDecision): string[] {
  const { rules, hours } = routing;
  const explain = (number: number, say: (rule: Routing["rules"][number], facts: Facts) => string) => {
    const rule = rules[number - 1];
    if (!rule) return "";
    const open = hours && (isOpen(hours, at) ? "open" : "closed");
    return say(rule, { ...context, hours: open, trustsPage: rule.trust === "page" });
  };
  const losers = decision.trace.map(({ rule: number, misses }) => {
    const why = explain(number, ({ match }, facts) =>
      joinWords(misses.map((key) => explainMiss(key, match, facts))),
    );
    return `Rule ${number} does not hold: ${why}.`;
  });
  const winner = decision.rule;
  return [
    verdict(decision, rules.length),
    `Customer: ${describe(context)}.`,
    ...(hours ? [describeHours(hours, at)] : []),
    ...losers,
    ...(winner === null
      ? []
      : [`Rule ${winner} holds: ${explain(winner, ({ match }, facts) => explainMatch(match, facts))}.`]),
    ...routingWarnings(routing).map((warning) => `Warning: ${warning}`),
    "The service's own answer decides; this is what the BFF will ask for.",
  ];
}

function verdict({ rule, wish, reason }: RouteDecision, count: number): string {
  const parts = TARGETS.flatMap((key) =>
    wish[key] === undefined ? [] : [`${key} ${JSON.stringify(wish[key])}`],
  );
  const asked = parts.length === 0 ? "the service chooses" : joinWords(parts);
  if (rule !== null) return `Rule ${rule} wins: ${asked}. Reason: ${reason}.`;
  return count === 0 ? `There are no rules: ${asked}.` : `No rule holds, so the defaults apply: ${asked}.`;
}

function describe(context: RouteContext): string {
  const { locale, page, externalId, identified, attributes = {}, pageAttributes = {} } = context;
  const quote = (value: unknown) => JSON.stringify(value);
  const list = (traits: object, from: string) =>
    Object.entries(traits).map(([key, value]) => `${key} ${quote(value)} (${from})`);
  return [
    identified ? `identified${externalId === undefined ? "" : ` as ${quote(externalId)}`}` : "anonymous",
    locale === undefined ? "language not known" : `language ${quote(locale)}`,
    page === undefined ? "page not known" : `page ${quote(page)}`,
    ...list(attributes, "verified"),
    ...list(pageAttributes, "from the page"),
  ].join(", ");
}

function describeHours(hours: SupportHours, at: number): string {
  const format = new Intl.DateTimeFormat("en-GB", {
    timeZone: hours.timeZone,
    weekday: "long",
    day: "numeric",
    month: "long",
    year: "numeric",
    hour: "2-digit",
    minute: "2-digit",
  });
  const show = (instant: number) => format.format(instant).replace(" at ", ", ");
  const when = `it is ${show(at)} in ${hours.timeZone}`;
  if (isOpen(hours, at)) return `Support is open: ${when}.`;
  const opening = nextChange(hours, at);
  const next = opening === undefined ? "does not open within 30 days" : `opens ${show(opening)}`;
  return `Support is closed: ${when}, and it ${next}.`;
}
