import { isDeepStrictEqual } from "node:util";
import { sentencesFor } from "../agents/knowledge/knowledge-texts.ts";
import { openaiSentencesFor } from "../agents/openai/openai-texts.ts";
import type { Tool } from "../agents/tool.ts";
import type { ActionReport } from "../store/actions.ts";
import { createAddressesGuard } from "./addresses-guard.ts";
import type { ActionKind } from "./claim-phrases.ts";
import { createClaimsGuard } from "./claims-guard.ts";
import { createOwnerWords, type OwnerWords } from "./owner-words.ts";
import { CLAIM_PHRASES } from "./phrases.ts";
import { kindsNamedIn } from "./stated-kinds.ts";
import { kindOfTool } from "./tool-kind.ts";
import { readToolResult } from "./tool-result.ts";
import { loadLanguages } from "./unguarded-language.ts";

type NamedAction = Pick<ActionReport, "tool" | "input" | "state">;

/** What stands between an agent's text and the customer. */
export interface AnswerGuard {
  /** Takes a piece of the agent's text and returns what may be shown now. */
  add(delta: string): string;
  /** Returns the rest at the end of the text. */
  end(): string;
  /** A source of the text that follows: its addresses may be repeated. */
  allow(source: string): void;
  /** Words of the owner's articles: what they promise may be promised. */
  quote(words: string): void;
  /** What a reading tool returned: its addresses may be repeated, and its status may be reported. */
  hear(result: unknown): void;
  /** An action was asked for, which nobody has allowed yet: what is said of its kind may be about this one. */
  ask(tool: string): void;
  /** Whether a quick reply, or a source's title, claims nothing, hides nothing and has no foreign address. */
  accepts(text: string): boolean;
  /** Whether a claim was withheld. */
  readonly hasWithheld: boolean;
}

/** For agents that only repeat the owner's own text (docs/decisions/0074-claims-guard.md). */
export const NO_GUARD: AnswerGuard = {
  add: (delta) => delta,
  end: () => "",
  allow: () => undefined,
  quote: () => undefined,
  hear: () => undefined,
  ask: () => undefined,
  accepts: () => true,
  hasWithheld: false,
};

/** Control characters except line breaks and tabs, and marks that turn the direction of letters: both hide words. */
const HIDING = /[^\P{Cc}\n\r\t]|[\u202d\u202e]/gu;
/** Reading them takes 10 ms, so it is done once, at the first answer that is guarded. */
let fixedAnswers: OwnerWords | undefined;

/** @param actions those of this conversation, oldest first: a completed one may be reported */
export async function createAnswerGuard(
  locale: string | undefined,
  actions: readonly NamedAction[],
): Promise<AnswerGuard> {
  const verified = verifiedBy(actions);
  fixedAnswers ??= readFixedAnswers();
  const owner = createOwnerWords(fixedAnswers);
  for (const sentence of ownSentences(locale)) owner.add(sentence);
  const options = { locale, verified, owner, languages: await loadLanguages() };
  const claims = createClaimsGuard(options);
  const addresses = createAddressesGuard();
  return {
    add: (delta) => addresses.add(claims.add(delta.replace(HIDING, ""))),
    end: () => addresses.add(claims.end()) + addresses.end(),
    allow: (source) => addresses.allow(source),
    quote: (words) => owner.add(words),
    hear(result) {
      const { texts, statuses } = readToolResult(result);
      for (const text of texts) addresses.allow(text);
      for (const kind of statuses.flatMap(kindsNamedIn)) verified.add(kind);
    },
    ask(tool) {
      const kind = kindOf(tool);
      if (kind) verified.delete(kind);
    },
    accepts(text) {
      const own = createClaimsGuard(options);
      return own.add(text) + own.end() === text.replace(HIDING, "") && addresses.accepts(text);
    },
    get hasWithheld() {
      return claims.hasWithheld;
    },
  };
}

/** The fixed sentences of our own agents. They claim nothing. */
function ownSentences(locale: string | undefined): readonly string[] {
  return [...Object.values(sentencesFor(locale)), ...Object.values(openaiSentencesFor(locale))];
}

/** Small talk is answered in the language that it is written in, whatever the session's. */
function readFixedAnswers(): OwnerWords {
  const words = createOwnerWords();
  for (const sentence of Object.keys(CLAIM_PHRASES).flatMap(ownSentences)) words.add(sentence);
  return words;
}

/**
 * What agents verifiably did in this conversation. It verifies facts ("It has been cancelled") and not "I have cancelled
 * it": an action runs only after the customer's or a person's consent, so never within an answer. The facts of two orders
 * are not told apart, so all actions of a kind have to be completed; of the same call, the newest one.
 */
function verifiedBy(actions: readonly NamedAction[]): Set<ActionKind> {
  const newest = actions.filter(
    ({ tool, input }, at) =>
      !actions.slice(at + 1).some((later) => later.tool === tool && isDeepStrictEqual(later.input, input)),
  );
  const verified = new Set(newest.flatMap(({ tool }) => kindOf(tool) ?? []));
  for (const { tool, state } of newest) {
    const kind = kindOf(tool);
    if (kind && state !== "completed") verified.delete(kind);
  }
  return verified;
}

/** Tools are offered as SERVER_TOOL, and a server's name has no underscore. */
const kindOf = (tool: string) => kindOfTool(tool.replace(/^[a-z0-9-]+[_.]/, ""));

/** Lets the guard read what the reading tools of a question return. */
export function heardBy(guard: AnswerGuard, tools: readonly Tool[]): readonly Tool[] {
  return tools.map((tool) => {
    if (tool.effect === "acts") return tool;
    const run = async (input: unknown, signal: AbortSignal) => {
      const result = await tool.run(input, signal);
      guard.hear(result);
      return result;
    };
    return { ...tool, run };
  });
}
