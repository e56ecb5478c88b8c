import type { Notice } from "../../shared/message.ts";
import { PROBLEM_TEXTS } from "./problem-texts.ts";

/** Every word that the panel shows or says, per language. Names of buttons and regions are public: tests and pages rely on them. */
const en = {
  panel: "Chat",
  log: "Conversation",
  message: "Message",
  placeholder: "Write a message",
  placeholderFirst: "Write one message to support",
  placeholderNoMore: "No further messages in this conversation",
  send: "Send",
  retry: "Retry",
  discard: "Discard",
  talkToPerson: "Talk to a person",
  endConversation: "End conversation",
  close: "Close chat",
  newMessages: "New messages",

  title: "Support",
  greeting: "Hello, how can we help?",
  disclosureOneWay:
    "This chat passes one message on to support. It can't show an answer. You can ask for a person at any time.",
  disclosure: "Answers come from an AI agent. You can ask for a person at any time.",
  you: "You",
  agent: "AI agent",
  human: "Person of the team",
  system: "Note",
  says: (author: string) => `${author}:`,
  sources: "Sources",
  incomplete: "This answer was cut off. It may lack something.",
  isTyping: (author: string) => `${author} is writing`,
  today: "Today",
  yesterday: "Yesterday",

  sending: "Sending…",
  sent: "Sent",
  messageSent: "Message sent.",
  notConfirmed: "Not confirmed",
  messageNotConfirmed: "Your message could not be confirmed. Its text is kept.",
  tooLong: (over: number) =>
    `Too long by ${over} ${over === 1 ? "character" : "characters"}. Nothing is cut off for you.`,
  roomLeft: (left: number) => `${left} characters left`,

  statusOneWay: "Takes a message, shows no answers",
  statusAgent: "The AI agent answers",
  statusWaiting: "Waiting for a person",
  statusHuman: "A person of the team",
  statusEnded: "This conversation has ended",
  statusUnknown: "Not signed in",
  statusUnreachable: "Could not reach support",
  statusReconnecting: "Reconnecting…",

  unreachable: "Could not reach support. What you write is kept here.",
  startedOver: "Your earlier visit is over. A message now starts a new conversation.",
  personAfterMessage: "Write your message first. A person is asked as soon as it has arrived.",
  askingForPerson: "Asking for a person…",
  personAsked: "A person has been asked. You can go on writing here.",
  personAskedUnseen: "A person has been asked. This chat can't show what they write.",
  noFurther: PROBLEM_TEXTS.not_carried,
  personSuggested: (reason: string) =>
    reason ? `The AI agent suggests a person: ${reason}` : "The AI agent suggests a person.",
  personNotConfirmed: "Asking for a person could not be confirmed.",
  personFailed: "No person could be reached. The AI agent goes on.",
  ending: "Ending the conversation…",
  endNotConfirmed: "The end of the conversation could not be confirmed. It may still be running.",
  isEnded: "This conversation has ended. A new message starts a new one.",
  fallback: { mail: "Write an e-mail", phone: "Call us", link: "Other ways to get help" },

  actionAsked: (name: string) => `The AI agent asks whether it may: ${name}`,
  allow: "Allow",
  dontAllow: "Don't allow",
  actionAnswered: (isAllowed: boolean) => `You ${isAllowed ? "allowed" : "did not allow"} this.`,
  actionNotConfirmed: "Your answer could not be confirmed.",

  checkingIdentity: "Checking who you are…",
  stayAnonymous: "Continue without signing in",

  confirmEnd: "End this conversation?",
  confirmEndDetail: "You can still read it here afterwards.",
  keep: "Keep it open",

  markRequested: "A person has been asked",
  markAccepted: (name: string | undefined) => (name ? `${name} joined` : "A person of the team joined"),
  markReturned: "The AI agent answers again",
  markFailed: "No person could be reached",
  markEnded: "The conversation has ended",
  personJoined: (name: string | undefined) => `${name ?? "A person of the team"} joined the conversation.`,
  conversationEnded: "The conversation has ended.",

  notices: {
    agent_failed: "The AI agent could not answer this. You can ask again, or ask for a person.",
    agent_found_nothing:
      "The AI agent found nothing about this. You can put it in other words, or ask for a person.",
    answer_cut: "The answer was too long and was cut off.",
  } satisfies Record<Notice, string>,
};

export type Texts = typeof en;

/** The service's own word for an action, as words: `cancel_order` reads "cancel order". */
export function nameOfAction(name: string): string {
  return name.replace(/[_-]+/g, " ").trim();
}

/** The texts for a language tag; English where there is no other. */
export function textsFor(_locale: string | undefined): Texts {
  return en;
}
