import type { PublicConfig } from "../../shared/api/config.ts";
import { defined } from "../../shared/defined.ts";
import type { Clock } from "../../shared/server/clock.ts";
import type { Log } from "../../shared/server/log.ts";
import type { Random } from "../../shared/server/random.ts";
import { identify } from "../../shared/v1/identify.ts";
import { sessions } from "../../shared/v1/sessions.ts";
import type { Link } from "../conversation/link.ts";
import { selectForCustomer } from "../conversation/selection.ts";
import { serviceTokenOf } from "../conversation/service.ts";
import type { Limits } from "../gate/limits.ts";
import { attributesOf, safeSignedTraits } from "../identity/attributes.ts";
import type { ProvenIdentity, VerifyToken } from "../identity/verify-token.ts";
import type { LiveRouting } from "../routing/live-routing.ts";
import type { Pointers } from "../sessions/pointers.ts";
import type { SessionFacts } from "../sessions/session-record.ts";
import type { Sessions } from "../sessions/sessions.ts";
import type { Locks } from "../store/locks.ts";
import type { Streams } from "../streams/streams.ts";
import { readCapabilities } from "../upstream/capabilities.ts";
import type { UpstreamClient } from "../upstream/client.ts";

export interface SessionDeps {
  readonly link: Link;
  readonly upstream: UpstreamClient;
  readonly sessions: Sessions;
  readonly pointers: Pointers;
  readonly locks: Locks;
  readonly streams: Streams;
  readonly verifyToken: VerifyToken;
  readonly limits: Limits;
  readonly publicConfig: PublicConfig;
  readonly routing: LiveRouting;
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Log;
}

/** A customer, known before any call to the service. */
export type Newcomer = Pick<SessionFacts, "customer" | "locale" | "page" | "keyId" | "signed" | "pageTraits">;

export type Said = Pick<SessionFacts, "locale" | "page" | "pageTraits">;

/** In order: the customer, the service's session, its capabilities, who answers. An unverified step aborts it. */
export async function bindCustomer(deps: SessionDeps, newcomer: Newcomer) {
  const { upstream, clock } = deps;
  const { externalId } = newcomer.customer;
  await upsertCustomer(deps, newcomer);
  const opened = await upstream.call(sessions, { request: { externalId } });
  const serviceToken = serviceTokenOf(opened.value, clock.now());
  const capabilities = await readCapabilities(upstream, serviceToken.token);
  const { answer, selection } = await selectForCustomer(deps, newcomer, serviceToken.token);
  const facts: SessionFacts = { ...newcomer, ...selection, capabilities };
  return { answer, facts, serviceToken };
}

/** Sends the service what is known about a customer, by source. */
export function upsertCustomer({ upstream }: Pick<SessionDeps, "upstream">, known: Newcomer) {
  const { externalId, displayName, identified } = known.customer;
  const { email, emailVerified, traits: signed } = known.signed ?? {};
  const attributes = attributesOf({
    identified,
    emailVerified: email === undefined ? undefined : emailVerified,
    signed,
    page: known.pageTraits,
  });
  return upstream.call(identify, { request: { externalId, displayName, email, attributes } });
}

/** A customer as the site signed it. A signed language has priority over the page's. */
export function newcomerOf({ log }: Pick<SessionDeps, "log">, proven: ProvenIdentity, said: Said): Newcomer {
  const { externalId, displayName, email, emailVerified, locale, kid } = proven;
  const { page, pageTraits } = said;
  return defined({
    customer: defined({ externalId, displayName, identified: true }),
    keyId: kid,
    signed: defined({ email, emailVerified, locale, traits: safeSignedTraits(proven.traits, log) }),
    locale: locale ?? said.locale,
    page,
    pageTraits,
  });
}
