import type { Outgoing } from "../../shared/api/conversation.ts";
import { Failure } from "../../shared/errors.ts";
import type { Capability } from "../../shared/v1/capabilities.ts";
import type { Session } from "../sessions/sessions.ts";
import { offers } from "../upstream/capabilities.ts";
import { keepsOwnLog } from "./own-log.ts";

/**
 * What needs the service's own log: where the BFF keeps it, there is no place for files, no
 * erasing of them, and nobody there follows what a customer is about to say.
 */
const NEED_EVENTS: ReadonlySet<Capability> = new Set(["attachments", "read", "erase", "typing"]);

/** What the panel may offer: what the service can do, as far as it can be carried through and shown. */
export function carried(session: Pick<Session, "capabilities">): Capability[] {
  const { capabilities } = session;
  if (keepsOwnLog(session)) return capabilities.filter((capability) => !NEED_EVENTS.has(capability));
  if (!offers(session, "turns")) return capabilities.filter((capability) => capability !== "attachments");
  return [...capabilities];
}

/** @throws Failure not_found where the service does not do it: nobody is told that it was done, or might be */
export function requireCarried(session: Pick<Session, "capabilities">, capability: Capability): void {
  if (carried(session).includes(capability)) return;
  throw new Failure("not_found", { detail: "Support does not offer this." });
}

/** @throws Failure not_found for a message with files that the service would not take */
export function requireFilesCarried(session: Pick<Session, "capabilities">, outgoing: Outgoing): void {
  if (outgoing.attachments !== undefined) requireCarried(session, "attachments");
}
