import type { Action, AskedAction } from "../../shared/action.ts";
import type { ServiceEvent } from "../../shared/event.ts";
import { isInterrupted, type Message } from "../../shared/message.ts";
import { MAX_PAGE } from "../../shared/v1/messages.ts";
import type { TurnEvent } from "../../shared/v1/turns.ts";
import { INTERRUPTS } from "../answers/answers.ts";
import { createByteQueue } from "../http/byte-queue.ts";
import type { Turn } from "../store/conversations.ts";
import type { Owner } from "../store/owner.ts";
import type { RouteDeps } from "./route-deps.ts";

/** Longer than an answer and the one before it may take together, so reaching it means that something broke. */
const PATIENCE_MS = 150_000;

const encoder = new TextEncoder();

/**
 * The answer to one turn as lines of JSON: the stored message, the pieces, the sources, and the whole text. It ends
 * without `response.completed` when no agent answers: a person was asked for, or joined, or the conversation has ended.
 */
export async function streamAnswer(
  deps: RouteDeps,
  given: { owner: Owner; conversationId: string; clientMessageId: string; turn: Turn },
): Promise<ReadableStream<Uint8Array>> {
  const { conversationId } = given;
  const { message, answerId } = given.turn;
  const cleanUp: (() => void)[] = [];
  const leave = () => {
    for (const undo of cleanUp.splice(0)) undo();
  };
  const queue = createByteQueue(leave);
  const line = (event: TurnEvent) => queue.push(encoder.encode(`${JSON.stringify(event)}\n`));
  const finish = (answer: Message, actions: readonly Action[] = []) => {
    for (const event of [...completionOf(answer), ...actions.map(askOf)]) line(event);
    // The actions of this answer are published right after it.
    queueMicrotask(() => queue.end());
  };
  line({
    type: "turn.accepted",
    message: { ...message, role: "customer", clientMessageId: given.clientMessageId },
  });
  if (answerId === undefined) {
    queue.end();
    return queue.stream;
  }
  const onEvent = (event: ServiceEvent) => {
    if (event.type === "message.created" && event.message.id === answerId) finish(event.message);
    else if (event.type === "action.requested") line(askOf(event.action));
    else if (INTERRUPTS.has(event.type)) queue.end();
    else if (isPieceOf(event, answerId)) line(event);
  };
  cleanUp.push(deps.hub.subscribe(conversationId, ({ event }) => onEvent(event)));
  cleanUp.push(deps.streams.add(conversationId, () => queue.end()));
  cleanUp.push(
    deps.clock.after(PATIENCE_MS, () => {
      line({ type: "error", code: "agent_failed", message: "The agent did not answer in time." });
      queue.end();
    }),
  );
  const snapshot = deps.answers.readSnapshot(conversationId);
  if (snapshot) onEvent(snapshot);
  deps.answers.wake(conversationId);
  try {
    // A repeated turn may have been answered, or dropped, before this stream subscribed.
    const { conversations, answers } = deps.store;
    const { messages, actions = [] } = await conversations.readTranscript(
      given.owner,
      conversationId,
      message.seq,
      MAX_PAGE,
    );
    const answer = messages.find(({ id }) => id === answerId);
    if (answer) finish(answer, actions.filter(isOpen));
    else if (!(await answers.isPending(conversationId, message.seq))) queue.end();
  } catch (error) {
    // Nobody gets the stream, so its queue has no reader whose end would do it.
    leave();
    throw error;
  }
  return queue.stream;
}

function isOpen({ approved, result }: AskedAction): boolean {
  return approved === undefined && result === undefined;
}

function isPieceOf(
  event: ServiceEvent,
  answerId: string,
): event is Extract<TurnEvent, { type: "response.delta" | "response.snapshot" }> {
  return (
    (event.type === "response.delta" || event.type === "response.snapshot") && event.messageId === answerId
  );
}

function askOf({ actionId, name }: Action): TurnEvent {
  return { type: "action.requested", actionId, name, approvalRequired: true };
}

/** The text that the panel shows for the message's notice, for a client that reads only this stream. */
const OFFER: TurnEvent = { type: "handoff.requested", reason: "The agent found no answer." };

function completionOf(answer: Message): TurnEvent[] {
  if (isInterrupted(answer)) return [];
  if (answer.notice === "agent_failed") {
    return [{ type: "error", code: answer.notice, message: "The agent could not answer." }];
  }
  return [
    ...(answer.notice === "agent_found_nothing" ? [OFFER] : []),
    ...(answer.choices ? [{ type: "choices" as const, choices: answer.choices }] : []),
    ...(answer.citations ?? []).map((citation) => ({ type: "citation" as const, ...citation })),
    {
      type: "response.completed",
      messageId: answer.id,
      content: { body: answer.body, format: "markdown" },
      occurredAt: answer.at,
    },
  ];
}
