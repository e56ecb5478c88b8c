import type { Attachment } from "../../shared/attachment.ts";
import { codePoints } from "../../shared/characters.ts";
import { MAX_MESSAGE_CODE_POINTS } from "../../shared/limits.ts";
import { isCleanText } from "../../shared/text.ts";
import type { Unconfirmed } from "../client/outbox.ts";
import { texts } from "./texts.ts";

/** A reply that the service has not confirmed. */
export interface Reply extends Unconfirmed {
  readonly conversationId: string;
  readonly attachments: readonly Attachment[];
  /** Its text began as a draft of the agent. */
  readonly fromDraft: boolean;
}

/** Why a text can't be sent; undefined if it can. */
export function faultOfReply(draft: string): string | undefined {
  const over = codePoints(draft) - MAX_MESSAGE_CODE_POINTS;
  if (over > 0) return texts.tooLong(over);
  return isCleanText(draft.replace(/\r/g, "")) ? undefined : texts.badText;
}
