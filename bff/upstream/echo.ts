import type { V1Id } from "../../shared/v1/contract.ts";

/** What a call sent that its answer must give back. */
export interface Sent {
  readonly externalId?: string;
  readonly conversationId?: string;
  readonly clientMessageId?: string;
  /** What the customer wrote. */
  readonly body?: string;
  readonly subject?: string;
  readonly actionId?: string;
  readonly approved?: boolean;
  readonly attachmentId?: string;
  /** Ids of the files of a turn. */
  readonly attachments?: readonly string[];
  /** What went out as a file: known once all of it did. */
  readonly upload?: { readonly size: number; readonly sha256: string } | undefined;
  readonly score?: string;
  readonly comment?: string | undefined;
  readonly seq?: number;
}

/** A thing in such a state was not made, whatever else the answer says of it. */
const NOT_DONE: ReadonlySet<unknown> = new Set(
  "failed rejected refused declined denied cancelled canceled unavailable error".split(" "),
);

/** An answer to "end it" that says this contradicts itself. */
const NOT_ENDED: ReadonlySet<unknown> = new Set(["open", "active", "started", ...NOT_DONE]);

const nothing = () => true;
const unlessNamed = (named: unknown, sent: string | boolean | undefined) =>
  named === undefined || named === sent;

/** A service may make one line of a text, or bring it into a Unicode form; one that gives back another has not this one. */
function isWhole(named: unknown, sent: string | undefined): boolean {
  if (typeof named !== "string" || sent === undefined || named === sent) return true;
  const words = (text: string) => text.normalize("NFC").replace(/\s+/g, " ").trim();
  return words(named) === words(sent);
}

/** A turn that lost one of its files is not the turn that was sent. */
function hasFiles(named: unknown, sent: readonly string[]): boolean {
  if (sent.length === 0) return true;
  if (!Array.isArray(named) || named.length !== sent.length) return false;
  return sent.every((id, index) => at(named[index], "id") === id);
}

/** Whether an answer speaks of what was sent, by operation (contract, "a verified answer"). A new operation must say. */
const ECHO: Readonly<Record<V1Id, (sent: Sent, answer: unknown) => boolean>> = {
  identify: (sent, answer) =>
    unlessNamed(at(answer, "externalId"), sent.externalId) &&
    unlessNamed(at(answer, "customer", "externalId"), sent.externalId),
  sessions: nothing,
  providerSelection: nothing,
  supportSelection: nothing,
  conversations: (sent, answer) =>
    !NOT_DONE.has(at(answer, "conversation", "status")) &&
    isWhole(at(answer, "conversation", "subject"), sent.subject),
  handoffs: (sent, answer) => {
    const status = at(answer, "handoff", "status");
    // The contract's own word for it is told as it is.
    const isTold = status === "failed" || !NOT_DONE.has(status);
    return at(answer, "handoff", "conversationId") === sent.conversationId && isTold;
  },
  endConversation: (sent, answer) => {
    if (answer === undefined) return true;
    const named = at(answer, "conversation", "id") ?? at(answer, "id");
    return (
      named === sent.conversationId &&
      unlessNamed(at(answer, "id"), sent.conversationId) &&
      [answer, at(answer, "conversation")].every((named) => !NOT_ENDED.has(at(named, "status")))
    );
  },
  capabilities: nothing,
  turns: (sent, answer) =>
    at(answer, "message", "clientMessageId") === sent.clientMessageId &&
    isWhole(at(answer, "message", "body"), sent.body) &&
    hasFiles(at(answer, "message", "attachments"), sent.attachments ?? []),
  actionApprovals: (sent, answer) =>
    [answer, at(answer, "action")].every(
      (named) =>
        unlessNamed(at(named, "actionId"), sent.actionId) &&
        unlessNamed(at(named, "id"), sent.actionId) &&
        unlessNamed(at(named, "approved"), sent.approved) &&
        !NOT_DONE.has(at(named, "status")),
    ),
  messages: (sent, answer) => {
    const { conversationId } = sent;
    const messages = at(answer, "messages");
    return (
      unlessNamed(at(answer, "conversation", "id"), conversationId) &&
      isWithin(at(answer, "conversation"), conversationId) &&
      Array.isArray(messages) &&
      messages.every((message) => isWithin({ message }, conversationId))
    );
  },
  events: nothing,
  attachments: (sent, answer) =>
    at(answer, "attachment", "conversationId") === sent.conversationId &&
    sent.upload !== undefined &&
    at(answer, "received", "size") === sent.upload.size &&
    at(answer, "received", "sha256") === sent.upload.sha256,
  attachmentContent: nothing,
  ratings: (sent, answer) =>
    at(answer, "rating", "conversationId") === sent.conversationId &&
    at(answer, "rating", "score") === sent.score &&
    at(answer, "rating", "comment") === sent.comment,
  reads: (sent, answer) =>
    at(answer, "read", "conversationId") === sent.conversationId &&
    Number(at(answer, "read", "seq")) >= (sent.seq ?? 0),
  typing: (sent, answer) => at(answer, "typing", "conversationId") === sent.conversationId,
  eraseConversation: (sent, answer) => at(answer, "erased", "conversationId") === sent.conversationId,
};

/** Whether a body says by itself that the thing was not done, as some services do with any status. */
export function deniesItself(body: unknown): boolean {
  const errors = at(body, "errors");
  return (
    Boolean(at(body, "error")) ||
    (Array.isArray(errors) ? errors.length > 0 : Boolean(errors)) ||
    at(body, "ok") === false ||
    at(body, "success") === false ||
    NOT_DONE.has(at(body, "status"))
  );
}

/** Whether an entry of a log, or what it is about, names no other conversation than this. */
export function isWithin(entry: unknown, conversationId: string | undefined): boolean {
  return [entry, at(entry, "message"), at(entry, "handoff"), at(entry, "rating")].every((named) =>
    unlessNamed(at(named, "conversationId"), conversationId),
  );
}

/** Whether the answer echoes what was sent. */
export function echoHolds(operation: V1Id, sent: Sent, answer: unknown): boolean {
  return ECHO[operation](sent, answer);
}

function at(value: unknown, ...path: readonly string[]): unknown {
  let current = value;
  for (const key of path) {
    if (typeof current !== "object" || current === null || !Object.hasOwn(current, key)) return undefined;
    current = (current as Record<string, unknown>)[key];
  }
  return current;
}
