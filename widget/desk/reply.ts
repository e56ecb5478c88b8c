import type { Attachment } from "../../shared/attachment.ts";
import type { Unconfirmed } from "../client/outbox.ts";

/** A reply that the service has not confirmed. */
export interface Reply extends Unconfirmed {
  readonly conversationId: string;
  readonly attachments: readonly Attachment[];
  /** Its text began as a draft of the agent. */
  readonly fromDraft: boolean;
}
