import * as z from "zod/mini";

/** A passage that the agent found. */
export const MadePassage = z.object({
  /** The article's. */
  title: z.string().check(z.minLength(1), z.maxLength(300)),
  heading: z.optional(z.string().check(z.maxLength(300))),
  /** The place where the owner edits it: its file, or else its address. */
  file: z.optional(z.string().check(z.maxLength(1000))),
  url: z.optional(z.string().check(z.maxLength(2000))),
  /** How likely it is that it answers the question: 0 to 1. */
  probability: z.number().check(z.minimum(0), z.maximum(1)),
  /** `quoted`: the answer rests on it. `offered`: its title is a quick reply. `found`: it was only considered. */
  use: z.enum(["quoted", "offered", "found"]),
});
export type MadePassage = z.infer<typeof MadePassage>;

/**
 * Why the answer quotes no article. `unsure`: titles are offered. `nothing_near`: no article comes near the question.
 * `no_source`: what the model said had no source. `limit`: a limit of tokens is reached. `fixed`: small talk, or a person
 * was asked for.
 */
export const NoQuote = z.enum(["unsure", "nothing_near", "no_source", "limit", "fixed"]);
export type NoQuote = z.infer<typeof NoQuote>;

export const Price = z.object({
  amount: z.number().check(z.nonnegative()),
  currency: z.string().check(z.regex(/^[A-Z]{3}$/)),
});
export type Price = z.infer<typeof Price>;

/** `answered`: it verifiably returned a result. `failed`: it did not. `asked`: it acts, and permission was asked. */
export const MadeTool = z.object({
  name: z.string().check(z.minLength(1), z.maxLength(200)),
  status: z.enum(["answered", "failed", "asked"]),
});
export type MadeTool = z.infer<typeof MadeTool>;

export const MadeUsage = z.object({
  model: z.optional(z.string().check(z.maxLength(200))),
  inputTokens: z.int().check(z.nonnegative()),
  outputTokens: z.int().check(z.nonnegative()),
  /** True if they were counted from the length of the text. */
  isEstimate: z.optional(z.boolean()),
  /** Present if the owner configured a price. */
  price: z.optional(Price),
});
export type MadeUsage = z.infer<typeof MadeUsage>;

/** The sources, tools and costs of an agent's answer. Only the team sees it: no answer to a customer contains it. */
export const AnswerMade = z.object({
  passages: z.array(MadePassage).check(z.maxLength(5)),
  tools: z.array(MadeTool).check(z.maxLength(20)),
  noQuote: z.optional(NoQuote),
  /** The folder of articles, for one that is missing. */
  folder: z.optional(z.string().check(z.maxLength(1000))),
  /** A sentence was withheld, because no tool had confirmed it. */
  withheld: z.optional(z.boolean()),
  usage: z.optional(MadeUsage),
});
export type AnswerMade = z.infer<typeof AnswerMade>;
