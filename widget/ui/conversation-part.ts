import { Confirm } from "./confirm.tsx";
import css from "./conversation.css?inline";
import { LogView } from "./log-view.tsx";
import { More } from "./more.tsx";
import { wordsOf } from "./rich-text-parse.ts";
import { Standing } from "./standing.tsx";

/** What the panel needs once there is a conversation, or about to be one, and not before. */
export const conversationPart = { LogView, Confirm, More, Standing, wordsOf };

export type ConversationPart = typeof conversationPart;

/** Its style sheet comes with it: a sheet made by script needs nothing of the policy and no request of its own. */
export function addConversationStyle(document: Document): void {
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(css);
  document.adoptedStyleSheets.push(sheet);
}
