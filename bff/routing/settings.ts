import { isCleanText } from "../../shared/text.ts";
import type { Routing } from "./decide.ts";
import { createFaultList, type Parsed, type RoutingFault } from "./fault.ts";
import type { SupportHours } from "./hours.ts";
import type { RouteWish } from "./rule.ts";
import { parseRouting } from "./rules.ts";
import { parseHours } from "./support-hours.ts";

const DEFAULTS = {
  channel: "SUPPORT_CHANNEL",
  agentProvider: "AGENT_PROVIDER",
  humanHandoffAdapter: "HANDOFF_ADAPTER",
} as const;

/** Longest name of a target, as the contract has it. */
const MAX_TARGET = 128;

/**
 * Reads `ROUTING`, `SUPPORT_HOURS`, `SUPPORT_CHANNEL`, `AGENT_PROVIDER` and `HANDOFF_ADAPTER`; a variable that is empty
 * counts as unset. Gives the routing, or every fault of all five at once.
 *
 * @param readFile a file's text; throws when it can't be read
 */
export function readRouting(
  env: Readonly<Record<string, string | undefined>>,
  readFile: (path: string) => string,
): Parsed<Routing> {
  const faults: RoutingFault[] = [];
  const defaults = readDefaults(env, faults);
  const hours = readHours(env["SUPPORT_HOURS"]?.trim(), readFile, faults);
  const source = env["ROUTING"]?.trim();
  const rules = source ? parseRouting(source, { readFile, hours }) : { ok: true as const, value: [] };
  if (!rules.ok) faults.push(...rules.faults);
  if (!rules.ok || hours === "faulty" || faults.length > 0) return { ok: false, faults };
  return { ok: true, value: { rules: rules.value, defaults, hours } };
}

function readHours(
  source: string | undefined,
  readFile: (path: string) => string,
  faults: RoutingFault[],
): SupportHours | "faulty" | undefined {
  if (!source) return undefined;
  const hours = parseHours(source, readFile);
  if (hours.ok) return hours.value;
  faults.push(...hours.faults);
  return "faulty";
}

function readDefaults(env: Readonly<Record<string, string | undefined>>, faults: RoutingFault[]): RouteWish {
  const read = (key: keyof typeof DEFAULTS): RouteWish => {
    const name = DEFAULTS[key];
    const target = env[name]?.trim();
    if (!target) return {};
    if (target.length <= MAX_TARGET && isCleanText(target) && !/[\n\t]/.test(target))
      return { [key]: target };
    const list = createFaultList(name, `${name}=default`);
    list.refuse(`must be a name of 1 to ${MAX_TARGET} characters without control characters.`, { key });
    faults.push(...list.faults);
    return {};
  };
  return { ...read("channel"), ...read("agentProvider"), ...read("humanHandoffAdapter") };
}
