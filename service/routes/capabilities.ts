import type { Capability } from "../../shared/capability.ts";
import { capabilities } from "../../shared/v1/capabilities.ts";
import { V1_CONTRACT } from "../../shared/v1/contract.ts";
import type { Mount } from "../http/operation-route.ts";

/** This service carries out every operation of the contract, and honours the keys of repeated calls. */
const CAPABILITIES: readonly Capability[] = [
  ...new Set(V1_CONTRACT.flatMap((operation) => ("needs" in operation ? operation.needs : []))),
  "idempotency",
];

export function addCapabilityRoutes(mount: Mount): void {
  mount(capabilities, async ({ c }) => c.json({ capabilities: CAPABILITIES }, 200));
}
