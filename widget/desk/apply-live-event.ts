import type { LiveEvent } from "../../shared/event.ts";
import type { Message } from "../../shared/message.ts";
import { withFeedback } from "../client/feedback-on.ts";
import type { Board } from "./board.ts";

/** The service cuts an answer at 20,000 code points; no more than this is shown while it is in progress. */
const MAX_ANSWER_CHARACTERS = 40_000;

/** The board after an event that is never stored: an answer in progress, typing, what was read, an erasure. */
export function applyLive(board: Board, conversationId: string, event: LiveEvent): Board {
  switch (event.type) {
    case "response.delta":
      return writeAnswer(board, conversationId, event.messageId, (text) => text + event.delta);
    case "response.snapshot":
      return writeAnswer(board, conversationId, event.messageId, () => event.text);
    case "typing.started":
      if (event.role !== "customer" || board.typing.has(conversationId)) return board;
      return { ...board, typing: new Set([...board.typing, conversationId]) };
    case "typing.stopped":
      if (event.role !== "customer" || !board.typing.has(conversationId)) return board;
      return { ...board, typing: without(board.typing, conversationId) };
    case "conversation.read": {
      const { opened } = board;
      if (opened?.id !== conversationId) return board;
      return { ...board, opened: { ...opened, read: { ...opened.read, [event.by]: event.upTo } } };
    }
    case "handoff.wait":
      return board;
    case "contact.changed": {
      const { opened } = board;
      if (opened?.id !== conversationId) return board;
      const { contact: _, ...rest } = opened;
      const { email } = event.contact;
      return { ...board, opened: email === null ? rest : { ...rest, contact: { email } } };
    }
    case "feedback.changed": {
      const { opened } = board;
      if (opened?.id !== conversationId) return board;
      const messages = [...withFeedback(opened.messages, event.feedback)];
      return { ...board, opened: { ...opened, messages } };
    }
    case "conversation.erased":
      return forget(board, conversationId);
  }
}

/** The whole message replaces the answer in progress, and its author no longer types. */
export function finishAnswer(board: Board, conversationId: string, message: Message): Board {
  const typing =
    message.role === "customer" && board.typing.has(conversationId)
      ? without(board.typing, conversationId)
      : board.typing;
  const { [message.id]: finished, ...others } = board.answers[conversationId] ?? {};
  if (finished === undefined) return typing === board.typing ? board : { ...board, typing };
  return { ...board, typing, answers: { ...board.answers, [conversationId]: others } };
}

/** Drops what only the stream carried: after a disconnection, deltas are missing and typing may have stopped. */
export function dropLive(board: Board): Board {
  return { ...board, answers: {}, typing: new Set() };
}

/** An erased conversation leaves the queue, and is closed if it was open. */
function forget(board: Board, conversationId: string): Board {
  const { [conversationId]: _, ...answers } = board.answers;
  return {
    queue: board.queue.filter(({ id }) => id !== conversationId),
    opened: board.opened?.id === conversationId ? undefined : board.opened,
    answers,
    typing: without(board.typing, conversationId),
  };
}

function writeAnswer(
  board: Board,
  conversationId: string,
  messageId: string,
  write: (text: string) => string,
): Board {
  // A delta that arrives after the whole message would show the answer twice.
  if (board.opened?.id === conversationId && board.opened.messages.some(({ id }) => id === messageId)) {
    return board;
  }
  const answers = board.answers[conversationId] ?? {};
  const text = write(answers[messageId] ?? "").slice(0, MAX_ANSWER_CHARACTERS);
  return { ...board, answers: { ...board.answers, [conversationId]: { ...answers, [messageId]: text } } };
}

function without(ids: ReadonlySet<string>, id: string): ReadonlySet<string> {
  return new Set([...ids].filter((each) => each !== id));
}
