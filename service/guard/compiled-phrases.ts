import { comparable } from "../agents/comparable-text.ts";
import type { Claim } from "./claim.ts";
import type { ActionKind, ClaimPhrases } from "./claim-phrases.ts";
import { CLAIM_PHRASES, type ClaimLanguage } from "./phrases.ts";
import { MARK_WORD } from "./plain-words.ts";

interface Matcher {
  readonly pattern: RegExp;
  readonly excusedBy: "clause" | "before" | "anywhere";
  readonly form: Claim["form"];
  /** The kind of action that it claims, if its words don't name one. */
  readonly kind?: ActionKind;
  /** True if a negation is a part of it: "no longer active". */
  readonly isNegative?: true;
  /** True if it knows a verb by its form only, which may be a word of another language. */
  readonly isOpen?: true;
  /** True if it is a whole clause: "Closed." */
  readonly isAlone?: true;
}

/** The phrases of a language as regular expressions. */
export interface Compiled {
  readonly language: ClaimLanguage;
  readonly isSpaced: boolean;
  /** A character of its script, without which no pattern of it can match. */
  readonly script: RegExp;
  readonly matchers: readonly Matcher[];
  readonly kinds: readonly (readonly [ActionKind, RegExp])[];
  /** A participle of any verb, by its form. */
  readonly any: RegExp;
  /** What a cancellation and a refund are called. */
  readonly undoing: readonly (readonly [ActionKind, RegExp])[];
  /** The kinds of action that a sentence states as happened. */
  readonly stated: readonly (readonly [ActionKind, RegExp])[];
  readonly unless: RegExp;
  readonly says: RegExp;
  readonly politely: RegExp;
  readonly asks: RegExp | undefined;
  readonly not: RegExp;
  /** Short words of the language, which tell it from its neighbours. */
  readonly familiar: RegExp;
}

/** Words such as "agora mesmo" can be read in two ways: without a limit, a repetition of them would take forever. */
const MOST_REPEATS = "){0,6}";

const LATIN = /[a-z]/;
const SCRIPTS: Partial<Record<ClaimLanguage, RegExp>> = {
  ru: /\p{Script=Cyrillic}/u,
  ar: /\p{Script=Arabic}/u,
  zh: /\p{Script=Han}/u,
  ja: /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/u,
};

/** States that an act happened, in languages whose noun and verb are one word: "退款成功", and not "退款已发起". */
const HAPPENED: Partial<Record<ClaimLanguage, (act: string) => string>> = {
  zh: (act) =>
    `[已经為为您你将將把]{0,4}已[^ ]{0,5}?(?:${act})|(?:${act})[^ ]{0,2}(?:成功|完成|完毕|完畢|了)`,
  ja: (act) => `(?:${act})(?:(?:の?手続き|処理)?[がをは]?完了|[^ 始]{0,3}(?:しました|れました|りました|済))`,
  ar: (act) => `(?<=^| )[وف]?(?:تم|تمت|جرى) (?:${act})`,
};

export const COMPILED: readonly Compiled[] = Object.entries(CLAIM_PHRASES).map(([language, phrases]) =>
  compile(language as ClaimLanguage, phrases),
);

function compile(language: ClaimLanguage, phrases: ClaimPhrases): Compiled {
  const isSpaced = phrases.isSpaced !== false;
  const acts = Object.values(phrases.acts).join("|");
  const fill = (source: string) =>
    source
      .replaceAll("<you>", `(?:${phrases.you})`)
      .replaceAll("<tensed>", `(?:${phrases.tensed})`)
      .replaceAll("<act>", `(?:${acts})`)
      .replaceAll("<any>", `(?:${phrases.any})`)
      .replaceAll("<thing>", `(?:${phrases.things})`)
      .replaceAll("<when>", `(?:${phrases.when})`)
      .replaceAll("<do>", `(?:${phrases.does})`)
      .replaceAll("<own>", `(?:${phrases.own})`)
      .replaceAll("<adv>", `(?:${phrases.adverbs})`)
      .replaceAll(")*", MOST_REPEATS)
      .replaceAll(")+", MOST_REPEATS.replace("0", "1"));
  const regex = (source: string, flags = "u") =>
    new RegExp(comparable(isSpaced ? `(?<=^| )(?:${fill(source)})(?= |$)` : fill(source)), flags);
  const all = (
    sources: readonly string[],
    excusedBy: Matcher["excusedBy"],
    form: Claim["form"],
    more: Pick<Matcher, "kind" | "isNegative" | "isOpen"> = {},
  ): Matcher[] => sources.map((source) => ({ pattern: regex(source, "gu"), excusedBy, form, ...more }));
  const word = isSpaced ? "(?: [^ ,]+){0,3}? " : " ?[^ ,]{0,6}?";
  const beside = (noun: string) => [
    `${MARK_WORD} ,(?:${word})(?:${noun})`,
    `(?:${noun})[^,]{0,40} , ${MARK_WORD}`,
  ];
  const nouns = Object.entries(phrases.nouns);
  const happened = HAPPENED[language];
  const alone = isSpaced
    ? `(?<=^|, )(?:${fill(phrases.alone)})(?=$| ,)`
    : `(?<=^|, )${fill(phrases.alone)}(?=$| ,)`;
  return {
    language,
    isSpaced,
    script: SCRIPTS[language] ?? LATIN,
    matchers: [
      ...all(phrases.we, "clause", "ours"),
      ...all(phrases.open.ours, "clause", "ours", { isOpen: true }),
      ...all(phrases.was, "before", "happened"),
      ...all(phrases.open.happened, "before", "happened", { isOpen: true }),
      ...all(phrases.is ?? [], "anywhere", "happened"),
      ...all(phrases.over, "before", "happened", { kind: "cancel", isNegative: true }),
      ...all(phrases.soon, "anywhere", "announced"),
      ...all(
        [
          isSpaced
            ? "(?<=^|, )(?=(?:[^ ,]+ ){0,20}?(?:<you>)(?: |$))(?:[^ ,]+ ){0,20}?(?:<tensed>)"
            : "(?<=^|, )(?=[^,]*?(?:<you>))[^,]*?(?:<tensed>)",
        ],
        "anywhere",
        "announced",
        { isOpen: true },
      ),
      ...all([phrases.dated], "before", "announced", { isOpen: true }),
      ...all(phrases.open.announced, "anywhere", "announced", { isOpen: true }),
      ...nouns.flatMap(([kind, noun]) =>
        all(beside(noun), "anywhere", "announced", { kind: kind as ActionKind, isOpen: true }),
      ),
      { pattern: new RegExp(comparable(alone), "gu"), excusedBy: "before", form: "happened", isAlone: true },
    ],
    kinds: Object.entries(phrases.acts).map(([kind, act]) => [kind as ActionKind, regex(act)] as const),
    any: regex("<any>"),
    undoing: (["cancel", "refund"] as const).map(
      (kind) => [kind, regex(phrases.nouns[kind] ?? "(?!)")] as const,
    ),
    stated: Object.entries(phrases.acts).map(
      ([kind, act]) =>
        [kind as ActionKind, happened ? new RegExp(comparable(happened(act)), "u") : regex(act)] as const,
    ),
    unless: regex(phrases.unless),
    says: regex(phrases.says),
    politely: regex(phrases.politely, "gu"),
    asks: phrases.asks === undefined ? undefined : new RegExp(comparable(`^(?:${phrases.asks})(?= |$)`), "u"),
    not: regex(phrases.not),
    familiar: regex(`${phrases.own}|${phrases.adverbs}|${phrases.unless}`, "gu"),
  };
}
