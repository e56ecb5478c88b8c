import type { Capability } from "../../shared/capability.ts";
import { capabilities } from "../../shared/v1/capabilities.ts";
import type { Mount } from "../http/operation-route.ts";

/** What this service can do beyond the seven endpoints. A name is listed only when it works. */
const CAPABILITIES: readonly Capability[] = [
  "turns",
  "events",
  "messages",
  "idempotency",
  "attachments",
  "rating",
  "read",
  "typing",
  "erase",
  "link",
];

export function addCapabilityRoutes(mount: Mount): void {
  mount(capabilities, async ({ c }) => c.json({ capabilities: CAPABILITIES }, 200));
}
