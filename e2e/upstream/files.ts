import { createHash } from "node:crypto";
import type { Attachment } from "../../shared/attachment.ts";
import { attachmentTypeOf } from "../../shared/magic-bytes.ts";
import type { Rating } from "../../shared/rating.ts";
import type { Call, Planned } from "./answers.ts";
import type { StoredConversation, UpstreamState } from "./state.ts";

/** What the mock keeps of a file. */
export interface StoredFile {
  readonly attachment: Attachment;
  readonly bytes: Uint8Array;
  isSent: boolean;
}

const nothing = () => undefined;

/** Keeps a file as it is: taking its maker's words out is our own service's part, and promised by nobody. */
export function planUpload(
  state: UpstreamState,
  { bytes, fileName }: Call,
  conversation: StoredConversation,
  keep: (answer: unknown) => void,
): Planned {
  const type = attachmentTypeOf(bytes);
  if (!type) return { status: 415, body: { message: "refused" }, commit: nothing };
  const attachment = { id: state.newId("att"), name: decodeURIComponent(fileName), type, size: bytes.length };
  const answer = {
    attachment: { ...attachment, conversationId: conversation.id },
    received: { size: bytes.length, sha256: createHash("sha256").update(bytes).digest("hex") },
  };
  return {
    status: 201,
    body: answer,
    commit: () => {
      conversation.files.set(attachment.id, { attachment, bytes, isSent: false });
      keep(answer);
    },
  };
}

export function planRating(state: UpstreamState, call: Call, conversation: StoredConversation): Planned {
  const rating = call.body as Rating;
  return {
    status: 200,
    body: { rating: { ...rating, conversationId: conversation.id } },
    commit: () => {
      if (JSON.stringify(conversation.rating) === JSON.stringify(rating)) return;
      conversation.rating = rating;
      state.append(conversation, { type: "conversation.rated", rating });
    },
  };
}

export function planErasure(state: UpstreamState, conversation: StoredConversation): Planned {
  return {
    status: 200,
    body: { erased: { conversationId: conversation.id } },
    commit: () => {
      if (conversation.isErased) return;
      conversation.isErased = true;
      conversation.files.clear();
      conversation.events.length = 0;
      state.signal(conversation, { type: "conversation.erased" });
    },
  };
}
