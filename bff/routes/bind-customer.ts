import { defined } from "../../shared/defined.ts";
import { identify } from "../../shared/v1/identify.ts";
import { sessions } from "../../shared/v1/sessions.ts";
import { selectForCustomer } from "../conversation/selection.ts";
import { serviceTokenOf } from "../conversation/service.ts";
import { attributesOf, safeSignedTraits } from "../identity/attributes.ts";
import type { ProvenIdentity } from "../identity/verify-token.ts";
import type { Parts } from "../parts.ts";
import type { SessionFacts } from "../sessions/session-record.ts";
import { readCapabilities } from "../upstream/capabilities.ts";

/** A customer, known before any call to the service. */
export type Newcomer = Said & Pick<SessionFacts, "customer" | "keyId" | "signed">;

export type Said = Pick<SessionFacts, "locale" | "page" | "browser" | "pageTraits">;

/** In order: the customer, the service's session, its capabilities, who answers. An unverified step aborts it. */
export async function bindCustomer(deps: Parts, newcomer: Newcomer) {
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
export function upsertCustomer({ upstream }: Pick<Parts, "upstream">, known: Newcomer) {
  const { externalId, displayName } = known.customer;
  const request = { externalId, displayName, email: known.signed?.email, attributes: attributesOf(known) };
  return upstream.call(identify, { request });
}

/** A customer as the site signed it. A signed language has priority over the page's. */
export function newcomerOf({ log }: Pick<Parts, "log">, proven: ProvenIdentity, said: Said): Newcomer {
  const { externalId, displayName, email, emailVerified, locale, kid } = proven;
  const { page, browser, pageTraits } = said;
  return defined({
    customer: defined({ externalId, displayName, identified: true }),
    keyId: kid,
    signed: defined({ email, emailVerified, locale, traits: safeSignedTraits(proven.traits, log) }),
    locale: locale ?? said.locale,
    page,
    browser,
    pageTraits,
  });
}
