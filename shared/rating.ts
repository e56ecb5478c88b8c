import * as z from "zod/mini";
import { plainText } from "./text.ts";

/** What the customer says of a conversation: up or down, and a sentence if they like. */
export const Rating = z.object({
  score: z.enum(["up", "down"]),
  comment: z.optional(plainText(1000)),
});
export type Rating = z.infer<typeof Rating>;
