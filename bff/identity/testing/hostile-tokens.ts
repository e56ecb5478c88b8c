import { algorithmTricks } from "./hostile-algorithms.ts";
import { claimTricks, jsonTricks } from "./hostile-claims.ts";
import { headerTricks, keyTricks } from "./hostile-headers.ts";
import { spellingTricks } from "./hostile-spellings.ts";
import type { HostileToken } from "./hostile-token.ts";
import type { TestSite } from "./site-keys.ts";

/** Every way to cheat that is on record for tokens of this kind (RFC 8725 and the advisories on JWT). */
export function hostileTokens(site: TestSite, now: number): HostileToken[] {
  return [
    ...algorithmTricks(site, now),
    ...headerTricks(site),
    ...spellingTricks(site),
    ...keyTricks(site),
    ...claimTricks(site, now),
    ...jsonTricks(site, now),
  ];
}
