/** What an answer can claim to have been done. `done` names no action: "All set", "It is taken care of". */
export type ActionKind = "cancel" | "refund" | "change" | "remove" | "send" | "create" | "handoff" | "done";

/**
 * How a language claims an action, as sources of regular expressions over comparable words (lower case, without
 * accents). A comma stands for everything that separates clauses. `*` ends a word with any letters.
 */
export interface ClaimPhrases {
  /** Forms that say that it happened, by kind: "cancelled". */
  readonly acts: Readonly<Record<ActionKind, string>>;
  /** Forms of the same verbs that announce it: "cancel". */
  readonly does: string;
  /** What is the customer's own, or was named before: "your order", "it". */
  readonly own: string;
  /** Words that may stand beside a verb: "already". */
  readonly adverbs: string;
  /** The past participle of any verb by its form, except verbs that change nothing for a customer: "seen", "designed". */
  readonly any: string;
  /** What a customer has with a company: "order", "card", "flight". */
  readonly things: string;
  /** "Tomorrow", "within 3", "on Friday". */
  readonly when: string;
  /** Claims with a verb of any kind, known by its form. */
  readonly open: Readonly<Record<"ours" | "happened" | "announced", readonly string[]>>;
  /** "I have cancelled it." A condition excuses these only in the same clause. */
  readonly we: readonly string[];
  /** "Your order was cancelled." A condition excuses these only before it in the same clause. */
  readonly was: readonly string[];
  /** "Your order is cancelled [1]." As `was`, but a condition anywhere in the sentence excuses these. */
  readonly is?: readonly string[];
  /** "You will receive an e-mail." A condition anywhere in the sentence excuses these. */
  readonly soon: readonly string[];
  /** "You no longer have a subscription": a negation that says that something was ended. As `was`. */
  readonly over: readonly string[];
  /** What an action is called, by kind: "refund". Beside a check mark it says that it happened. */
  readonly nouns: Readonly<Partial<Record<ActionKind, string>>>;
  /** "Cancelled." A clause that consists of this. */
  readonly alone: string;
  /** What means the customer: "you", "your". */
  readonly you: string;
  /** What tells that something happened or happens now: a participle, "now", "on Friday". */
  readonly tensed: string;
  /** "Yesterday", "from now on": only what happened to this customer has such a date. */
  readonly dated: string;
  /** "You wrote that": what follows is the customer's own report. */
  readonly says: string;
  /** "If", "to", "how": the sentence states a condition, and not a fact. */
  readonly unless: string;
  /** Conditions that excuse nothing: "let me know if you have other questions". */
  readonly politely: string;
  /** How a question begins. Without it, every sentence with a question mark is one. */
  readonly asks?: string;
  /** "Not", "never". */
  readonly not: string;
  /** False if words are not separated by spaces. */
  readonly isSpaced?: false;
}
