import type { ApiOperation } from "../operation.ts";
import { readConfig } from "./config.ts";
import {
  answerAction,
  endConversation,
  eraseConversation,
  giveFeedback,
  markRead,
  proposeSummary,
  rateConversation,
  readAttachment,
  readEarlier,
  requestHandoff,
  sendMessage,
  sendSummary,
  setContact,
  startConversation,
  streamEvents,
  tellTyping,
  uploadAttachment,
} from "./conversation.ts";
import { continueConversation, listConversations, readPast, searchConversations } from "./history.ts";
import { endSession, identifySession, startSession } from "./session.ts";

/** Everything that the panel calls. */
export const API_OPERATIONS = [
  readConfig,
  startSession,
  identifySession,
  endSession,
  startConversation,
  sendMessage,
  readEarlier,
  listConversations,
  searchConversations,
  readPast,
  continueConversation,
  streamEvents,
  requestHandoff,
  proposeSummary,
  sendSummary,
  answerAction,
  uploadAttachment,
  readAttachment,
  rateConversation,
  giveFeedback,
  setContact,
  markRead,
  tellTyping,
  endConversation,
  eraseConversation,
] as const satisfies readonly ApiOperation[];
