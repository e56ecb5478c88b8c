import * as z from "zod/mini";
import { Id, Seq } from "./id.ts";
import { Generated } from "./message.ts";

/** Limits of a proposal. `HandoffSummary` limits the whole text that a customer sends. */
export const MAX_PROPOSED = 12;
export const MAX_PROPOSED_CHARACTERS = 500;

/** One sentence of a proposed summary, and the message of the log that says it. */
export const ProposedSentence = z.object({
  text: z.string().check(z.minLength(1), z.maxLength(MAX_PROPOSED_CHARACTERS)),
  seq: Seq,
});
export type ProposedSentence = z.infer<typeof ProposedSentence>;

/** A proposed summary of a hand-off. The team does not see it until the customer sends one. */
export const SummaryProposal = z.object({
  handoffId: Id,
  /** Empty if nothing of the conversation says what it is about. */
  sentences: z.array(ProposedSentence).check(z.maxLength(MAX_PROPOSED)),
  /** Set if a model wrote it; without it each sentence is quoted from the log. */
  generated: z.optional(Generated),
  /** The customer has sent a summary of this hand-off; there is no second one. */
  isSent: z.optional(z.literal(true)),
});
export type SummaryProposal = z.infer<typeof SummaryProposal>;

/** A part of a sent summary: a proposed sentence with its place in the log, or, without `seq`, the customer's own words. */
export const SummarySentence = z.object({ text: z.string().check(z.minLength(1)), seq: z.optional(Seq) });
export type SummarySentence = z.infer<typeof SummarySentence>;

/** A summary that the customer of a hand-off sent to the team. */
export const Summary = z.object({
  handoffId: Id,
  sentences: z.array(SummarySentence).check(z.minLength(1)),
  /** Set if a model wrote some of the sentences that have a place. */
  generated: z.optional(Generated),
});
export type Summary = z.infer<typeof Summary>;
