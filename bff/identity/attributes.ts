import { defined } from "../../shared/defined.ts";
import { MAX_TRAITS } from "../../shared/limits.ts";
import { withoutSecrets } from "../../shared/safe-traits.ts";
import type { Log } from "../../shared/server/log.ts";
import type { Traits } from "../../shared/traits.ts";
import type { SessionFacts } from "../sessions/session-record.ts";

/** Prefix of attributes that the page set, so that nobody takes them for signed ones. */
const PAGE_PREFIX = "page.";

/** Attributes that nobody else may set: ours, and the service's own. */
const OWN: readonly string[] = ["identified", "emailVerified", "linkedTo"];

/** Trait names have at most 64 characters, with the prefix. */
const MAX_PAGE_NAME = 64 - PAGE_PREFIX.length;

/**
 * What the service receives: signed traits, the page's under `page.`, and ours. If there are too many, signed ones go
 * first.
 */
export function attributesOf(known: Pick<SessionFacts, "customer" | "signed" | "pageTraits">): Traits {
  const { customer, signed, pageTraits = {} } = known;
  const emailVerified = signed?.email === undefined ? undefined : signed.emailVerified;
  const own = defined({ identified: customer.identified, emailVerified });
  const stated = Object.entries(pageTraits)
    .filter(([name]) => name.length <= MAX_PAGE_NAME)
    .map(([name, value]): [string, Traits[string]] => [PAGE_PREFIX + name, value]);
  const given = [...Object.entries(signed?.traits ?? {}), ...stated].slice(0, MAX_TRAITS - OWN.length);
  return { ...Object.fromEntries(given), ...own };
}

/** The page's traits without what looks like a secret. The log contains names, never values. */
export function safePageTraits(traits: Traits, log: Log): Traits {
  const { traits: safe, dropped } = withoutSecrets(traits);
  if (dropped.length > 0) log.warn({ traits: dropped }, "traits that look like secrets were left out");
  return safe;
}

/** Signed traits without secrets, and without names that look like the page's or ours. */
export function safeSignedTraits(traits: Traits, log: Log): Traits {
  const names = Object.keys(traits).filter((name) => name.startsWith(PAGE_PREFIX) || OWN.includes(name));
  if (names.length > 0) log.warn({ traits: names }, "signed traits with reserved names were left out");
  const rest = Object.entries(traits).filter(([name]) => !names.includes(name));
  return safePageTraits(Object.fromEntries(rest), log);
}
