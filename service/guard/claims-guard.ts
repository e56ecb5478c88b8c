import { LRUCache } from "lru-cache";
import type { Claim } from "./claim.ts";
import type { ActionKind } from "./claim-phrases.ts";
import { claimsIn } from "./claims.ts";
import { leftUnsaid, withheld } from "./guard-sentences.ts";
import type { OwnerWords } from "./owner-words.ts";
import { endsSentence, firstToken } from "./sentence-end.ts";
import { statementsOf } from "./statements.ts";
import { isGuarded, isUnguarded, type LanguageDetector } from "./unguarded-language.ts";

export interface ClaimsGuard {
  /** Takes a piece of the agent's text and returns what may be shown now. */
  add(delta: string): string;
  /** Returns the rest at the end of the text. */
  end(): string;
  /** Whether a sentence was withheld. */
  readonly hasWithheld: boolean;
}

/** The most text, in UTF-16 units, that waits for the end of its sentence. */
const MAX_WAITING = 1_000;
/** How much of the lines before that were shown is judged with the rest, again at each line. */
const CONTEXT = 200;
/**
 * The first lines that end no sentence are shown one by one. Judging each takes milliseconds, in which all requests wait.
 * Later ones wait for the end of their sentence or of `MAX_WAITING`.
 */
const MOST_LINES = 100;
/** The most statements whose claims are cached, because the lines before are judged again. */
const MOST_JUDGED = 50;

/**
 * Lets an agent's text through, except sentences that claim an action which no verified result shows and which the owner
 * does not promise himself. A sentence is shown when it is whole, because any of its words may make it a claim. In a
 * language whose claims are not known, only the owner's own sentences pass. The result does not depend on how the text
 * is cut into pieces.
 */
export function createClaimsGuard(options: {
  readonly locale: string | undefined;
  /** What tools verifiably reported as a fact. Read at each sentence, because tools run while the agent answers. */
  readonly verified: ReadonlySet<ActionKind>;
  readonly owner: OwnerWords;
  readonly languages: LanguageDetector;
}): ClaimsGuard {
  const { locale, owner, languages } = options;
  const isLocaleGuarded = isGuarded(locale);
  /** The language of the last sentence that had a recognisable one. */
  let wasForeign = !isLocaleGuarded;
  let partial = "";
  /** The lines of the current sentence that were shown. */
  let shown = "";
  /** The rest of it, which waits for its end. */
  let waiting = "";
  /** Whether one of its lines claims something, so that it waits for its end. */
  let isHeld = false;
  let lines = 0;
  let hasWithheld = false;

  const isVerified = ({ kind, form }: Claim) =>
    form !== "ours" && kind !== "done" && options.verified.has(kind);
  const judged = new LRUCache<string, readonly Claim[]>({ max: MOST_JUDGED, memoMethod: claimsIn });
  const unverified = (sentence: string) => {
    for (const statement of statementsOf(sentence)) {
      const isPromised = (claim: Claim) =>
        owner.promises(sentence, claim) || owner.promises(statement, claim);
      const claim = judged.memo(statement).find((one) => !isVerified(one) && !isPromised(one));
      if (claim) return claim;
    }
    return undefined;
  };
  const isForeign = (sentence: string) =>
    isLocaleGuarded ? (isUnguarded(sentence, languages) ?? wasForeign) : true;
  /** The replacement of a sentence that may not be shown; undefined for one that may. */
  const noteFor = (sentence: string): string | undefined => {
    if (isForeign(sentence)) return owner.repeats(sentence) ? undefined : leftUnsaid(locale);
    const claim = unverified(sentence);
    return claim && withheld(locale, claim.language);
  };
  const endSentence = (): string => {
    const piece = waiting;
    const note = noteFor(shown + piece);
    wasForeign = isForeign(shown + piece);
    const isBegun = shown.slice(shown.lastIndexOf("\n") + 1).trim() !== "";
    waiting = "";
    shown = "";
    isHeld = false;
    if (note === undefined) return piece;
    const said = hasWithheld ? "" : `${isBegun ? "\n\n" : ""}${note}`;
    hasWithheld = true;
    return `${isBegun ? "…" : ""}${said}${/\s*$/.exec(piece)?.[0] ?? ""}`;
  };
  const take = (token: string): string => {
    waiting += token;
    if (waiting.length > MAX_WAITING || endsSentence(shown + waiting)) return endSentence();
    // A line ends no sentence, but what claims nothing yet need not wait for the next one.
    if (!token.endsWith("\n") || isHeld || lines === MOST_LINES) return "";
    lines += 1;
    isHeld = noteFor(shown + waiting) !== undefined;
    if (isHeld) return "";
    const line = waiting;
    shown = `${shown}${line}`.slice(-CONTEXT);
    waiting = "";
    return line;
  };
  return {
    add(delta) {
      partial += delta;
      let out = "";
      for (let token = firstToken(partial); token; token = firstToken(partial)) {
        partial = partial.slice(token.length);
        out += take(token);
      }
      return out;
    },
    end() {
      waiting += partial;
      partial = "";
      return endSentence();
    },
    get hasWithheld() {
      return hasWithheld;
    },
  };
}
