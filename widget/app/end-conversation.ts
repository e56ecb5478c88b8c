import type { Chat } from "./chat.ts";
import { doubtFormer } from "./doubt-former.ts";

/** Ends the conversation. A customer whose session expires meanwhile reads that it may still be open. */
export async function endConversation(chat: Pick<Chat, "conversation" | "report">): Promise<void> {
  const { current, end } = chat.conversation;
  const id = current.peek()?.id;
  if (await end()) doubtFormer(chat, id, (texts) => texts.endNotConfirmed);
}
