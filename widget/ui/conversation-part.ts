import { Confirm } from "./confirm.tsx";
import { LogView } from "./log-view.tsx";
import { More } from "./more.tsx";
import { wordsOf } from "./rich-text-parse.ts";
import { Standing } from "./standing.tsx";

/** What the panel needs once there is a conversation, or about to be one, and not before. */
export const conversationPart = { LogView, Confirm, More, Standing, wordsOf };

export type ConversationPart = typeof conversationPart;
