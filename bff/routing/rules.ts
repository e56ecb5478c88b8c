import { createFaultList, type FaultList, type Parsed } from "./fault.ts";
import { type KnownHours, reachFaults } from "./reach.ts";
import { compileRule, MATCH_KEYS, RULE_KEYS, type Rule, RuleSchema, TARGETS } from "./rule.ts";
import { keyFaultsOf, type Wording } from "./schema-fault.ts";
import { readConfigFile, readConfigJson } from "./source-text.ts";
import { hint, joinWords, kindOf, nearest, quote } from "./wording.ts";

/** Shown with every fault of `ROUTING`. */
const EXAMPLE = `ROUTING='[{"match":{"locales":["de"]},"agentProvider":"german"}]'`;

/** More rules than a person keeps in view; it bounds the check for unreachable ones. */
const MAX_RULES = 500;

export interface RoutingSource {
  /** A file's text; throws when it can't be read. */
  readonly readFile: (path: string) => string;
  /** Undefined where `SUPPORT_HOURS` is not set: a rule that asks for hours is a fault then. */
  readonly hours: KnownHours;
}

/**
 * Reads `ROUTING`: JSON as it stands, or the path of a file with it. Gives the rules in their order, or every fault at
 * once. Whether the service offers the targets is a question of its own: `checkTargets`.
 */
export function parseRouting(source: string, { readFile, hours }: RoutingSource): Parsed<readonly Rule[]> {
  const list = createFaultList("ROUTING", EXAMPLE);
  const rules: Rule[] = [];
  readItems(source.trim(), readFile, list).forEach((item, index) => {
    const rule = readRule(item, index + 1, list);
    if (rule) rules.push(rule);
  });
  for (const { fault, rule, key } of reachFaults(rules, hours)) list.refuse(fault, { rule, key });
  if (list.faults.length === 0) return { ok: true, value: rules };
  return { ok: false, faults: list.faults.toSorted((one, other) => (one.rule ?? 0) - (other.rule ?? 0)) };
}

function readItems(source: string, readFile: (path: string) => string, list: FaultList): readonly unknown[] {
  const isJson = /^[[{"]/.test(source);
  const text = isJson
    ? source
    : readConfigFile({ path: source, readFile, otherwise: "JSON, which starts with [,", list });
  const value = text === undefined ? undefined : readConfigJson(text, list);
  if (value === undefined) return [];
  if (!Array.isArray(value)) {
    const inner = isObject(value) && "match" in value ? "; put [ and ] around it" : "";
    list.refuse(`must be a list of rules, but it is ${kindOf(value)}${inner}.`);
    return [];
  }
  if (value.length <= MAX_RULES) return value;
  list.refuse(`holds ${value.length} rules, but ${MAX_RULES} is the most.`);
  return [];
}

const WORDING: Wording = {
  missing: { match: '"match" is missing; write "match": {} for a rule that always holds.' },
  unknownKey: (unknown, inside) => {
    const isMatch = inside === "match";
    const [known, others] = isMatch ? [MATCH_KEYS, RULE_KEYS] : [RULE_KEYS, MATCH_KEYS];
    const start = `${quote(unknown)} is not a key of ${isMatch ? '"match"' : "a rule"}`;
    if (others.includes(unknown)) return `${start}; it belongs ${isMatch ? "beside" : "inside"} "match".`;
    return `${start}${hint(unknown, known, `its keys are ${joinWords(known)}`)}`;
  },
};

function readRule(item: unknown, rule: number, list: FaultList): Rule | undefined {
  const parsed = RuleSchema.safeParse(item);
  for (const { key, fault } of keyFaultsOf(parsed.error?.issues ?? [], item, WORDING)) {
    if (fault === WORDING.missing["match"] && hasNear(item, "match")) continue;
    if (key === undefined) list.refuse(`the rule ${fault}`, { rule });
    else list.refuse(fault, { rule, key });
  }
  if (isObject(item) && !asksForTarget(item)) {
    list.refuse(`sets no target; give at least one of ${joinWords(TARGETS)}.`, { rule });
  }
  const isRight = parsed.success && !list.faults.some((fault) => fault.rule === rule);
  return isRight ? compileRule(parsed.data, rule) : undefined;
}

function isObject(value: unknown): value is object {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** A misspelt target is told as an unknown key; saying that there is none beside it would be the same fault twice. */
function asksForTarget(item: object): boolean {
  return TARGETS.some((target) => hasNear(item, target));
}

function hasNear(item: unknown, key: string): boolean {
  return isObject(item) && Object.keys(item).some((name) => name === key || nearest(name, RULE_KEYS) === key);
}
