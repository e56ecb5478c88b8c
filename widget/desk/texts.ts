import type { DeskState } from "../../shared/desk.ts";
import type { FailureCode } from "../../shared/errors.ts";
import type { Notice } from "../../shared/message.ts";
import type { QueueGroupName } from "./queue-order.ts";

/** Every sentence that the desk shows. */
export const texts = {
  product: "Parley desk",
  title: (waiting: number) => (waiting > 0 ? `(${waiting}) Parley desk` : "Parley desk"),
  loading: "Opening the desk…",
  tryAgain: "Try again",
  today: "Today",
  yesterday: "Yesterday",
  duration: {
    short: "under a minute",
    minutes: (count: number) => `${count} min`,
    hours: (count: number) => `${count} h`,
    days: (count: number) => `${count} days`,
  },

  brokenTitle: "Something went wrong",
  brokenBody: "The desk couldn't be shown. Your drafts are still here.",
  reloadDesk: "Reload the desk",
  unreachableTitle: "The desk could not reach the service",
  unreachableBody: "Nothing is lost. Check the connection, or ask whoever runs Parley for you.",

  setUpTitle: "Set up your desk",
  setUpBody: "This creates the first account. It can answer customers and look after the desk.",
  setUpButton: "Create account",
  setUpBusy: "Creating the account…",
  setUpFailed: "The account could not be confirmed.",
  setUpLinkOver:
    "This set-up link is not valid any more. Each start of the service prints a new one, until an account exists.",
  setUpElse: "There is an account already?",
  emailLabel: "E-mail",
  emailHint: "You sign in with it. No mail goes there.",
  emailMissing: "Enter an e-mail address, such as sam@example.com.",
  nameLabel: "Name",
  nameHint: "Customers see it when you answer.",
  nameMissing: "Enter the name that customers will see.",
  passwordLabel: "Password",
  passwordHint: "At least 12 characters. A few unrelated words make a good one.",
  passwordMissing: "Enter your password.",
  passwordTooShort: (missing: number) =>
    missing === 1 ? "One more character is needed." : `${missing} more characters are needed.`,
  passwordLongEnough: "Long enough.",
  passwordCount: (count: number) => `${count} of 12 characters`,
  showPassword: "Show password",
  hidePassword: "Hide password",

  signInTitle: "Sign in to the desk",
  signInBody: "Answer the customers who asked for a person.",
  signInExpired: "Your session is over. Sign in to go on; what you were writing is kept.",
  signInButton: "Sign in",
  signInBusy: "Signing in…",
  signInWrong: "E-mail or password is not right.",
  signInFailed: "Signing in could not be confirmed.",
  signInFirstTime: "First time here? Open the set-up link that the service printed when it started.",
  signOut: "Sign out",
  signOutBusy: "Signing out…",
  signOutFailed: "Signing out could not be confirmed. You may still be signed in on this computer.",

  connection: {
    connecting: "Getting live updates…",
    live: "Live",
    waiting: "Reconnecting… what you see may be out of date",
    stopped: "Live updates are off. Reload the page to get them back",
  },

  queueLabel: "Queue",
  queueFailed: "The list could not be read.",
  queueLoading: "Reading the list…",
  group: {
    waiting: "Waiting",
    mine: "Yours",
    others: "With colleagues",
    agent: "With the AI agent",
    ended: "Ended",
  } satisfies Record<QueueGroupName, string>,
  emptyTitle: "Nobody is waiting",
  emptyBody: "When a customer asks for a person, they appear here. You can leave this window open.",
  nothingOpenTitle: "All quiet",
  nothingOpenBody: "Choose a conversation of the queue to read it. Whoever waits longest comes first.",
  nothingAtAllBody:
    "When a customer asks for a person, they appear in the queue. You can leave this window open.",
  nothingOpenWaiting: (count: number) =>
    count === 1 ? "One customer is waiting for a person." : `${count} customers are waiting for a person.`,
  openFirst: "Open the one who waits longest",
  waitedFor: (duration: string) => `waiting ${duration}`,
  takenBy: "with",
  draftMark: "Draft",

  anonymous: "Anonymous visitor",
  identified: "Identified by the site",
  notIdentified: "Not identified",
  notVerified: "not verified",
  customerTitle: "Customer",
  customerButton: "Customer details",
  field: {
    email: "E-mail",
    id: "Customer id",
    reason: "Reason",
    summary: "Summary",
    channel: "Channel",
    agent: "Agent",
    handoff: "Handoff by",
    started: "Started",
    linkedTo: "Customer id",
  },
  requestTitle: "What they asked for",
  conversationTitle: "This conversation",
  traitsTitle: "Known of this customer",
  pageTraitsTitle: "Said by the page, not verified",
  linkedTitle: "Signed in later as",
  provenFromHere: (name: string) => `From here on: ${name}, identified by the site`,

  back: "Back to the list",
  backToConversation: "Back to the conversation",
  logLabel: "Conversation",
  reading: "Reading the conversation…",
  readFailed: "The conversation could not be read.",
  aiAgent: "AI agent",
  aiMark: "AI",
  system: "Parley",
  colleague: "Colleague",
  answering: "is writing",
  customerTyping: (name: string) => `${name} is writing…`,
  sources: "Sources",
  choices: (labels: string) => `Offered: ${labels}`,
  talkToPerson: "Talk to a person",
  incomplete: "This answer was cut off.",
  newMessages: "New messages",
  notice: {
    agent_failed: "The AI agent could not answer.",
    agent_found_nothing: "The AI agent found nothing on this.",
    answer_cut: "The answer was too long and was cut.",
  } satisfies Record<Notice, string>,

  event: {
    started: "Conversation started",
    requested: "Asked for a person",
    accepted: (name: string) => `${name} took the conversation`,
    returned: "Handed back to the AI agent",
    failed: "No person could be asked; the AI agent went on",
    endedByCustomer: "Ended by the customer",
    endedByHuman: "Resolved",
    endedBySystem: "Ended",
    rated: { up: "The customer rated it: helpful", down: "The customer rated it: not helpful" },
  },

  state: {
    waiting: (duration: string) => `Waiting for a person for ${duration}`,
    mine: "You answer",
    others: (name: string) => `${name} answers`,
    agent: "The AI agent answers",
    ended: "Ended",
  } satisfies Record<Exclude<DeskState, "taken"> | "mine" | "others", unknown>,

  take: "Take conversation",
  takeBusy: "Taking…",
  takeHint: "The customer sees your name once you have it.",
  giveBack: "Hand back to agent",
  giveBackBusy: "Handing back…",
  resolve: "Resolve",
  resolveBusy: "Resolving…",
  othersHint: (name: string) => `${name} answers here. You can read along.`,
  agentHint: "The AI agent answers here. If the customer asks for a person, you can take it.",
  endedHint: "This conversation is over. If the customer writes again, a new one starts.",
  draftKept: "Your text is kept:",

  reply: "Reply",
  replyPlaceholder: (name: string) => `Write to ${name}`,
  sendReply: "Send reply",
  replyHint: "Enter sends, Shift + Enter starts a new line",
  tooLong: (over: number) => `${over} characters too many`,
  badText: "There is a character in it that can't be kept. Type it anew instead of pasting.",
  sending: "Sending…",
  sent: "Sent",
  notConfirmed: "Not confirmed",
  retry: "Retry",
  remove: "Remove",
  removeHint: "Takes it off this screen. If it reached the customer, they keep it.",

  action: {
    take: "Taking this conversation could not be confirmed.",
    giveBack: "Handing back could not be confirmed. You still have the conversation as far as is known.",
    resolve: "Resolving could not be confirmed. The customer may still be there.",
  },

  files: "Files",
  erased: "The customer had this conversation erased. Nothing of it is kept.",

  said: {
    erased: "The conversation was erased by the customer",
    waiting: (name: string) => `New customer waiting: ${name}`,
    message: (name: string, body: string) => `${name}: ${body}`,
    left: (name: string) => `${name} ended the conversation`,
    taken: "You have this conversation now",
    givenBack: "Handed back to the AI agent",
    resolved: "Resolved",
    sent: "Reply sent",
    notConfirmed: "Your reply is not confirmed. The text is kept.",
    reconnecting: "Live updates are interrupted. Reconnecting.",
    live: "Live updates are back.",
  },
};

