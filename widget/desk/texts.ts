import type { DeskDraft, DeskState } from "../../shared/desk.ts";
import type { Failure, FailureCode } from "../../shared/errors.ts";
import type { Notice } from "../../shared/message.ts";
import { isRefusal } from "./desk-calls.ts";
import type { QueueGroupName } from "./queue-order.ts";

/** Every text of the desk. */
export const texts = {
  product: "Parley desk",
  title: (needing: string | undefined) => (needing ? `(${needing}) Parley desk` : "Parley desk"),
  loading: "Opening the desk…",
  tryAgain: "Try again",
  duration: {
    short: "less than a minute",
    minutes: (count: number) => `${count} min`,
    hours: (count: number) => `${count} h`,
    days: (count: number) => `${count} days`,
  },

  brokenTitle: "Something went wrong",
  brokenBody: "The desk couldn't be shown. Your drafts are still here.",
  reloadDesk: "Reload the desk",
  unreachableTitle: "We can't reach the service",
  unreachableBody:
    "Check your connection, then try again. If it doesn't help, ask the person who runs Parley for you.",

  setUpTitle: "Set up your desk",
  setUpBody: "This creates the first account, with the admin role.",
  setUpButton: "Create account",
  setUpBusy: "Creating the account…",
  setUpFailed: "We couldn't confirm the new account.",
  setUpLinkOver:
    "This set-up link no longer works. If you created the account with it, sign in. Otherwise restart the service: it prints a new link until an account exists.",
  haveAccount: "Already have an account?",
  emailLabel: "E-mail",
  emailHint: "Used only to sign in. We won't e-mail you.",
  emailMissing: "Enter an e-mail address, such as sam@example.com.",
  nameLabel: "Name",
  nameHint: "Customers see this when you reply.",
  nameMissing: "Enter the name that customers will see.",
  passwordLabel: "Password",
  passwordHint: "At least 12 characters. A few unrelated words work well.",
  passwordMissing: "Enter your password.",
  passwordTooShort: (missing: number) =>
    missing === 1 ? "1 more character needed." : `${missing} more characters needed.`,
  passwordLongEnough: "Long enough.",
  passwordCount: (count: number) => `${count} of 12 characters`,
  showPassword: "Show password",
  hidePassword: "Hide password",

  signInTitle: "Sign in to the desk",
  signInBody: "Reply to customers who asked for a person.",
  signInExpired: "Your session has expired. Sign in to continue.",
  signInExpiredDrafts: "Your session has expired. Sign in to continue; your drafts are still here.",
  signInButton: "Sign in",
  signInBusy: "Signing in…",
  signInWrong: "Incorrect e-mail or password.",
  signInFailed: "We couldn't confirm your sign-in.",
  signInFirstTime: "First time here? Open the set-up link that the service printed when it started.",
  signOut: "Sign out",
  signOutAsk: {
    reply: "Sign out? A reply is not confirmed and its text would be lost.",
    text: "Sign out? Your unsent text would be lost.",
    file: "Sign out? Your unsent files would be lost.",
  },
  signOutStay: "Stay",
  signOutBusy: "Signing out…",
  signOutFailed: "We couldn't confirm your sign-out. You may still be signed in on this computer.",

  connection: {
    connecting: "Getting live updates…",
    live: "Live",
    waiting: "Reconnecting… this may be out of date",
    stopped: "Live updates are off. Reload the page to turn them on",
  },

  soundSwitch: "Sound",
  notificationsSwitch: "Notifications",
  notificationsBlocked:
    "Your browser doesn't allow notifications for this page. Allow them in its site settings, then try again.",
  alert: {
    waiting: "New customer waiting",
    message: "New message for you",
    decision: "Decision needed",
    many: (count: number) => `${count} customers need you`,
  },

  queueLabel: "Queue",
  queueFailed: "We couldn't load the list.",
  queueLoading: "Loading the list…",
  queueMore: "Show more",
  group: {
    waiting: "Waiting",
    decision: "Decision needed",
    mine: "Assigned to you",
    others: "Assigned to colleagues",
    agent: "With the AI agent",
    ended: "Ended",
  } satisfies Record<QueueGroupName, string>,
  emptyTitle: "Nobody is waiting",
  emptyBody: "Customers who ask for a person appear here.",
  nothingOpenTitle: "No conversation is open",
  nothingOpenQuiet: "All quiet",
  nothingOpenBody: "Choose a conversation to read it. The longest-waiting comes first.",
  nothingAtAllBody: "Customers who ask for a person appear in the queue.",
  nothingOpenWaiting: (count: string) =>
    count === "1" ? "One customer is waiting for a person." : `${count} customers are waiting for a person.`,
  openFirst: "Open the longest-waiting",
  waitedFor: (duration: string) => `waiting ${duration}`,
  decisionFor: (duration: string) => `decision needed, ${duration}`,
  takenBy: "with",
  draftMark: "Draft",
  unread: "New",

  anonymous: "Visitor",
  visitor: (sign: string) => `Visitor ${sign}`,
  from: (name: string, page: string) => `${name} from ${page}`,
  visit: (count: number) => `${count}${["th", "st", "nd", "rd"][ordinalOf(count)] ?? "th"} conversation`,
  online: "Online now",
  lastSeen: (duration: string) => `Last seen ${duration} ago`,
  identified: "Identified by the site",
  notIdentified: "Not identified",
  notVerified: "Not verified",
  typedByCustomer: "Unverified, typed by the customer",
  typedByTeam: "Typed by the team",
  teamTitle: "Added by your team",
  teamHint: "Only your team sees this.",
  teamAdd: "Add name or e-mail",
  teamEdit: "Edit name and e-mail",
  teamSave: "Save",
  teamSaving: "Saving…",
  teamCancel: "Cancel",
  teamFailed: "We couldn't confirm the change.",
  teamNameTooLong: "Use at most 100 characters.",
  customerTitle: "Customer",
  customerButton: "Customer details",
  field: {
    email: "E-mail",
    contact: "Wants replies at",
    id: "Customer ID",
    reason: "Asked for a person because",
    summary: "What it's about",
    started: "Started",
    handledBy: "Handled by",
    linkedTo: "Customer ID",
  },
  customerPage: "All about this customer",
  customerPageOf: (name: string) => `All about ${name}`,
  customerReading: "Loading the customer…",
  customerFailed: "We couldn't load this customer.",
  customerMissing: "We couldn't find this customer. Visitors who don't come back are deleted after a while.",
  customerErased: (day: string) => `This customer's data was deleted on ${day}.`,
  factsTitle: "Who this is",
  firstSeen: "First seen",
  lastWrote: "Last wrote",
  language: "Language",
  browser: "Browser",
  startedOn: "Last started from",
  allTitle: "Conversations",
  allNone: "There are no conversations with this customer.",
  allStarted: (time: string) => `Started ${time}`,
  allLast: "Last:",
  allWith: "Answered by",
  allState: {
    waiting: "Waiting",
    taken: "With a person",
    agent: "With the AI agent",
    ended: "Ended",
  } satisfies Record<DeskState, string>,
  requestTitle: "Their request",
  conversationTitle: "This conversation",
  traitsTitle: "Customer details",
  pageTraitsTitle: "From the page, not verified",
  linkedTitle: "Signed in later as",
  provenFromHere: (name: string) => `From here on, the site identified them as ${name}`,

  earlierTitle: "Earlier conversations",
  earlierLoading: "Loading earlier conversations…",
  earlierFailed: "We couldn't load earlier conversations.",
  earlierMore: "Show more",
  noWords: "No messages",
  earlierHint: "You're reading an earlier conversation.",
  earlierBack: "Back to the current one",

  back: "Back to the list",
  backToConversation: "Back to the conversation",
  logLabel: "Conversation",
  reading: "Loading the conversation…",
  readFailed: "We couldn't load the conversation.",
  aiAgent: "AI agent",
  aiMark: "AI",
  system: "Parley",
  colleague: "Colleague",
  answering: "is typing",
  customerTyping: (name: string) => `${name} is typing…`,
  sources: "Sources",
  choices: (labels: string) => `Offered: ${labels}`,
  talkToPerson: "Talk to a person",
  incomplete: "This answer was cut off.",
  newMessages: "New messages",
  toNewest: "Go to the newest message",
  notice: {
    agent_failed: "The AI agent couldn't answer.",
    agent_found_nothing: "The AI agent found nothing about this.",
    answer_cut: "The answer was too long, so it was cut off.",
  } satisfies Record<Notice, string>,

  event: {
    requested: "Asked for a person",
    accepted: (name: string) => `${name} took the conversation`,
    returned: "Handed back to the AI agent",
    failed: "Nobody was available; back with the AI agent",
    endedByCustomer: "Ended by the customer",
    endedByHuman: "Resolved",
    endedBySystem: "Ended",
    reopened: "Continued by the customer",
    reopenedByHuman: "Reopened",
    actionRequested: (title: string) => `The AI agent asked to do this: ${title}`,
    actionAnswered: {
      customer: { yes: "Allowed by the customer", no: "Refused by the customer" },
      human: { yes: "Allowed by the team", no: "Refused by the team" },
    },
    actionCompleted: (text: string | undefined) => (text ? `Done: ${text}` : "Done"),
    actionFailed: (text: string | undefined) => (text ? `Not done: ${text}` : "Not done"),
    actionUnknown: (text: string | undefined) =>
      `We don't know whether this was done. Check before anyone tries again.${text ? ` The tool said: ${text}` : ""}`,
    actionExpired: "Nobody answered in time, so nothing was done",
    summarySent: "Summary sent by the customer",
    rated: { up: "Rated helpful by the customer", down: "Rated not helpful by the customer" },
  },

  state: {
    waiting: (duration: string) => `Waiting ${duration}`,
    mine: "Assigned to you",
    others: (name: string) => `Assigned to ${name}`,
    agent: "With the AI agent",
    ended: "Ended",
  } satisfies Record<Exclude<DeskState, "taken"> | "mine" | "others", unknown>,

  summary: {
    title: "Summary by the customer",
    generated: "Written by the AI agent, sent by the customer",
    own: "Customer's own words",
    show: (time: string) => `Show the message from ${time}`,
  },

  actionFor: { customer: "The customer decides.", person: "The team decides." },
  allow: "Allow",
  refuse: "Don't allow",
  actionBusy: "Sending…",
  actionTaken: "This has already been answered the other way.",
  actionDoubt: "We couldn't confirm your answer.",

  take: "Take conversation",
  takeBusy: "Taking…",
  takeHint: "The customer will see your name.",
  giveBack: "Hand back to agent",
  giveBackBusy: "Handing back…",
  resolve: "Resolve",
  resolveBusy: "Resolving…",
  othersHint: (name: string) => `Assigned to ${name}. You can read along.`,
  handler: { agent: "AI agent", waiting: "Nobody yet", you: (name: string) => `${name} (you)` },
  takeOver: "Take over",
  agentHint: "The AI agent answers here. If you take over, it stops and the customer sees your name.",
  reopen: "Reopen",
  reopenBusy: "Reopening…",
  endedHint:
    "This conversation has ended. If you reopen it, it's assigned to you and the customer sees your name.",
  undo: "Undo",
  undoBody: (name: string) => `You resolved the conversation with ${name}.`,
  draftKept: "Your draft:",

  emoji: "Emoji",
  findEmoji: "Find an emoji",
  readingEmoji: "Loading…",
  noEmoji: "We couldn't load the emoji.",
  emojiGone: "Reload this page, then try again.",
  foundEmoji: (count: number) => (count === 1 ? "1 emoji" : `${count || "No"} emoji`),
  attach: "Attach files",
  uploading: (name: string) => `Uploading ${name}`,
  removeFile: (name: string) => `Remove ${name}`,
  fileFailed: (name: string) => `${name} isn't confirmed.`,
  tooManyFiles: "A reply can have at most 5 files.",

  draft: {
    ask: "Draft a reply",
    stop: "Stop drafting",
    title: "Draft by the AI agent",
    by: (author: string) => `Drafted by ${author}.`,
    inserted: "It's in the reply box. Check it before you send it.",
    offered: "You were already writing, so your text is unchanged.",
    insert: "Insert below your text",
    dismiss: "Dismiss",
    withheld:
      "The draft claimed that something was done. We couldn't confirm that, so the sentence was replaced.",
    noSources: "The AI agent named no source.",
    passage: (title: string) => `Passage from ${title}`,
    failed: "We couldn't get a draft.",
    none: {
      no_question: "The customer hasn't written anything to answer.",
      only_file: "The last message is a file, which the AI agent can't read.",
      nothing_found: "The AI agent has no answer to this.",
      agent_away: "The AI agent can't answer now. Write the reply yourself, or try again later.",
      failed: "The AI agent didn't finish its draft. Try again, or write the reply yourself.",
    } satisfies Record<Exclude<DeskDraft["kind"], "drafted">, string>,
    saidInserted: "The draft is in the reply box",
    saidOffered: "A draft is ready. Your text is unchanged",
  },

  reply: "Reply",
  replyPlaceholder: (name: string) => `Write to ${name}`,
  sendReply: "Send reply",
  replyHint: "Enter to send, Shift + Enter for a new line",
  tooLong: (over: number) =>
    over === 1 ? "1 character over the limit" : `${over} characters over the limit`,
  badText: "The text contains a character that can't be sent. Type it instead of pasting it.",
  sending: "Sending…",
  sent: "Sent",
  notConfirmed: "Not confirmed",
  retry: "Retry",
  remove: "Remove",
  removeHint: "Removes it from this screen. If the customer got it, they will still see it.",

  action: {
    take: "We couldn't confirm taking this conversation.",
    giveBack: "We couldn't confirm handing it back. As far as we know, the conversation is still yours.",
    resolve: "We couldn't confirm resolving this. The customer may still be there.",
    reopen: "We couldn't confirm reopening this.",
  },

  files: "Files",
  pictureBy: (name: string, author: string) => `${name}, sent by ${author}`,
  download: (name: string) => `Download ${name}`,
  close: "Close",
  erased: "This conversation was deleted. Its messages and files are gone.",

  said: {
    erased: "The conversation was deleted",
    waiting: (name: string) => `New customer waiting: ${name}`,
    decision: (name: string) => `Decision needed: ${name}`,
    message: (name: string, body: string) => `${name}: ${body}`,
    left: (name: string) => `${name} ended the conversation`,
    taken: "This conversation is now assigned to you",
    givenBack: "Handed back to the AI agent",
    resolved: "Resolved. You can undo it for ten seconds.",
    reopened: "Reopened and assigned to you",
    described: "Saved",
    attached: (name: string) => `${name} attached`,
    sent: "Reply sent",
    notConfirmed: "Your reply is not confirmed. The text is still here.",
    reconnecting: "Live updates are interrupted. Reconnecting.",
    live: "Live updates are back.",
  },
};

