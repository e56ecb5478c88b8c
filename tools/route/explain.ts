import { decideRoute, type RouteDecision, type Routing } from "../../bff/routing/decide.ts";
import { type RoutingFault, sentenceOf } from "../../bff/routing/fault.ts";
import { isOpen, nextOpening, type SupportHours } from "../../bff/routing/hours.ts";
import type { RouteContext } from "../../bff/routing/match.ts";
import { type RouteWish, TARGETS } from "../../bff/routing/rule.ts";
import { readRouting } from "../../bff/routing/settings.ts";
import { joinWords, quote } from "../../bff/routing/wording.ts";
import { type RouteQuestion, readQuestion, USAGE } from "./explain-arguments.ts";
import { explainMatch, explainMiss } from "./explain-match.ts";

export interface Explanation {
  /** For standard output; ends with a line feed, or is empty. */
  readonly output: string;
  /** For standard error, likewise. */
  readonly errors: string;
  /** 0: answered. 1: the configuration is wrong. 2: the question is wrong. */
  readonly exitCode: 0 | 1 | 2;
}

export interface ExplainOptions {
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string | undefined>>;
  /** A file's text; throws when it can't be read. */
  readonly readFile: (path: string) => string;
  /** Milliseconds since 1970, where `--at` is not given. */
  readonly now: number;
}

/** Answers `npm run route`: which rule wins for the customer that the arguments describe, and why, in sentences. */
export function explainRoute({ args, env, readFile, now }: ExplainOptions): Explanation {
  const asked: string[] = [];
  const question = readQuestion(args, now, (fault) => asked.push(fault));
  if (question.help) return { output: `${USAGE}\n`, errors: "", exitCode: 0 };
  const routing = readRouting(env, readFile);
  const faults: readonly ShownFault[] = [
    ...(routing.ok ? [] : routing.faults.map(showFault)),
    ...asked.map((sentence) => ({ sentence })),
  ];
  if (!routing.ok || faults.length > 0) {
    const exitCode = routing.ok ? 2 : 1;
    if (question.json) return { output: `${JSON.stringify({ faults }, null, 2)}\n`, errors: "", exitCode };
    return { output: "", errors: faults.map(({ sentence }) => `${sentence}\n`).join(""), exitCode };
  }
  const decision = decideRoute(routing.value, question.context, question.at);
  const output = question.json
    ? JSON.stringify(asJson(routing.value, question, decision), null, 2)
    : inSentences(routing.value, question, decision).join("\n");
  return { output: `${output}\n`, errors: "", exitCode: 0 };
}

interface ShownFault {
  readonly sentence: string;
  readonly name?: string;
  readonly rule?: number | undefined;
  readonly key?: string | undefined;
}

function showFault(fault: RoutingFault): ShownFault {
  return { name: fault.name, rule: fault.rule, key: fault.key, sentence: sentenceOf(fault) };
}

function asJson(
  { hours }: Routing,
  { context, at }: RouteQuestion,
  { rule, wish, reason, trace }: RouteDecision,
) {
  const opening = hours && nextOpening(hours, at);
  return {
    rule,
    wish,
    reason,
    trace,
    context,
    at: new Date(at).toISOString(),
    ...(hours === undefined
      ? {}
      : {
          hours: {
            timeZone: hours.timeZone,
            open: isOpen(hours, at),
            nextOpening: typeof opening === "number" ? new Date(opening).toISOString() : null,
          },
        }),
  };
}

function inSentences(routing: Routing, { context, at }: RouteQuestion, decision: RouteDecision): string[] {
  const { rules, hours } = routing;
  const isCustomerOpen = hours && isOpen(hours, at);
  const lines = [verdict(decision, rules.length), `Customer: ${describe(context)}.`];
  if (hours) lines.push(describeHours(hours, at));
  for (const { rule, misses } of decision.trace) {
    const match = rules[rule - 1]?.match;
    const why = match ? misses.map((key) => explainMiss(key, match, context, isCustomerOpen)) : [];
    lines.push(`Rule ${rule} does not hold: ${joinWords(why)}.`);
  }
  const winner = decision.rule === null ? undefined : rules[decision.rule - 1];
  if (winner) lines.push(`Rule ${winner.number} holds: ${explainMatch(winner.match, context)}.`);
  lines.push("The service's own answer decides; this is what it will be asked for.");
  return lines;
}

function verdict({ rule, wish, reason }: RouteDecision, count: number): string {
  const asked = describeWish(wish);
  if (rule !== null) return `Rule ${rule} wins: ${asked}. Reason: ${reason}.`;
  if (count === 0) return `There are no rules: ${asked}.`;
  return `No rule holds, so the defaults do: ${asked}.`;
}

function describeWish(wish: RouteWish): string {
  const parts = TARGETS.flatMap((key) => (wish[key] === undefined ? [] : [`${key} ${quote(wish[key])}`]));
  return parts.length === 0 ? "the service chooses" : joinWords(parts);
}

function describe(context: RouteContext): string {
  const { locale, page, externalId, identified, attributes = {}, pageAttributes = {} } = context;
  const list = (traits: object, by: string) =>
    Object.entries(traits).map(([key, value]) => `${key} ${quote(value)} (${by})`);
  return [
    identified ? `identified${externalId === undefined ? "" : ` as ${quote(externalId)}`}` : "anonymous",
    locale === undefined ? "language not known" : `language ${quote(locale)}`,
    page === undefined ? "page not known" : `page ${quote(page)}`,
    ...list(attributes, "verified"),
    ...list(pageAttributes, "from the page"),
  ].join(", ");
}

function describeHours(hours: SupportHours, at: number): string {
  const show = (instant: number) =>
    new Intl.DateTimeFormat("en-GB", {
      timeZone: hours.timeZone,
      weekday: "long",
      day: "numeric",
      month: "long",
      year: "numeric",
      hour: "2-digit",
      minute: "2-digit",
    })
      .format(instant)
      .replace(" at ", ", ");
  const when = `${show(at)} in ${hours.timeZone}`;
  if (isOpen(hours, at)) return `Support is open: it is ${when}.`;
  const opening = nextOpening(hours, at);
  return `Support is closed: it is ${when}, and it ${opening === null ? "opens no more" : `opens ${show(opening)}`}.`;
}
