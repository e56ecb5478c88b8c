import type { Capability } from "../../shared/capability.ts";
import { capabilities } from "../../shared/v1/capabilities.ts";
import { V1_CONTRACT } from "../../shared/v1/contract.ts";
import type { Mount } from "../http/operation-route.ts";
import type { RouteDeps } from "./route-deps.ts";

/** This service implements every operation of the contract, honours idempotency keys, and stores where a customer started. */
const CAPABILITIES: readonly Capability[] = [
  ...new Set(V1_CONTRACT.flatMap((operation) => ("needs" in operation ? operation.needs : []))),
  "idempotency",
  "startedFrom",
];

export function addCapabilityRoutes(mount: Mount, { adapters }: Pick<RouteDeps, "adapters">): void {
  // A customer's address is of use only where people read it: in the service itself, at its desk.
  const isRead = adapters.some(({ outbound }) => outbound === undefined);
  const offered = CAPABILITIES.filter((capability) => capability !== "contact" || isRead);
  mount(capabilities, async ({ c }) => c.json({ capabilities: offered }, 200));
}
