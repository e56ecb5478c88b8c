import { identify, type Profile } from "../../shared/v1/identify.ts";
import { sessions } from "../../shared/v1/sessions.ts";
import type { UpstreamClient } from "./client.ts";

/** Creates or updates the customer (contract, endpoint 1). */
export function identifyCustomer(upstream: UpstreamClient, profile: Profile) {
  return upstream.call(identify, { request: profile });
}

/** Binds the customer to a new session of the service (contract, endpoint 2). The token in it never leaves the BFF. */
export function openServiceSession(upstream: UpstreamClient, profile: Profile) {
  return upstream.call(sessions, { request: profile });
}
