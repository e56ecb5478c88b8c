import { comparable } from "../agents/comparable-text.ts";
import type { ActionKind, ClaimPhrases } from "./claim-phrases.ts";
import { CLAIM_PHRASES, type ClaimLanguage } from "./phrases.ts";
import { MARK_WORD, readingsOf } from "./plain-words.ts";
import { namesWeekday } from "./weekdays.ts";

/** A claim that an action happened, is happening, or will happen without anybody doing more. */
export interface Claim {
  readonly kind: ActionKind;
  /** Undefined where its words don't tell. */
  readonly language: ClaimLanguage | undefined;
  /**
   * `ours`: "I have cancelled it". `happened`: "It was cancelled", which may also repeat what a tool reported. `announced`:
   * "You will receive an e-mail", which may also be the owner's promise.
   */
  readonly form: "ours" | "happened" | "announced";
}

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

interface Compiled {
  readonly language: ClaimLanguage;
  readonly isSpaced: boolean;
  /** A character of its script, without which no pattern of it can match. */
  readonly script: RegExp;
  readonly matchers: readonly Matcher[];
  readonly kinds: readonly (readonly [ActionKind, RegExp])[];
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

/** Things that are closed at times and don't belong to the customer. */
const PLACES =
  /(?<=^| )(?:shop|store|office|showroom|laden|geschaft|filiale|magasin|boutique|tienda|oficina|negozio|ufficio|loja|winkel|kantoor|sklep|biuro|магазин|офис|magaza|ofis|المتجر|المكتب)(?= |$)/u;

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

const COMPILED: readonly Compiled[] = Object.entries(CLAIM_PHRASES).map(([language, phrases]) =>
  compile(language as ClaimLanguage, phrases),
);

/** "Ist Ihr Paket verloren, dann …", "Is uw pakket zoek, dan …": a condition without a word for "if". */
const VERB_FIRST = /^(?:ist|sind|wurden?|hat|haben|is|zijn|werd|werden|heeft|hebt|heb)(?= )/;
const THEN = /^[^,]* , (?:dann|dan|so) /;
/** "A technician comes to change the meter": an aim after the claim is not a condition. */
const AIMS = /(?<=^| )(?:pour|para|per|um|om|aby|zeby|чтобы)(?= |$)/gu;
/** Words of the other kinds are often said of something else: "as requested", "the team that you called". */
const LASTING: ReadonlySet<ActionKind> = new Set(["cancel", "refund", "change", "remove", "send"]);
/** A sentence is in another language if it has more than this many times as many short words of that one. */
const FOREIGN_FROM = 2;

/** A claim that a pattern found. */
export interface Match {
  readonly claim: Claim;
  /** True if the pattern knows a verb by its form only. */
  readonly isOpen: boolean;
  /** How many short words of the claim's language the sentence has. */
  readonly familiarity: number;
}

/**
 * Finds claims in one reading of a sentence: a question, a condition, a negation and an instruction are none.
 *
 * @param options.withOpen false leaves out the patterns that know a verb by its form only
 */
export function claimsByPatterns(
  words: string,
  isAsked: boolean,
  { withOpen = true } = {},
): readonly Match[] {
  const possible = possibleFor(words);
  const most = Math.max(...possible.map(({ familiarity }) => familiarity));
  const found = possible.flatMap(({ compiled, familiarity }) =>
    claimsOfReading(words, compiled, {
      isAsked,
      withOpen: withOpen && familiarity * FOREIGN_FROM >= most,
    }).map((match) => ({
      ...match,
      familiarity,
    })),
  );
  return found.filter((match) => !found.some((other) => states(other, match, words)));
}

/**
 * Whether a listed verb states as happened what another match takes from the form of the same verb, from a noun that looks
 * like a verb, or from "successfully" after it. Without this, "Twoje zamówienie zostało anulowane" would be two claims,
 * and a verified cancellation would verify one of them.
 */
function states({ claim, isOpen, at, end }: Place, match: Place, words: string): boolean {
  if (isOpen || claim.form !== "happened" || claim.kind === "done") return false;
  if (match.claim.kind !== "done" || match.claim.form === "ours") return false;
  if (match.at === end + 1 || match.end === end) return true;
  if (!match.isOpen || match.isNamed || match.end <= at || match.end > end) return false;
  return match.claim.form === "announced" || /^ [^ ]+$/.test(words.slice(match.end, end));
}

/** The languages whose script a reading has characters of. */
function possibleFor(
  words: string,
): readonly { readonly compiled: Compiled; readonly familiarity: number }[] {
  return COMPILED.filter(({ script }) => script.test(words)).map((compiled) => ({
    compiled,
    familiarity: familiarityOf(words, compiled),
  }));
}

/** How many short words of a language a reading has. */
function familiarityOf(words: string, { familiar }: Compiled): number {
  return matchesIn(words, familiar).length;
}

/** The language with the most short words in a sentence; undefined if there is no such language, or another has as many. */
export function languageOf(readings: readonly string[]): ClaimLanguage | undefined {
  const all = readings.join(" ");
  const [first, second] = COMPILED.map((compiled) => ({
    language: compiled.language,
    familiarity: familiarityOf(all, compiled),
  })).toSorted((one, other) => other.familiarity - one.familiarity);
  return first && first.familiarity > (second?.familiarity ?? 0) ? first.language : undefined;
}

/** A claim with its place in the words of its reading. */
interface Place extends Omit<Match, "familiarity"> {
  readonly at: number;
  readonly end: number;
  /** False if none of its words names a kind. */
  readonly isNamed: boolean;
}

const NOT_YET = /(?:^| )(?:pending|fail\w*|error|to be|will be|can be|awaiting|partially|un|non)(?= |$)/;

/** Returns the kinds of action that a status names as happened: "CANCELLED", "refund_issued", but not "not shipped". */
export function kindsNamedIn(text: string): readonly ActionKind[] {
  const words = readingsOf(text.replace(/[_.-]+/g, " ").replace(/([a-z])([A-Z])/g, "$1 $2"))[0] ?? "";
  if (NOT_YET.test(words) || COMPILED.some(({ not }) => not.test(words))) return [];
  return COMPILED.flatMap(({ kinds }) =>
    kinds.filter(([, pattern]) => pattern.test(words)).map(([kind]) => kind),
  );
}

/**
 * Returns the kinds of action that a sentence states as happened. A word counts only in a language that its clause can be
 * in, and only without a condition before it.
 */
export function kindsStatedIn(sentence: string): readonly ActionKind[] {
  // Without accents, "change" and "clôture" are French participles.
  const hasFrench = /é|mis|pris/.test(sentence.toLowerCase().normalize("NFC"));
  return readingsOf(sentence).flatMap((words) => {
    const possible = possibleFor(words).filter(({ compiled }) => hasFrench || compiled.language !== "fr");
    const most = Math.max(...possible.map(({ familiarity }) => familiarity));
    return possible
      .filter(({ familiarity }) => (familiarity + 1) * FOREIGN_FROM > most)
      .flatMap(({ compiled }) => kindsStatedBy(words, compiled));
  });
}

function kindsStatedBy(words: string, { stated, unless, isSpaced }: Compiled): readonly ActionKind[] {
  const found = stated.map(([kind, pattern]) => [kind, words.search(pattern)] as const);
  // A word such as "effectué" is in two lists.
  const done = found.find(([kind]) => kind === "done")?.[1];
  return found.flatMap(([kind, at]) => {
    if (at < 0 || (kind !== "done" && at === done)) return [];
    // Without accents, the German "wurde" is "würde".
    const before = words.slice(0, at).replace(/(?<=^| )wurden?(?= )/, " ");
    return unless.test(isSpaced ? ` ${before} ` : words) ? [] : kind;
  });
}

function claimsOfReading(
  words: string,
  compiled: Compiled,
  { isAsked, withOpen }: { readonly isAsked: boolean; readonly withOpen: boolean },
): Place[] {
  const { language, politely, unless, says, asks, not, kinds, undoing } = compiled;
  const matchers = withOpen ? compiled.matchers : compiled.matchers.filter(({ isOpen }) => !isOpen);
  return matchers.flatMap(({ pattern, excusedBy, form, kind: own, isNegative, isAlone, isOpen = false }) =>
    matchesIn(words, pattern).flatMap((match) => {
      const [span] = match;
      const { index: at } = match;
      const from = words.lastIndexOf(" , ", at) + 1;
      const before = words.slice(from, at);
      if (!isNegative && (not.test(` ${span} `) || not.test(` ${lastWords(before, 2)} `))) return [];
      const rest = words.slice(at + span.length);
      const said = words.slice(words.slice(0, from).lastIndexOf(" , ", from - 4) + 1, at + span.length);
      // A form alone is only a sign of the whole clause, so the report may come after it: "…, yazmıştınız".
      const isByForm = isOpen && form === "announced";
      const [toEnd = ""] = rest.split(" , ", 1);
      if (form !== "ours" && says.test(isByForm ? said + toEnd : said)) return [];
      if (VERB_FIRST.test(words.slice(from).trim()) && THEN.test(rest)) return [];
      const isLastClause = !rest.replace(/^ /, "").includes(" , ");
      if (
        isAsked &&
        (asks ? asks.test(words.slice(from).trim()) : isLastClause) &&
        (form !== "ours" ||
          /^(?:have|did|has|was|were|shall|should|can|may|could|habe|hat|soll|sollen|kann|darf|ai|avez|zal|zullen|kan|mag)(?: |$)/.test(
            words.slice(from).trim(),
          ))
      )
        return [];
      const around =
        excusedBy === "anywhere" ? words.slice(0, at) + words.slice(at).replace(AIMS, " ") : before;
      // It also proves less, so a negation or a "can" anywhere in the clause excuses it.
      if (isByForm && not.test(` ${words.slice(from).split(" , ", 1)[0]} `)) return [];
      if (isOpen && not.test(` ${before} `)) return [];
      const condition = isByForm ? around : around.replace(politely, " ");
      if (unless.test(` ${condition} `)) return [];
      const named = own ? [own] : kinds.filter(([, act]) => act.test(span)).map(([kind]) => kind);
      // "Sunday: closed" is an opening hour.
      if (named[0] === "remove" && (PLACES.test(span) || (isAlone && namesWeekday(said)))) return [];
      const place = { isOpen, isNamed: named.length > 0, at, end: at + span.length };
      // "The refund was processed" claims a refund.
      const undone =
        form === "happened" && named[0] === "done" ? undoing.find(([, noun]) => noun.test(span)) : undefined;
      const kind = undone?.[0] ?? named[0] ?? "done";
      // "It was cancelled and refunded", "The cancelled order was refunded": a verified cancellation is half of it.
      // In Arabic "and" is the first letter of the next word.
      const after = toEnd.replace(/ و/g, " ");
      const all = not.test(` ${after} `) || unless.test(` ${after} `) ? span : `${span}${after}`;
      const others = kinds.flatMap(([other, act]) =>
        other !== kind && LASTING.has(other) && act.test(all) ? other : [],
      );
      return [kind, ...(kind === "done" ? [] : others)].map((each) => ({
        claim: { kind: each, language, form },
        ...place,
      }));
    }),
  );
}

/** `matchAll` copies the expression, which is then often compiled again. That took 9 of 10 ms of a sentence. */
function matchesIn(words: string, pattern: RegExp): readonly RegExpExecArray[] {
  const found: RegExpExecArray[] = [];
  pattern.lastIndex = 0;
  for (let match = pattern.exec(words); match; match = pattern.exec(words)) {
    found.push(match);
    if (match[0] === "") pattern.lastIndex += 1;
  }
  return found;
}

function lastWords(text: string, count: number): string {
  return text.trim().split(" ").slice(-count).join(" ");
}

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
