import type { ApiOperation } from "../operation.ts";
import { readConfig } from "./config.ts";
import {
  answerAction,
  endConversation,
  eraseConversation,
  markRead,
  rateConversation,
  readAttachment,
  requestHandoff,
  sendMessage,
  startConversation,
  streamEvents,
  tellTyping,
  uploadAttachment,
} from "./conversation.ts";
import { endSession, identifySession, startSession } from "./session.ts";

/** Everything that the panel calls. */
export const API_OPERATIONS = [
  readConfig,
  startSession,
  identifySession,
  endSession,
  startConversation,
  sendMessage,
  streamEvents,
  requestHandoff,
  answerAction,
  uploadAttachment,
  readAttachment,
  rateConversation,
  markRead,
  tellTyping,
  endConversation,
  eraseConversation,
] as const satisfies readonly ApiOperation[];
