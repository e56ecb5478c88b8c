import type { Outgoing } from "../../shared/api/conversation.ts";
import { API_OPERATIONS } from "../../shared/api/operations.ts";
import { type Capability, PanelCapability } from "../../shared/capability.ts";
import { Failure } from "../../shared/errors.ts";
import type { ApiOperation } from "../../shared/operation.ts";
import type { Session } from "../sessions/sessions.ts";

type Offers = Pick<Session, "capabilities">;

/**
 * What each operation needs of the service. The first capability is the one that the panel asks for; the others must be
 * there too: files, for example, also need `turns` and `events`.
 */
const NEEDS: readonly (readonly Capability[])[] = API_OPERATIONS.flatMap(({ needs }: ApiOperation) =>
  needs ? [needs] : [],
);

const hasAll = ({ capabilities }: Offers, needs: readonly Capability[]) =>
  needs.every((need) => capabilities.includes(need));

/** What the panel may offer: the capabilities of the service whose operations work here. */
export function carried(session: Offers): PanelCapability[] {
  return PanelCapability.options.filter(
    (capability) =>
      session.capabilities.includes(capability) &&
      NEEDS.every((needs) => needs[0] !== capability || hasAll(session, needs)),
  );
}

/** @throws Failure not_found where the service lacks what the operation needs */
export function requireCarried(session: Offers, { needs = [] }: Pick<ApiOperation, "needs">): void {
  if (!hasAll(session, needs)) throw new Failure("not_found", { detail: "Support does not offer this." });
}

/** @throws Failure not_found for a message with files that the service would not take */
export function requireFilesCarried(session: Offers, outgoing: Outgoing): void {
  if (outgoing.attachments !== undefined && !carried(session).includes("attachments")) {
    throw new Failure("not_found", { detail: "Support does not offer this." });
  }
}
