import * as z from "zod";
import { ExternalId } from "../../shared/id.ts";
import { lineText } from "../../shared/text.ts";
import { Traits } from "../../shared/traits.ts";
import { PAGE_GLOB, type PageGlob, parseGlob } from "./page-glob.ts";

export const TARGETS = ["channel", "agentProvider", "humanHandoffAdapter"] as const;

/** What the owner requests from the service's selection. The service's verified answer decides. */
export type RouteWish = { readonly [Target in (typeof TARGETS)[number]]?: string | undefined };

/** A list of alternatives, one of which must match. */
function oneOf<Entry extends z.ZodType>(entry: Entry) {
  return z.array(entry).min(1, "An empty list matches nothing; leave the key out to match everything.");
}

/** A text that `isRight` accepts; otherwise the fault quotes the text and says what it is not. */
function textThat(isRight: (text: string) => boolean, isNot: string) {
  return z.string().refine(isRight, { error: ({ input }) => `${JSON.stringify(input)} is not ${isNot}.` });
}

/** A tag of BCP 47; languages of more than three letters are reserved, so "german" is a mistake. */
export const LANGUAGE_TAG = /^[A-Za-z]{2,3}(-[A-Za-z0-9]{1,8})*$/;

const Page = textThat(
  (text) => PAGE_GLOB.test(text),
  "a pattern of paths such as /pricing, /products/* or /help/**",
).transform((source): PageGlob => parseGlob(source));

/** An object with at least one key. This check runs after the others, so that one mistake gives one sentence. */
function nonEmpty<Schema extends z.ZodType<object>>(schema: Schema, error: string) {
  return schema.refine((value) => Object.keys(value).length > 0, { error, when: isValidSoFar });
}

function isValidSoFar({ issues }: { readonly issues: readonly unknown[] }): boolean {
  return issues.length === 0;
}

const Bound = z.number().optional();
/** Compares numbers; an attribute that is not a number does not match. */
const Comparison = nonEmpty(
  z.strictObject({ atLeast: Bound, atMost: Bound, above: Bound, below: Bound }),
  "Give at least one of atLeast, atMost, above and below.",
).refine(
  ({ atLeast = -Infinity, atMost = Infinity, above = -Infinity, below = Infinity }) =>
    atLeast <= atMost && atLeast < below && above < atMost && above < below,
  "No number is within these bounds, so nobody can match.",
);

const Attributes = nonEmpty(
  z.record(
    z.string(),
    z.union([oneOf(z.union([z.string(), z.number(), z.boolean()])), Comparison], {
      error: 'Must be a list of values such as ["enterprise"], or a comparison such as {"atLeast": 50}.',
    }),
  ),
  "Name at least one attribute, or leave the key out.",
).refine(
  (attributes) => Object.keys(attributes).every((name) => Traits.safeParse({ [name]: true }).success),
  {
    error: "Names an attribute that no customer can have; names start with a letter and have no spaces.",
  },
);

const conditions = {
  locales: oneOf(
    textThat((tag) => LANGUAGE_TAG.test(tag), 'a language tag such as "de" or "fr-CH"'),
  ).optional(),
  pages: oneOf(Page).optional(),
  userIDs: oneOf(textThat((id) => ExternalId.safeParse(id).success, "an externalId")).optional(),
  attributes: Attributes.optional(),
  identified: z.boolean().optional(),
  hours: z.enum(["open", "closed"]).optional(),
};

const Match = z.strictObject({
  ...conditions,
  not: nonEmpty(
    z.strictObject(conditions),
    'An empty "not" excludes everyone; leave the key out.',
  ).optional(),
});

/** When a rule matches: all given keys must match. */
export type Match = z.output<typeof Match>;
export type AttributeCondition = z.output<typeof Attributes>[string];

/** The name of a channel, agent or hand-off adapter. */
export const Target = z
  .string()
  .refine((name) => name.trim() === name && lineText(128).safeParse(name).success, {
    error: "Must be a name of 1 to 128 characters without spaces around it and without control characters.",
  });

/** One rule of `ROUTING`. */
export const Rule = z
  .strictObject({
    match: Match,
    trust: z.literal("page").optional(),
    channel: Target.optional(),
    agentProvider: Target.optional(),
    humanHandoffAdapter: Target.optional(),
    reason: z
      .string()
      .refine((text) => lineText(500).safeParse(text).success, "Must be one line of text.")
      .optional(),
  })
  .refine((rule) => TARGETS.some((target) => rule[target] !== undefined), {
    error: `Give at least one of ${TARGETS.join(", ")}.`,
    when: isValidSoFar,
  });
export type Rule = z.output<typeof Rule>;
export type RuleInput = z.input<typeof Rule>;
