import type { V1Id } from "../../shared/v1/contract.ts";

/** What a call sent that its answer must give back. */
export interface Sent {
  readonly externalId?: string;
  readonly conversationId?: string;
  readonly clientMessageId?: string;
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

/** A started conversation in such a state is none. */
const NOT_STARTED: ReadonlySet<unknown> = new Set(["failed", "rejected", "refused", "error"]);

/** An answer to "end it" that says this contradicts itself. */
const NOT_ENDED: ReadonlySet<unknown> = new Set(["open", "active", "started", "failed", "error"]);

const nothing = () => true;
const unlessNamed = (named: unknown, sent: string | boolean | undefined) =>
  named === undefined || named === sent;

/** A service may make one line of a subject; one that gives back less text has dropped some of it. */
function isWhole(named: unknown, sent: string | undefined): boolean {
  if (typeof named !== "string" || sent === undefined) return true;
  const words = (text: string) => text.replace(/\s+/g, " ").trim();
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
    !NOT_STARTED.has(at(answer, "conversation", "status")) &&
    isWhole(at(answer, "conversation", "subject"), sent.subject),
  handoffs: (sent, answer) => at(answer, "handoff", "conversationId") === sent.conversationId,
  endConversation: (sent, answer) => {
    if (answer === undefined) return true;
    const named = at(answer, "conversation", "id") ?? at(answer, "id");
    return (
      named === sent.conversationId &&
      unlessNamed(at(answer, "id"), sent.conversationId) &&
      !NOT_ENDED.has(at(answer, "conversation", "status"))
    );
  },
  capabilities: nothing,
  turns: (sent, answer) =>
    at(answer, "message", "clientMessageId") === sent.clientMessageId &&
    hasFiles(at(answer, "message", "attachments"), sent.attachments ?? []),
  actionApprovals: (sent, answer) =>
    [answer, at(answer, "action")].every(
      (named) =>
        unlessNamed(at(named, "actionId"), sent.actionId) &&
        unlessNamed(at(named, "id"), sent.actionId) &&
        unlessNamed(at(named, "approved"), sent.approved),
    ),
  messages: (sent, answer) => unlessNamed(at(answer, "conversation", "id"), sent.conversationId),
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
