import { figuresOf } from "./figures.ts";
import type { Sources } from "./sources.ts";

/** A part of an answer that may be shown, and the sources that it names. */
export interface GroundedPiece {
  readonly text: string;
  /** Numbers as the model knows them. */
  readonly sources: readonly number[];
}

export interface GroundedText {
  /** Takes text as it comes and returns what may be shown of it now. */
  add(text: string): GroundedPiece[];
  end(): GroundedPiece[];
  /** Sentences that named no source, or one that does not have their numbers. */
  readonly leftOut: number;
  /** The model asked for a person. */
  readonly wantsPerson: boolean;
}

const MARK = /\[\d{1,3}(?:\s*,\s*\d{1,3})*\]|【\d{1,3}[^】\n]{0,20}】/;
/** Several marks in a row, with what a model may write to make them links. Begins with the first space before them. */
const MARKS = new RegExp(`(?<!\\s)(?:\\s*(?:${MARK.source})(?:\\([^)\\s]*\\))?)+`, "g");
const LEADING_MARKS = new RegExp(
  `^(?:[ \\t]*(?:${MARK.source})(?:\\([^)\\s]*\\))?)+[ \\t]*[.!?。！？]?[ \\t]*\\n*`,
);
const PERSON = /\[person\]/gi;
/** Ends that only look like the end of a sentence: "No. 5", "z. B.", "am 3. März", "1. Open". */
const NO_END =
  /(?:(?:^|[\s(*_.])(?:\p{L}|No|Nr|Dr|Mr|Mrs|Ms|St|Co|Inc|vs|ca|etc|bzw|usw|inkl|approx|max|min|Art|Abs|Tel)|^[\s>#*-]*\d{1,3}|\b(?:am|den|der|vom|zum|bis)\s\d{1,2})\.\s*$/u;
const QUESTION = /[?？؟\u037e]["”»)*_\s]*$/;
const ORDINAL = /^[\s>#*-]*\d{1,3}[.)]\s/;
/** Text that only introduces the next sentence or frames a table. */
const LEADS_ON = /[:：]["”*_\s]*$|^\s*#{1,6}\s|^\s*\*\*[^*]+\*\*\s*$|^\s*\|?[\s|:-]+\|?\s*$/;
const ROW = /^\s*\|.*\|\s*$/;

/** The longest sentence, and the longest heading, that waits for its source; a longer one is left out. */
const MAX_HELD = 4_000;

const segmenter = new Intl.Segmenter("en", { granularity: "sentence" });

/**
 * Lets only those sentences of a model through that name a source which we gave it, and whose numbers are in that
 * source or in what the customer wrote. Questions to the customer need no source. A heading waits for the sentence
 * after it. A model's thoughts are left out.
 */
export function createGroundedText(sources: Sources): GroundedText {
  const thoughts = createThoughtFilter();
  let held = "";
  let gap = "";
  let lead = "";
  let leftOut = 0;
  let hasSpoken = false;
  let wantsPerson = false;
  /** The beginning of the current sentence was left out. */
  let isCut = false;

  const release = (unit: string): GroundedPiece[] => {
    if (isCut) {
      isCut = false;
      return [];
    }
    const plain = unit.replace(PERSON, "");
    if (plain !== unit) wantsPerson = true;
    const text = plain.trim();
    const before = `${gap}${/^\s*/.exec(plain)?.[0] ?? ""}`;
    gap = /\s*$/.exec(plain)?.[0] ?? "";
    if (text === "") {
      gap = before + gap;
      return [];
    }
    const named = sources.known(numbersOf(text));
    const isHeld = LEADS_ON.test(text) || (ROW.test(text) && named.length === 0);
    if (isHeld && named.length === 0 && hasOnly(text, sources, sources.all())) {
      if (lead.length + text.length > MAX_HELD) lead = "";
      else lead += `${spaceOf(before, lead !== "" || hasSpoken)}${text}`;
      return [];
    }
    const isShown =
      named.length > 0
        ? hasOnly(text, sources, named)
        : QUESTION.test(text) && hasOnly(text, sources, sources.all());
    if (!isShown) {
      leftOut += 1;
      lead = "";
      gap = before + gap;
      return [];
    }
    const said = `${lead}${spaceOf(before, lead !== "" || hasSpoken)}${text}`;
    lead = "";
    hasSpoken = true;
    return [{ text: said, sources: named }];
  };

  /** Cuts off what is certainly a whole sentence: something with a letter follows it. */
  const take = (isEnd: boolean): GroundedPiece[] => {
    const pieces: GroundedPiece[] = [];
    const units = unitsOf(held);
    const whole = isEnd ? units : units.slice(0, -1);
    const rest = isEnd ? "" : (units.at(-1) ?? "");
    if (!isEnd && held.length <= MAX_HELD && !/\p{L}/u.test(rest.replace(MARKS, ""))) return [];
    held = rest;
    for (const unit of whole) pieces.push(...release(unit));
    if (held.length > MAX_HELD) {
      if (!isCut) leftOut += 1;
      isCut = true;
      held = "";
    }
    return pieces;
  };
  return {
    add(text) {
      held += thoughts.add(text);
      return take(false);
    },
    end() {
      held += thoughts.end();
      return take(true);
    },
    get leftOut() {
      return leftOut;
    },
    get wantsPerson() {
      return wantsPerson;
    },
  };
}

/** Replaces each group of marks. @param mark returns the shown number of a source */
export function renumber(text: string, mark: (source: number) => number | undefined): string {
  return text.replace(MARKS, (group) => {
    const numbers = new Set(numbersOf(group).map(mark));
    numbers.delete(undefined);
    return [...numbers]
      .map((number) => ` [${number}]`)
      .join("")
      .replaceAll("] [", "][");
  });
}

/** The text without marks, as in what was said before: its numbers meant other sources. */
export function withoutMarks(text: string): string {
  return text.replace(MARKS, "");
}

/** Sentences and lines, each with the marks that follow it. */
function unitsOf(text: string): string[] {
  const units: string[] = [];
  for (const { segment } of segmenter.segment(text)) {
    const last = units.at(-1);
    const marks = last !== undefined && !last.includes("\n") ? (LEADING_MARKS.exec(segment)?.[0] ?? "") : "";
    const rest = segment.slice(marks.length);
    if (last !== undefined && marks !== "") units[units.length - 1] = last + marks;
    if (rest === "") continue;
    if (last !== undefined && marks === "" && NO_END.test(last) && !last.includes("\n")) {
      units[units.length - 1] = last + rest;
    } else units.push(rest);
  }
  return units;
}

function numbersOf(text: string): number[] {
  const marks = text.match(new RegExp(MARK.source, "g")) ?? [];
  return marks.flatMap((mark) => (mark.split("†")[0] ?? "").match(/\d+/g) ?? []).map(Number);
}

/** Whether each number of the text is in one of the sources, or in what the customer wrote. */
function hasOnly(text: string, sources: Sources, named: readonly number[]): boolean {
  const bare = text.replace(MARKS, "").replace(ORDINAL, "");
  return figuresOf(bare).every((figure) => sources.hasFigure(figure, named));
}

function spaceOf(space: string, isAfter: boolean): string {
  if (!isAfter) return "";
  const lines = space.split("\n").length - 1;
  if (lines > 0) return lines > 1 ? "\n\n" : "\n";
  return space === "" ? "" : " ";
}

/** Leaves out `<think>…</think>`, which some servers put into the text. */
function createThoughtFilter(): { add(text: string): string; end(): string } {
  let held = "";
  let isThinking = false;
  const take = (isEnd: boolean): string => {
    let out = "";
    for (;;) {
      const tag = isThinking ? "</think>" : "<think>";
      const at = held.indexOf(tag);
      if (at < 0) {
        const safe = isEnd ? held.length : held.length - startOf(tag, held);
        if (!isThinking) out += held.slice(0, safe);
        held = held.slice(safe);
        return out;
      }
      if (!isThinking) out += held.slice(0, at);
      held = held.slice(at + tag.length);
      isThinking = !isThinking;
    }
  };
  return {
    add(text) {
      held += text;
      return take(false);
    },
    end: () => take(true),
  };
}

/** How many characters at the end of `text` may be the beginning of `tag`. */
function startOf(tag: string, text: string): number {
  for (let length = Math.min(tag.length - 1, text.length); length > 0; length -= 1) {
    if (tag.startsWith(text.slice(-length))) return length;
  }
  return 0;
}
