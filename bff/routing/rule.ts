import * as z from "zod/mini";
import { ExternalId } from "../../shared/id.ts";
import { isCleanText } from "../../shared/text.ts";
import { Traits } from "../../shared/traits.ts";
import { languageFault } from "./language-range.ts";
import { compileMatch, type Match } from "./match.ts";
import { globFault } from "./page-glob.ts";
import { butIs, checkedBy, mayHold, type Wrong } from "./schema-fault.ts";
import { quote } from "./wording.ts";

/** What the owner asks the service's selection for. The service's verified answer decides. */
export interface RouteWish {
  readonly channel?: string;
  readonly agentProvider?: string;
  readonly humanHandoffAdapter?: string;
}

export const TARGETS = ["channel", "agentProvider", "humanHandoffAdapter"] as const;

/** A rule, ready to be asked. */
export interface Rule {
  /** Its place in the list, counted from 1. */
  readonly number: number;
  readonly match: Match;
  readonly wish: RouteWish;
  readonly reason: string | undefined;
}

/** Longest list in a match and longest name of a target, as the contract has it. */
const MAX_ENTRIES = 1000;
const MAX_TARGET = 128;
const MAX_REASON = 500;

/** A list of texts of one kind; `wrong` says what is wrong with one of them. */
function listOf(kind: string, wrong: Wrong<string>) {
  const item = z.string(mayHold("texts")).check(checkedBy(wrong));
  return z.array(item, butIs(`a list of ${kind}`)).check(checkedBy(listFault));
}

function listFault(list: readonly unknown[]): string | undefined {
  if (list.length === 0)
    return "must not be an empty list, which nothing matches; leave the key out to match everything.";
  if (list.length > MAX_ENTRIES) return `may hold at most ${MAX_ENTRIES} entries, but holds ${list.length}.`;
  return undefined;
}

function holds(wrong: Wrong<string>, link: string): Wrong<string> {
  return (text) => {
    const fault = wrong(text);
    return fault === undefined ? undefined : `holds ${quote(text)}, which ${link}${fault}`;
  };
}

const AttributeValues = z
  .array(
    z
      .union([z.string(), z.number(), z.boolean()], mayHold("texts, numbers, true and false"))
      .check(
        checkedBy((value) =>
          Traits.safeParse({ trait: value }).success
            ? undefined
            : `holds ${quote(value)}, which no attribute can be.`,
        ),
      ),
    butIs('a list of values such as ["enterprise"]'),
  )
  .check(checkedBy(listFault));

const AttributeName = z
  .string()
  .check(
    checkedBy((name) =>
      Traits.safeParse({ [name]: true }).success
        ? undefined
        : `holds ${quote(name)}, which no attribute can be called.`,
    ),
  );

const Attributes = z
  .record(AttributeName, AttributeValues, butIs('an object of lists such as {"plan": ["enterprise"]}'))
  .check(
    checkedBy((attributes) =>
      Object.keys(attributes).length === 0
        ? "must not be empty; leave the key out to match everything."
        : undefined,
    ),
  );

const isUserID: Wrong<string> = (id) =>
  ExternalId.safeParse(id).success
    ? undefined
    : "is no externalId (1 to 255 characters, no space around it).";

const MatchSchema = z.strictObject(
  {
    locales: z.optional(
      listOf('language tags such as ["de", "fr-CH"]', holds(languageFault, "is not a language tag; ")),
    ),
    pages: z.optional(listOf('paths such as ["/pricing", "/help/**"]', holds(globFault, ""))),
    userIDs: z.optional(listOf('externalIds such as ["customer-7"]', holds(isUserID, ""))),
    attributes: z.optional(Attributes),
    identified: z.optional(z.boolean(butIs("true or false"))),
    hours: z.optional(z.enum(["open", "closed"], butIs('"open" or "closed"'))),
  },
  butIs('an object such as {"locales": ["de"]}'),
);

function targetFault(text: string): string | undefined {
  if (text.trim() === "") return "must not be empty; leave the key out to keep the default.";
  if (text.length > MAX_TARGET) return `must be at most ${MAX_TARGET} characters long.`;
  if (text.trim() !== text || !isCleanText(text) || /[\n\t]/.test(text)) {
    return "must be a name without space around it and without control characters.";
  }
  return undefined;
}

const Target = z.string(butIs('a name such as "german"')).check(checkedBy(targetFault));

const Reason = z.string(butIs("a text")).check(
  checkedBy((text) => {
    const isLine = text.trim() !== "" && isCleanText(text) && !/[\n\t]/.test(text);
    return isLine && text.length <= MAX_REASON
      ? undefined
      : `must be one line of 1 to ${MAX_REASON} characters.`;
  }),
);

/** One rule of `ROUTING`, as the JSON has it. */
export const RuleSchema = z.strictObject(
  {
    match: MatchSchema,
    trust: z.optional(z.literal("page", butIs('"page" or left out'))),
    channel: z.optional(Target),
    agentProvider: z.optional(Target),
    humanHandoffAdapter: z.optional(Target),
    reason: z.optional(Reason),
  },
  butIs('an object such as {"match": {"locales": ["de"]}, "agentProvider": "german"}'),
);
export type RuleInput = z.infer<typeof RuleSchema>;

/** The keys of a rule and of its match, for hints. */
export const RULE_KEYS = Object.keys(RuleSchema.shape);
export const MATCH_KEYS = Object.keys(MatchSchema.shape);

/** Makes a rule ready to be asked. */
export function compileRule(input: RuleInput, number: number): Rule {
  const { channel, agentProvider, humanHandoffAdapter } = input;
  return {
    number,
    match: compileMatch(input.match, input.trust === "page"),
    wish: {
      ...(channel === undefined ? {} : { channel }),
      ...(agentProvider === undefined ? {} : { agentProvider }),
      ...(humanHandoffAdapter === undefined ? {} : { humanHandoffAdapter }),
    },
    reason: input.reason,
  };
}