/** 1, 2 or 3 for a number that ends in "st", "nd" or "rd". */
function ordinalOf(count: number): number {
  const isTeen = Math.floor((count % 100) / 10) === 1;
  return isTeen ? 0 : count % 10;
}

/** How long something has lasted, in its largest unit: "4 min", "3 h", "2 days". Clocks may differ: `ms` may be negative. */
export function durationText(ms: number): string {
  const minutes = Math.floor(ms / 60_000);
  if (minutes < 1) return texts.duration.short;
  if (minutes < 60) return texts.duration.minutes(minutes);
  const hours = Math.floor(minutes / 60);
  return hours < 48 ? texts.duration.hours(hours) : texts.duration.days(Math.floor(hours / 24));
}

/** One sentence per failure, for the team. */
const FAILURE_TEXTS: Partial<Record<FailureCode, string>> = {
  unauthenticated: "Your session has expired. Sign in again.",
  session_expired: "Your session has expired. Sign in again.",
  forbidden: "Your account can't do this, or someone else has this conversation.",
  origin_not_allowed: "The service doesn't accept this web address. Open the desk at its usual address.",
  not_found: "This conversation no longer exists.",
  no_conversation: "This conversation no longer exists.",
  conversation_ended: "This conversation is over.",
  handoff_unavailable: "Someone else took it, or the customer is no longer waiting.",
  in_flight: "This is still in progress. Try again in a moment.",
  bad_request: "The service didn't accept this text.",
  bad_json: "The service didn't accept this text.",
  body_too_large: "The text is too long. Shorten it.",
  file_too_large: "Files can be at most 10 MB.",
  file_not_allowed: "You can attach images (PNG, JPEG, GIF, WebP) or PDFs.",
  too_many_files: "This conversation has reached its file limit.",
  file_gone: "The service no longer has a file of this reply. Attach it again.",
  key_reused: "This conflicts with an earlier reply. Copy the text into a new one.",
  not_confirmed: "The service answered but didn't confirm it.",
  support_unreachable: "We couldn't reach the service.",
  support_timeout: "The service didn't answer in time. We don't know whether it worked.",
  unavailable: "The service isn't available right now.",
  storage_full: "The service has no space left for this.",
};

