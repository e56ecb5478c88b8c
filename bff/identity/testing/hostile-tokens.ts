import { algorithmTricks } from "./hostile-algorithms.ts";
import { claimTricks, jsonTricks } from "./hostile-claims.ts";
import { headerTricks, keyTricks } from "./hostile-headers.ts";
import { spellingTricks } from "./hostile-spellings.ts";
import type { HostileToken } from "./hostile-token.ts";
import type { TestSite } from "./site-keys.ts";

/** Every known attack on such tokens (RFC 8725 and the advisories on JWT libraries). */
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
