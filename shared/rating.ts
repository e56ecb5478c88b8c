import * as z from "zod/mini";
import { plainText } from "./text.ts";

/** The customer's opinion of a conversation: up or down, and optionally a sentence. */
export const Rating = z.object({
  score: z.enum(["up", "down"]),
  comment: z.optional(plainText(1000)),
});
export type Rating = z.infer<typeof Rating>;
