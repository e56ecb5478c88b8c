import type { StartSession } from "../../shared/api/session.ts";
import { identify } from "../../shared/v1/identify.ts";
import { sessions } from "../../shared/v1/sessions.ts";
import { selectForCustomer } from "../conversation/select-for-customer.ts";
import { serviceTokenOf } from "../conversation/service.ts";
import { attributesOf, safeSignedTraits } from "../identity/attributes.ts";
import type { ProvenIdentity } from "../identity/verify-token.ts";
import type { SessionFacts } from "../sessions/session-record.ts";
import type { ServiceToken } from "../sessions/sessions.ts";
import { readCapabilities } from "../upstream/capabilities.ts";
import type { Verified } from "../upstream/verified.ts";
import type { RouteDeps } from "./deps.ts";

/** A customer, known before the service was asked for anything. */
export type Newcomer = Pick<SessionFacts, "customer" | "locale" | "page" | "keyId" | "signed" | "pageTraits">;

export interface BoundCustomer {
  /** The last verified answer of the order. */
  readonly answer: Verified<unknown>;
  readonly facts: SessionFacts;
  readonly serviceToken: ServiceToken;
}

/** In order: the customer, the service's session, its capabilities, who answers. An unverified step ends it. */
export async function bindCustomer(deps: RouteDeps, newcomer: Newcomer): Promise<BoundCustomer> {
  const { upstream, clock } = deps;
  const { externalId } = newcomer.customer;
  await upsertCustomer(deps, newcomer);
  const opened = await upstream.call(sessions, { request: { externalId } });
  const serviceToken = serviceTokenOf(opened.value, clock.now());
  const { token } = serviceToken;
  const capabilities = await readCapabilities(upstream, token);
  const { answer, selection } = await selectForCustomer(deps, newcomer, token);
  return { answer, facts: { ...newcomer, ...selection, capabilities }, serviceToken };
}

/** Sends the service what is known about a customer, by who said it. */
export function upsertCustomer(deps: Pick<RouteDeps, "upstream">, known: Newcomer) {
  const { customer, signed, pageTraits } = known;
  const { externalId, displayName, identified } = customer;
  const request = {
    externalId,
    ...(displayName === undefined ? {} : { displayName }),
    ...(signed?.email === undefined ? {} : { email: signed.email }),
    attributes: attributesOf({
      identified,
      emailVerified: signed?.email === undefined ? undefined : signed.emailVerified,
      signed: signed?.traits,
      page: pageTraits,
    }),
  };
  return deps.upstream.call(identify, { request });
}

/** A customer as the site signed it. `locale`, `page` and `pageTraits` come from the page. */
export function newcomerOf(
  deps: Pick<RouteDeps, "log">,
  proven: ProvenIdentity,
  said: Pick<SessionFacts, "locale" | "page" | "pageTraits">,
): Newcomer {
  const { externalId, displayName, email, emailVerified, traits, kid } = proven;
  const locale = proven.locale ?? said.locale;
  const { page, pageTraits } = said;
  return {
    customer: { externalId, ...(displayName === undefined ? {} : { displayName }), identified: true },
    keyId: kid,
    signed: {
      ...(email === undefined ? {} : { email }),
      emailVerified,
      ...(proven.locale === undefined ? {} : { locale: proven.locale }),
      traits: safeSignedTraits(traits, deps.log),
    },
    ...(locale === undefined ? {} : { locale }),
    ...(page === undefined ? {} : { page }),
    ...(pageTraits === undefined ? {} : { pageTraits }),
  };
}

/** Origin and path of the page: queries and fragments carry tokens. */
export function pageOf(page: StartSession["page"]): { page?: string } {
  if (page === undefined || !URL.canParse(page.url)) return {};
  const { protocol, origin, pathname } = new URL(page.url);
  return protocol === "https:" || protocol === "http:" ? { page: origin + pathname } : {};
}
