// The part that is loaded when there is a conversation, or about to be one (docs/decisions/0018-parts.md).
export { addConversationStyle, conversationPart } from "../ui/conversation-part.ts";
export { createLine } from "./line.ts";
export { joinRoom } from "./room.ts";
