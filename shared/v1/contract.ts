import type { V1Operation } from "../operation.ts";
import { actionApprovals } from "./action-approvals.ts";
import { attachmentContent, attachments } from "./attachments.ts";
import { capabilities } from "./capabilities.ts";
import { setContact } from "./contacts.ts";
import { endConversation, linkConversation, reopenConversation, startConversation } from "./conversations.ts";
import { eraseConversation } from "./erasure.ts";
import { streamEvents } from "./events.ts";
import { giveFeedback } from "./feedback.ts";
import { requestHandoff } from "./handoffs.ts";
import { listConversations, searchConversations } from "./history.ts";
import { identify } from "./identify.ts";
import { readMessages } from "./messages.ts";
import { providerSelection } from "./provider-selection.ts";
import { rateConversation } from "./ratings.ts";
import { markRead } from "./reads.ts";
import { sessions } from "./sessions.ts";
import { proposeSummary, sendSummary } from "./summaries.ts";
import { supportSelection } from "./support-selection.ts";
import { sendTurn } from "./turns.ts";
import { tellTyping } from "./typing.ts";

/** The seven endpoints that every service has, in the contract's order. */
export const THE_SEVEN = [
  identify,
  sessions,
  providerSelection,
  supportSelection,
  startConversation,
  requestHandoff,
  endConversation,
] as const satisfies readonly V1Operation[];

/** Operations that a service may have beyond the seven. */
const OPTIONAL = [
  capabilities,
  sendTurn,
  readMessages,
  listConversations,
  searchConversations,
  reopenConversation,
  streamEvents,
  attachments,
  attachmentContent,
  rateConversation,
  giveFeedback,
  setContact,
  proposeSummary,
  sendSummary,
  markRead,
  tellTyping,
  eraseConversation,
  linkConversation,
  actionApprovals,
] as const satisfies readonly V1Operation[];

/** Everything that a BFF may call. */
export const V1_CONTRACT = [...THE_SEVEN, ...OPTIONAL] as const;

/** The id of one operation; a table over these can't omit one. */
export type V1Id = (typeof V1_CONTRACT)[number]["id"];
