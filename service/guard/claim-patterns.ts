import type { Claim } from "./claim.ts";
import type { ActionKind } from "./claim-phrases.ts";
import type { Compiled } from "./compiled-phrases.ts";
import { FOREIGN_FROM, matchesIn, possibleFor } from "./sentence-languages.ts";
import { namesWeekday } from "./weekdays.ts";

/** A claim that a pattern found. */
export interface Match {
  readonly claim: Claim;
  /** True if the pattern knows a verb by its form only. */
  readonly isOpen: boolean;
  /** How many short words of the claim's language the sentence has. */
  readonly familiarity: number;
}

/** A claim with its place in the words of its reading. */
interface Place extends Omit<Match, "familiarity"> {
  readonly at: number;
  readonly end: number;
  /** False if none of its words names a kind. */
  readonly isNamed: boolean;
}

/** Things that are closed at times and don't belong to the customer. */
const PLACES =
  /(?<=^| )(?:shop|store|office|showroom|laden|geschaft|filiale|magasin|boutique|tienda|oficina|negozio|ufficio|loja|winkel|kantoor|sklep|biuro|магазин|офис|magaza|ofis|المتجر|المكتب)(?= |$)/u;

/** "Ist Ihr Paket verloren, dann …", "Is uw pakket zoek, dan …": a condition without a word for "if". */
const VERB_FIRST = /^(?:ist|sind|wurden?|hat|haben|is|zijn|werd|werden|heeft|hebt|heb)(?= )/;
const THEN = /^[^,]* , (?:dann|dan|so) /;
/** "A technician comes to change the meter": an aim after the claim is not a condition. */
const AIMS = /(?<=^| )(?:pour|para|per|um|om|aby|zeby|чтобы)(?= |$)/gu;
/** Words of the other kinds are often said of something else: "as requested", "the team that you called". */
const LASTING: ReadonlySet<ActionKind> = new Set(["cancel", "refund", "change", "remove", "send"]);

/** Ends a part of a sentence: a comma, or "and". In Arabic "and" is the first letter of the next word. */
const PARTS = /( (?:,|and|und|et|y|e|en|i|и|ve)(?= )| و)/u;
/** "Without" negates its noun, and not the verb that follows. The German "wurde" looks like "würde" without its accent. */
const NO_EXCUSE =
  /(?<=^| )(?:(?:without|ohne|sans|sin|senza|sem|zonder|bez|без|بدون|دون) [^ ]+|wurden?(?= ))/gu;

/** A kind that a claim's words name beside its own, and the place of its verb in them. */
interface Further {
  readonly kind: ActionKind;
  readonly at: number;
  readonly end: number;
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
  if (match.end <= at || match.end > end) return false;
  if (/^ (?!و)[^ ]+$/.test(words.slice(match.end, end))) return true;
  return match.isOpen && !match.isNamed && match.claim.form === "announced";
}

function claimsOfReading(
  words: string,
  compiled: Compiled,
  { isAsked, withOpen }: { readonly isAsked: boolean; readonly withOpen: boolean },
): Place[] {
  const { language, politely, unless, says, asks, not, kinds, undoing, isSpaced } = compiled;
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
      // "The refund was processed" claims a refund.
      const undone =
        form === "happened" && named[0] === "done" ? undoing.find(([, noun]) => noun.test(span)) : undefined;
      const kind = undone?.[0] ?? named[0] ?? "done";
      const claimed = {
        claim: { kind, language, form },
        isOpen,
        isNamed: named.length > 0,
        at,
        end: at + span.length,
      };
      if (kind === "done") return [claimed];
      const further = furtherKinds(span, isAsked || !isSpaced ? toEnd : rest, compiled)
        // A form alone is too weak a sign for a second one.
        .filter((one) => one.kind !== kind && (one.kind !== "done" || (form === "happened" && !isOpen)))
        .map((one) => ({
          ...claimed,
          claim: { kind: one.kind, language, form },
          ...(one.kind === "done" && { at: at + one.at, end: at + one.end }),
        }));
      return [claimed, ...further];
    }),
  );
}

/**
 * What else a claim and the words after it say: "It was cancelled and refunded", "The cancelled order was refunded". A
 * verified cancellation is half of that. A negation or a condition excuses only a verb that follows it in the same part:
 * "refunded without a fee", "refunded and will not be shipped".
 */
function furtherKinds(span: string, after: string, compiled: Compiled): readonly Further[] {
  const { kinds, not, unless, any, isSpaced } = compiled;
  const lasting = kinds.filter(([kind]) => LASTING.has(kind));
  if (!isSpaced) {
    // A negation follows its verb.
    const all = not.test(after) || unless.test(after) ? span : `${span}${after}`;
    return lasting.filter(([, act]) => act.test(all)).map(([kind]) => ({ kind, at: 0, end: all.length }));
  }
  let from = 0;
  return `${span}${after}`.split(PARTS).flatMap((words, nth, all) => {
    const begin = from;
    from += words.length;
    // What is split off at odd places is a comma or an "and".
    if (nth % 2 === 1) return [];
    const part = words.replace(NO_EXCUSE, (word) => " ".repeat(word.length));
    const isAdded = nth > 0 && all[nth - 1] !== " ,";
    const verbs = [...lasting, ...(isAdded ? [["done", any] as const] : [])].flatMap(([kind, verb]) => {
      const match = verb.exec(part);
      return match ? { kind, at: match.index, end: match.index + match[0].length } : [];
    });
    // What precedes the claim's own verb was judged with the claim.
    const own = nth === 0 ? Math.min(...verbs.map(({ end }) => end)) : 0;
    return verbs
      .filter(({ kind }) => kind !== "done" || verbs.length === 1)
      .filter(({ at }) => {
        const before = ` ${part.slice(own, Math.max(at, own))} `;
        return !not.test(before) && !unless.test(before);
      })
      .map(({ kind, at, end }) => ({ kind, at: begin + at, end: begin + end }));
  });
}

function lastWords(text: string, count: number): string {
  return text.trim().split(" ").slice(-count).join(" ");
}
