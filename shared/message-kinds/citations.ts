import * as z from "zod/mini";
import { Id } from "../id.ts";

export const MAX_CITATIONS = 20;
export const MAX_TITLE = 300;

/** An article that an agent quotes. `url` is shown as a link only if it is http(s). */
export const Citation = z.object({
  citationId: Id,
  title: z.string().check(z.minLength(1), z.maxLength(MAX_TITLE)),
  url: z.optional(z.string().check(z.maxLength(2000))),
  excerpt: z.optional(z.string().check(z.maxLength(1000))),
});
export type Citation = z.infer<typeof Citation>;

/** The sources of an answer, in the order in which it quotes them. */
export const Citations = z.array(Citation).check(z.maxLength(MAX_CITATIONS));
export type Citations = z.infer<typeof Citations>;
