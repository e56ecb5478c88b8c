import * as z from "zod";
import type { EnvironmentReader, Fault } from "../../shared/server/environment.ts";
import type { Routing } from "./decide.ts";
import type { SupportHours } from "./hours.ts";
import { Rule, TARGETS, Target } from "./rule.ts";
import { parseHours } from "./support-hours.ts";

const EXAMPLES = {
  ROUTING: `ROUTING='[{"match":{"locales":["de"]},"agentProvider":"german"}]'`,
  SUPPORT_HOURS: "SUPPORT_HOURS='Mon-Fri 09:00-17:00 Europe/Berlin'",
  SUPPORT_CHANNEL: "SUPPORT_CHANNEL=web",
  AGENT_PROVIDER: "AGENT_PROVIDER=knowledge",
  HANDOFF_ADAPTER: "HANDOFF_ADAPTER=desk",
};
/** The variable of each default. */
export const DEFAULTS = {
  channel: "SUPPORT_CHANNEL",
  agentProvider: "AGENT_PROVIDER",
  humanHandoffAdapter: "HANDOFF_ADAPTER",
} as const;

export function faultOf(name: keyof typeof EXAMPLES, fault: string): Fault {
  return { name, fault, example: EXAMPLES[name] };
}

/** Reads the variables of routing. A fault goes to `reader.refuse`, and then the result must not be used. */
export function readRouting(reader: EnvironmentReader): Routing {
  const defaults = TARGETS.flatMap((target) => {
    const value = reader.text(DEFAULTS[target]);
    for (const { message } of Target.optional().safeParse(value).error?.issues ?? []) {
      reader.refuse(faultOf(DEFAULTS[target], message));
    }
    return value === undefined ? [] : [[target, value]];
  });
  const hours = readHours(reader);
  return { rules: readRules(reader), hours, defaults: Object.fromEntries(defaults) };
}

const AnyHours = z.object({ hours: z.enum(["open", "closed"]) });
/** A rule that needs `SUPPORT_HOURS`, whether or not the rest of it is valid. */
const NeedsHours = z.object({ match: z.union([AnyHours, z.object({ not: AnyHours })]) });

function readRules(reader: EnvironmentReader): readonly Rule[] {
  const refuse = (fault: string) => reader.refuse(faultOf("ROUTING", fault));
  return reader.items("ROUTING", refuse).flatMap((item, index) => {
    const { data: rule, error } = Rule.safeParse(item);
    for (const { path, message } of error?.issues ?? []) {
      const place = path.length === 0 ? "" : `${z.core.toDotPath(path)}: `;
      refuse(`rule ${index + 1}: ${place}${message.replace(/\.?$/, ".")}`);
    }
    if (reader.text("SUPPORT_HOURS") === undefined && NeedsHours.safeParse(item).success) {
      refuse(`rule ${index + 1}: match.hours needs SUPPORT_HOURS, which is not set.`);
    }
    return rule ?? [];
  });
}

function readHours(reader: EnvironmentReader): SupportHours | undefined {
  const refuse = (fault: string) => reader.refuse(faultOf("SUPPORT_HOURS", fault));
  const given = reader.text("SUPPORT_HOURS");
  const refuseFile = (fault: string) => refuse(`${fault}: ${JSON.stringify(given)}.`);
  // Hours are several words; a path is one.
  const text = given === undefined || /\s/.test(given) ? given : reader.file(given, refuseFile);
  return text === undefined ? undefined : parseHours(text, refuse);
}
