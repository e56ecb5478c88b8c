import type { SessionState } from "../../shared/api/session.ts";

export type Customer = SessionState["customer"];

/** The customer's identity, as far as known. */
export type Identity =
  /** No session has been confirmed yet. */
  | { readonly kind: "unknown"; readonly claimed?: string | undefined }
  /** The service confirmed this customer, who may be an anonymous visitor. */
  | { readonly kind: "confirmed"; readonly customer: Customer; readonly claimed?: string | undefined }
  /** Another customer may be signing in: nothing of the conversation may be shown until a session says who it is. */
  | {
      readonly kind: "changing";
      /** The previous customer, if a session had confirmed them. */
      readonly customer?: Customer | undefined;
      /**
       * The subject of the site's last token; empty if the site said that nobody is signed in. It is not verified:
       * sufficient to hide another person's texts, not to show any.
       */
      readonly claimed?: string | undefined;
    };

export const NOBODY: Identity = { kind: "unknown" };

/** The customer of the last confirmed session. */
export function customerOf(identity: Identity): Customer | undefined {
  return identity.kind === "unknown" ? undefined : identity.customer;
}

/** An identified customer may have been replaced by somebody else. An anonymous visitor can't be. */
export function asChanging(identity: Identity): Identity {
  return identity.kind === "confirmed" && identity.customer.identified
    ? { ...identity, kind: "changing" }
    : identity;
}

/** The customer that a session just confirmed. While the site is being asked again (`isLatest` false), they stay unsure. */
export function asConfirmed(identity: Identity, customer: Customer, isLatest: boolean): Identity {
  const { claimed } = identity;
  return identity.kind === "changing" && !isLatest
    ? { kind: "changing", customer, claimed }
    : { kind: "confirmed", customer, claimed };
}

/** The `externalId` of an identified customer; empty for an anonymous visitor. */
export function nameOf(customer: Customer | undefined): string {
  return customer?.identified ? customer.externalId : "";
}
