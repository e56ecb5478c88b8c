import { parseArgs } from "node:util";
import { languageFault } from "../../bff/routing/language-range.ts";
import type { RouteContext } from "../../bff/routing/match.ts";
import { readPage } from "../../bff/routing/page-glob.ts";
import { hint, quote } from "../../bff/routing/wording.ts";
import { ExternalId, Instant } from "../../shared/id.ts";
import { Traits } from "../../shared/traits.ts";

/** What the command line asks. */
export interface RouteQuestion {
  readonly context: RouteContext;
  /** Milliseconds since 1970. */
  readonly at: number;
  readonly json: boolean;
  readonly help: boolean;
}

const OPTIONS = {
  locale: { type: "string" },
  page: { type: "string" },
  user: { type: "string" },
  identified: { type: "boolean" },
  attribute: { type: "string", multiple: true },
  "page-attribute": { type: "string", multiple: true },
  at: { type: "string" },
  json: { type: "boolean" },
  help: { type: "boolean" },
} as const;

export const USAGE = `npm run route -- [--locale de] [--page /pricing] [--user ID] [--identified] [--attribute plan=enterprise]
                 [--page-attribute plan=enterprise] [--at 2026-12-25T10:00:00+01:00] [--json]

Says which routing rule wins for such a customer, and why, by the variables ROUTING, SUPPORT_HOURS, SUPPORT_CHANNEL,
AGENT_PROVIDER and HANDOFF_ADAPTER. --attribute gives what the site's signed token says and --user whom it names, so
both make the customer identified; --page-attribute gives what the page says. Numbers, true and false are read as such;
for a text of digits write --attribute 'zip="12345"'.
Exit code: 0 with an answer, 1 when the configuration is wrong, 2 when the question is.`;

/** Reads the arguments; `refuse` gets every fault, and with one the question is not to be asked. */
export function readQuestion(
  args: readonly string[],
  now: number,
  refuse: (fault: string) => void,
): RouteQuestion {
  const { values, tokens } = parseArgs({
    args: [...args],
    options: OPTIONS,
    strict: false,
    allowPositionals: true,
    tokens: true,
  });
  for (const token of tokens) refuseToken(token, refuse);
  const text = (value: unknown) => (typeof value === "string" ? value : undefined);
  const attributes = readAttributes("--attribute", values.attribute, refuse);
  const pageAttributes = readAttributes("--page-attribute", values["page-attribute"], refuse);
  const [locale, page, externalId] = [text(values.locale), text(values.page), text(values.user)];
  if (locale !== undefined) refuseLocale(locale, refuse);
  if (page !== undefined && !readPage(page))
    refuse(`--page ${quote(page)} is neither a path nor an http(s) address.`);
  if (externalId !== undefined && !ExternalId.safeParse(externalId).success) {
    refuse(`--user ${quote(externalId)} is no externalId (1 to 255 characters, no space around it).`);
  }
  const identified =
    values.identified === true || externalId !== undefined || Object.keys(attributes).length > 0;
  return {
    context: { locale, page, externalId, identified, attributes, pageAttributes },
    at: readInstant(text(values.at), now, refuse),
    json: values.json === true,
    help: values.help === true,
  };
}

type Token = NonNullable<ReturnType<typeof parseArgs>["tokens"]>[number];

function refuseToken(token: Token, refuse: (fault: string) => void): void {
  if (token.kind === "positional") refuse(`${quote(token.value)} belongs to no option.`);
  if (token.kind !== "option") return;
  const known = Object.entries(OPTIONS).find(([name]) => name === token.name);
  if (!known) {
    const names = Object.keys(OPTIONS).map((name) => `--${name}`);
    refuse(`${token.rawName} is not an option${hint(token.rawName, names, "--help lists them")}`);
  } else if (known[1].type === "string" && !isValue(token)) {
    refuse(`--${token.name} needs a value.`);
  } else if (known[1].type === "boolean" && token.value !== undefined) {
    refuse(`--${token.name} takes no value.`);
  }
}

/** An option that stands where a value should is not taken for one. */
function isValue(token: { value?: string | undefined; inlineValue?: boolean | undefined }): boolean {
  const { value = "", inlineValue = false } = token;
  return value !== "" && (inlineValue || !value.startsWith("--"));
}

function refuseLocale(locale: string, refuse: (fault: string) => void): void {
  const fault = languageFault(locale);
  if (fault !== undefined) refuse(`--locale ${quote(locale)} is not a language tag; ${fault}`);
}

function readAttributes(option: string, given: unknown, refuse: (fault: string) => void): Traits {
  const attributes: [string, unknown][] = [];
  for (const text of Array.isArray(given) ? given : []) {
    if (typeof text !== "string" || text === "") continue;
    const split = text.indexOf("=");
    const [name, value] = [text.slice(0, split), readAttribute(text.slice(split + 1))];
    if (split < 1) refuse(`${option} ${quote(text)} has no value; write it as name=value.`);
    else if (attributes.some(([other]) => other === name)) refuse(`${option} gives ${quote(name)} twice.`);
    else if (Traits.safeParse({ [name]: value }).success) attributes.push([name, value]);
    else refuse(`${option} ${quote(text)} is not an attribute that a customer can have.`);
  }
  const parsed = Traits.safeParse(Object.fromEntries(attributes));
  if (!parsed.success) refuse(`${option} is given too often.`);
  return parsed.data ?? {};
}

/** JSON where it is a number, true, false, null or a quoted text; else the text as it stands. */
function readAttribute(text: string): unknown {
  if (!/^(-?\d+(\.\d+)?|true|false|null|".*")$/s.test(text)) return text;
  try {
    return JSON.parse(text);
  } catch (error) {
    if (error instanceof SyntaxError) return text;
    throw error;
  }
}

function readInstant(text: string | undefined, now: number, refuse: (fault: string) => void): number {
  if (text === undefined || text === "") return now;
  if (Instant.safeParse(text).success) return Date.parse(text);
  refuse(
    `--at ${quote(text)} is not an instant; write it with its offset, such as 2026-12-25T10:00:00+01:00.`,
  );
  return now;
}
