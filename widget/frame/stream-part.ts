// The part that follows a conversation's events, loaded with the conversation (docs/decisions/0018-parts.md).
import { type CreateConversationStream, createConversationStream } from "../app/conversation-stream.ts";
import type { Environment } from "../app/environment.ts";
import { joinRoom } from "../app/room.ts";

/** Returns how a conversation's stream is opened, shared by the tabs of this browser. */
export function startStream(environment: Environment): CreateConversationStream {
  return (own) => createConversationStream({ ...own, environment: { ...environment, joinRoom } });
}
