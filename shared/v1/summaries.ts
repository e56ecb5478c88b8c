import * as z from "zod/mini";
import { HandoffSummary } from "../handoff.ts";
import { Id } from "../id.ts";
import { v1 } from "../operation.ts";
import { Summary, SummaryProposal } from "../summary.ts";
import { at, isSameText } from "./echo.ts";
import { CALL } from "./limits.ts";

const about = { conversationId: Id };

/**
 * Proposes what the customer of an open hand-off could tell the team, each sentence with its place in the log. It stores
 * nothing and sends nothing.
 */
export const proposeSummary = v1({
  id: "proposeSummary",
  method: "GET",
  path: "/v1/support/conversations/:id/summary",
  auth: "session",
  summary: "Propose a summary for the team",
  needs: "summary",
  answer: z.object({ summary: z.object({ ...SummaryProposal.shape, ...about }) }),
  echo: ({ params }, answer) => at(answer, "summary", "conversationId") === params.id,
  status: 200,
  // A repeat may cost another call of a model, so only the panel asks again.
  retry: "never",
  refusals: ["conversation_ended", "handoff_unavailable"],
  limits: CALL,
});

/** Sends the team the customer's version, once for each hand-off. The same text again returns the first answer. */
export const sendSummary = v1({
  id: "sendSummary",
  method: "POST",
  path: "/v1/support/conversations/:id/summary",
  auth: "session",
  summary: "Send the team a summary that the customer approved",
  needs: "summary",
  request: z.object({ handoffId: Id, text: HandoffSummary }),
  answer: z.object({ summary: z.object({ ...Summary.shape, ...about }) }),
  echo({ params, request }, answer) {
    const sentences = at(answer, "summary", "sentences");
    const texts = Array.isArray(sentences) ? sentences.map((sentence) => at(sentence, "text")) : [];
    return (
      at(answer, "summary", "conversationId") === params.id &&
      at(answer, "summary", "handoffId") === request.handoffId &&
      isSameText(request.text, texts.join("\n"))
    );
  },
  status: 200,
  retry: "always",
  refusals: ["conversation_ended", "handoff_unavailable", "key_reused"],
  limits: CALL,
});
