import { actionApprovals } from "../../shared/v1/action-approvals.ts";
import { endConversation, startConversation } from "../../shared/v1/conversations.ts";
import { requestHandoff } from "../../shared/v1/handoffs.ts";
import { sendTurn } from "../../shared/v1/turns.ts";
import type { UpstreamClient } from "./client.ts";

/** Starts a conversation (contract, endpoint 5). The same key with the same body never makes two where the service honours it (`isIdempotent`). */
export function startServiceConversation(
  upstream: UpstreamClient,
  start: {
    serviceToken: string;
    idempotencyKey: string;
    isIdempotent?: boolean;
    providerId?: string;
    subject?: string;
  },
) {
  const { serviceToken, idempotencyKey, isIdempotent = false, providerId, subject } = start;
  return upstream.call(startConversation, {
    request: {
      ...(providerId === undefined ? {} : { providerId }),
      ...(subject === undefined ? {} : { subject }),
    },
    token: serviceToken,
    idempotencyKey,
    honoursKeys: isIdempotent,
  });
}

/** Sends what the customer wrote; `clientMessageId` is its key. */
export function sendServiceTurn(
  upstream: UpstreamClient,
  turn: {
    serviceToken: string;
    conversationId: string;
    clientMessageId: string;
    isIdempotent?: boolean;
    body: string;
    /** Ids of files that were kept before. */
    attachments?: readonly string[] | undefined;
  },
) {
  const { serviceToken, conversationId, clientMessageId, isIdempotent = false, body } = turn;
  const { attachments = [] } = turn;
  return upstream.call(sendTurn, {
    params: { id: conversationId },
    request: {
      clientMessageId,
      content: { body, format: "plain" },
      attachments: attachments.map((id) => ({ id })),
    },
    token: serviceToken,
    honoursKeys: isIdempotent,
  });
}

/** Asks for a person (contract, endpoint 6). */
export function requestServiceHandoff(
  upstream: UpstreamClient,
  handoff: {
    serviceToken: string;
    conversationId: string;
    idempotencyKey: string;
    isIdempotent?: boolean;
    reason?: string;
    currentIntent?: string;
    transcript?: string;
  },
) {
  const { serviceToken, conversationId, idempotencyKey, isIdempotent = false } = handoff;
  const { reason, currentIntent, transcript } = handoff;
  return upstream.call(requestHandoff, {
    request: {
      conversationId,
      ...(reason === undefined ? {} : { reason }),
      ...(currentIntent === undefined ? {} : { currentIntent }),
      ...(transcript === undefined ? {} : { transcript }),
    },
    token: serviceToken,
    idempotencyKey,
    honoursKeys: isIdempotent,
  });
}

/** Passes on the customer's answer to an action that the agent asked leave for. */
export function answerServiceAction(
  upstream: UpstreamClient,
  answer: { serviceToken: string; conversationId: string; actionId: string; approved: boolean },
) {
  const { serviceToken, conversationId, actionId, approved } = answer;
  return upstream.call(actionApprovals, {
    params: { id: conversationId },
    request: { actionId, approved },
    token: serviceToken,
  });
}

/** Ends a conversation (contract, endpoint 7). */
export function endServiceConversation(
  upstream: UpstreamClient,
  end: { serviceToken: string; conversationId: string },
) {
  return upstream.call(endConversation, { params: { id: end.conversationId }, token: end.serviceToken });
}
