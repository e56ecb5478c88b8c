import { MAX_TRAITS } from "../../shared/limits.ts";
import type { Log } from "../../shared/server/log.ts";
import type { Traits } from "../../shared/traits.ts";
import { withoutSecrets } from "../sessions/safe-traits.ts";

/** How an attribute's name begins that the page gave and nobody proved: no one can take it for the site's word. */
export const PAGE_PREFIX = "page.";

/** In an anonymous visitor's attributes: who they signed in as later. */
export const LINKED_TO = "linkedTo";

/** Attributes that this server alone sets. */
const OWN = ["identified", "emailVerified", LINKED_TO] as const;

/** Trait names have at most 64 characters, with the prefix. */
const MAX_PAGE_NAME = 64 - PAGE_PREFIX.length;

/** What is known of a customer, by who said it. */
export interface KnownFacts {
  readonly identified: boolean;
  /** Absent where the site signed no e-mail. */
  readonly emailVerified?: boolean | undefined;
  readonly signed?: Traits | undefined;
  readonly page?: Traits | undefined;
}

/**
 * The attributes that the service gets: signed traits under their names, the page's under `page.`, and ours. Signed ones
 * win the room where there is not enough for all.
 */
export function attributesOf({ identified, emailVerified, signed = {}, page = {} }: KnownFacts): Traits {
  const own = { identified, ...(emailVerified === undefined ? {} : { emailVerified }) };
  const proven = Object.entries(signed).slice(0, MAX_TRAITS - OWN.length);
  const claimed = Object.entries(page)
    .filter(([name]) => name.length <= MAX_PAGE_NAME)
    .map(([name, value]) => [PAGE_PREFIX + name, value] as const)
    .slice(0, MAX_TRAITS - OWN.length - proven.length);
  return { ...Object.fromEntries([...proven, ...claimed]), ...own };
}

/** The page's traits without what looks like a secret. The log gets names, never values. */
export function safePageTraits(traits: Traits, log: Log): Traits {
  return safeTraits(traits, log);
}

/** Signed traits without secrets, and without names that would pass for the page's or ours. */
export function safeSignedTraits(traits: Traits, log: Log): Traits {
  const isTaken = (name: string) => name.startsWith(PAGE_PREFIX) || OWN.some((own) => own === name);
  const taken = Object.keys(traits).filter(isTaken);
  if (taken.length > 0) log.warn({ traits: taken }, "signed traits of reserved names were left out");
  return safeTraits(Object.fromEntries(Object.entries(traits).filter(([name]) => !isTaken(name))), log);
}

function safeTraits(traits: Traits, log: Log): Traits {
  const { traits: safe, dropped } = withoutSecrets(traits);
  if (dropped.length > 0) log.warn({ traits: dropped }, "traits that look like secrets were left out");
  return safe;
}
