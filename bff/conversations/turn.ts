import type { Outgoing, SentMessage } from "../../shared/api/conversation.ts";
import type { Attachment } from "../../shared/attachment.ts";
import { Failure } from "../../shared/errors.ts";
import type { RouteDeps } from "../routes/deps.ts";
import type { Session } from "../sessions/sessions.ts";
import { offers } from "../upstream/capabilities.ts";
import { sendServiceTurn } from "../upstream/conversations.ts";
import { requireFilesCarried } from "./carried.ts";
import type { Place } from "./current-conversation.ts";
import { learnFromTurn } from "./lost-conversation.ts";

/** What a service says of a turn, as `shared/v1/turns.ts` reads it. */
interface ConfirmedTurn {
  readonly message: {
    readonly id: string;
    readonly seq: number;
    readonly clientMessageId: string;
    readonly body?: string | undefined;
    readonly at?: string | undefined;
    readonly attachments?: Attachment[] | undefined;
  };
}

/** Sends one message into a conversation of the session's customer. */
export async function sendTurn(
  deps: Pick<RouteDeps, "upstream" | "serviceTokens" | "pointers">,
  session: Session,
  { conversationId, owner }: Place,
  outgoing: Outgoing,
) {
  if (!offers(session, "turns")) throw new Failure("not_carried");
  requireFilesCarried(session, outgoing);
  const { clientMessageId, body, attachments } = outgoing;
  try {
    return await deps.serviceTokens.lend(
      session,
      (serviceToken) =>
        sendServiceTurn(deps.upstream, {
          serviceToken,
          conversationId,
          clientMessageId,
          isIdempotent: offers(session, "idempotency"),
          body,
          attachments,
        }),
      owner,
    );
  } catch (error) {
    throw await learnFromTurn(error, deps, session, { conversationId, owner }, clientMessageId);
  }
}

/** The customer's message as confirmed; what a service leaves out of its echo is what was sent. */
export function sentMessageOf({ message }: ConfirmedTurn, outgoing: Outgoing, now: number): SentMessage {
  return {
    id: message.id,
    seq: message.seq,
    role: "customer",
    body: message.body ?? outgoing.body,
    at: message.at ?? new Date(now).toISOString(),
    clientMessageId: message.clientMessageId,
    ...(outgoing.attachments && message.attachments ? { attachments: message.attachments } : {}),
  };
}
