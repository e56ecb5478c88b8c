import * as z from "zod/mini";
import { Id } from "./id.ts";
import { Rating } from "./rating.ts";

/** Whether an agent's answer helped its customer. */
export const FeedbackScore = Rating.shape.score;
export type FeedbackScore = z.infer<typeof FeedbackScore>;

/** The customer's feedback on one answer; null takes it back. */
export const FeedbackChange = z.object({ messageId: Id, score: z.nullable(FeedbackScore) });
export type FeedbackChange = z.infer<typeof FeedbackChange>;
