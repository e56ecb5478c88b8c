import { parseArgs } from "node:util";
import type { RouteContext } from "../../bff/routing/match.ts";
import { readPage } from "../../bff/routing/page-glob.ts";
import { LANGUAGE_TAG } from "../../bff/routing/rule.ts";
import { ExternalId, Instant } from "../../shared/id.ts";
import { Traits } from "../../shared/traits.ts";

/** The question of the command line. */
export interface RouteQuestion {
  readonly context: RouteContext;
  /** Milliseconds since 1970. */
  readonly at: number;
  readonly json: boolean;
}

const OPTIONS = {
  locale: { type: "string" },
  page: { type: "string" },
  user: { type: "string" },
  identified: { type: "boolean", default: false },
  attribute: { type: "string", multiple: true },
  "page-attribute": { type: "string", multiple: true },
  at: { type: "string" },
  json: { type: "boolean", default: false },
} as const;

export const USAGE = `npm run route -- [--locale de] [--page /pricing] [--user ID] [--identified] [--attribute plan=enterprise]
                 [--page-attribute plan=enterprise] [--at 2026-12-25T10:00:00+01:00] [--json]

Prints which routing rule wins for such a customer, and why. It reads the variables ROUTING, SUPPORT_HOURS,
SUPPORT_CHANNEL, AGENT_PROVIDER and HANDOFF_ADAPTER and, without BASE_URL, checks that the embedded service offers the
targets. --attribute and --user give what the site's signed token says, so they make the customer identified;
--page-attribute gives what the page says. Numbers, true and false are read as such; for a text of digits write
--attribute 'zip="12345"'.
Exit code: 0 with an answer, 1 when the configuration is wrong, 2 when the question is.`;

/**
 * Reads the arguments.
 * @throws Error with a sentence for the first argument that is wrong
 */
export function readQuestion(args: readonly string[], now: number): RouteQuestion {
  const { values } = parseArgs({ args: [...args], options: OPTIONS });
  const { locale, page, user, at, json } = values;
  const attributes = readAttributes("--attribute", values.attribute ?? []);
  const pageAttributes = readAttributes("--page-attribute", values["page-attribute"] ?? []);
  const identified = values.identified || user !== undefined || Object.keys(attributes).length > 0;
  if (locale !== undefined && !LANGUAGE_TAG.test(locale)) {
    throw new Error(`--locale "${locale}" is not a language tag such as "de" or "fr-CH".`);
  }
  if (page !== undefined && !readPage(page)) {
    throw new Error(`--page "${page}" is neither a path nor an http(s) address.`);
  }
  if (user !== undefined && !ExternalId.safeParse(user).success) {
    throw new Error(`--user "${user}" is not an externalId.`);
  }
  if (at !== undefined && !Instant.safeParse(at).success) {
    throw new Error(`--at "${at}" needs a date, a time and an offset, such as 2026-12-25T10:00:00+01:00.`);
  }
  const context = { locale, page, externalId: user, identified, attributes, pageAttributes };
  return { context, at: at === undefined ? now : Date.parse(at), json };
}

function readAttributes(option: string, given: readonly string[]): Traits {
  const parsed = Traits.safeParse(
    Object.fromEntries(
      given.map((text) => {
        const [, name = "", value = ""] = /^([^=]+)=(.*)$/s.exec(text) ?? [];
        if (name === "") throw new Error(`${option} "${text}" has no value; write it as name=value.`);
        return [name, readValue(value)];
      }),
    ),
  );
  if (parsed.success) return parsed.data;
  throw new Error(`${option}: ${parsed.error.issues[0]?.message}.`);
}

/** Parses a number, true, false, null or a quoted text as JSON; any other text stays as it is. */
function readValue(text: string): unknown {
  return /^(-?(0|[1-9]\d*)(\.\d+)?|true|false|null|"[^"\\]*")$/.test(text) ? JSON.parse(text) : text;
}
