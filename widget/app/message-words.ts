import type { Message } from "../../shared/message.ts";
import type { Texts } from "./texts.ts";

/** A message's text. A notice has one in each language; an agent's answer keeps its own, even if it was cut off. */
export function wordsOfMessage(
  texts: Texts,
  { role, body, notice }: Pick<Message, "role" | "body" | "notice">,
): string {
  return notice && (role === "system" || !body) ? texts[`notice_${notice}`] : body;
}