/** For these the service's own sentence says more than ours: who has the conversation, which rule it was. */
const SAID_BETTER = new Set<FailureCode>(["forbidden", "handoff_unavailable", "conversation_ended"]);

/** Why something is unconfirmed, and when it may be retried if the service said so. `retryAfter` in seconds. */
export function failureText(
  code: FailureCode,
  more: { readonly detail?: string | undefined; readonly retryAfter?: number | undefined } = {},
): string {
  if (code === "rate_limited") return `Too many attempts. ${waitText(more.retryAfter)}`;
  if (more.detail && SAID_BETTER.has(code)) return more.detail;
  return FAILURE_TEXTS[code] ?? "Something went wrong at the service.";
}

/** Why an action failed. `doubt` goes first unless the service definitely refused it. */
export function troubleText(doubt: string, failure: Failure): string {
  const why = failureText(failure.code, failure);
  return isRefusal(failure) ? why : `${doubt} ${why}`;
}

/** Why the answer to an action was not taken. */
export function actionTroubleText(failure: Failure): string {
  return failure.code === "key_reused" ? texts.actionTaken : troubleText(texts.actionDoubt, failure);
}

function waitText(seconds: number | undefined): string {
  if (seconds === undefined) return "Wait a moment, then try again.";
  if (seconds <= 0) return "You can try again now.";
  if (seconds >= 90) return `Try again in ${Math.ceil(seconds / 60)} minutes.`;
  return `Try again in ${seconds <= 1 ? "a second" : `${Math.ceil(seconds)} seconds`}.`;
}