/** One sentence per failure, for a person of the team. */
const FAILURE_TEXTS: Partial<Record<FailureCode, string>> = {
  unauthenticated: "Your session is over. Sign in again.",
  session_expired: "Your session is over. Sign in again.",
  forbidden: "Your account may not do that, or somebody else has this conversation.",
  origin_not_allowed: "The service does not accept this address. Open the desk where it is meant to be.",
  not_found: "The service does not know this conversation any more.",
  no_conversation: "The service does not know this conversation any more.",
  conversation_ended: "The conversation is over.",
  handoff_unavailable: "Somebody else has it already, or the customer no longer waits.",
  in_flight: "The same request is still running. Try again in a moment.",
  bad_request: "The service did not accept this text.",
  bad_json: "The service did not accept this text.",
  body_too_large: "The text is too long.",
  key_reused: "This reply's id was used for another text. Copy the text into a new reply.",
  not_confirmed: "The service answered, but nothing in the answer proves it.",
  support_unreachable: "The service could not be reached.",
  support_timeout: "The service did not answer in time, so it is not known what happened.",
  unavailable: "The service is not available at the moment.",
  storage_full: "The service has no room left to store it.",
};

/** The service's own sentence says more than ours there: who has the conversation, which rule it was. */
const SAID_BETTER = new Set<FailureCode>(["forbidden", "handoff_unavailable"]);

/** Why something is in doubt, and when it may be tried again where the service said so. `retryAfter` in seconds. */
export function failureText(
  code: FailureCode,
  more: { readonly detail?: string | undefined; readonly retryAfter?: number | undefined } = {},
): string {
  if (code === "rate_limited") {
    return more.retryAfter === undefined
      ? "Too many tries. Wait a moment, then try again."
      : `Too many tries. Try again in ${waitText(more.retryAfter)}.`;
  }
  if (more.detail && SAID_BETTER.has(code)) return more.detail;
  return FAILURE_TEXTS[code] ?? "Something went wrong on the service's side.";
}

function waitText(seconds: number): string {
  if (seconds < 90) return seconds <= 1 ? "a second" : `${Math.ceil(seconds)} seconds`;
  return `${Math.ceil(seconds / 60)} minutes`;
}
