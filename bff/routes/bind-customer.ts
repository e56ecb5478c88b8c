import type { StartSession } from "../../shared/api/session.ts";
import { attributesOf, safeSignedTraits } from "../identity/attributes.ts";
import type { ProvenIdentity } from "../identity/verify-token.ts";
import { serviceTokenOf } from "../sessions/service-tokens.ts";
import type { SessionFacts } from "../sessions/session-record.ts";
import type { ServiceToken } from "../sessions/sessions.ts";
import { readCapabilities } from "../upstream/capabilities.ts";
import { identifyCustomer, openServiceSession } from "../upstream/customers.ts";
import type { Verified } from "../upstream/verified.ts";
import type { RouteDeps } from "./deps.ts";
import { selectForCustomer } from "./select-for-customer.ts";

/** A customer, known before the service was asked for anything. */
export type Newcomer = Pick<SessionFacts, "customer" | "locale" | "page" | "keyId" | "signed" | "pageTraits">;

export interface BoundCustomer {
  /** The last verified answer of the order. */
  readonly answer: Verified<unknown>;
  readonly facts: SessionFacts;
  readonly serviceToken: ServiceToken;
}

/** The design's order: the customer, the service's session, what it can do, who answers. Each step is verified or it ends here. */
export async function bindCustomer(deps: RouteDeps, newcomer: Newcomer): Promise<BoundCustomer> {
  const { upstream, clock } = deps;
  const { externalId } = newcomer.customer;
  await upsertCustomer(deps, newcomer);
  const opened = await openServiceSession(upstream, { externalId });
  const serviceToken = serviceTokenOf(opened.value, clock.now());
  const { token } = serviceToken;
  const capabilities = await readCapabilities(upstream, token);
  const { answer, selection } = await selectForCustomer(deps, newcomer, token);
  return { answer, facts: { ...newcomer, ...selection, capabilities }, serviceToken };
}

/** Tells the service what is known of a customer, by who said it. */
export function upsertCustomer(deps: Pick<RouteDeps, "upstream">, known: Newcomer) {
  const { customer, signed, pageTraits } = known;
  const { externalId, displayName, identified } = customer;
  return identifyCustomer(deps.upstream, {
    externalId,
    ...(displayName === undefined ? {} : { displayName }),
    ...(signed?.email === undefined ? {} : { email: signed.email }),
    attributes: attributesOf({
      identified,
      emailVerified: signed?.email === undefined ? undefined : signed.emailVerified,
      signed: signed?.traits,
      page: pageTraits,
    }),
  });
}

/** A customer by the site's word. `locale`, `page` and `pageTraits` are what the page says. */
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
