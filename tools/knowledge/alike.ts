import {
  languageNamed,
  languageOf,
  UNKNOWN_LANGUAGE,
} from "../../service/agents/knowledge/analysis/languages.ts";
import { isTelling, termsOf } from "../../service/agents/knowledge/analysis/terms.ts";

export interface Group {
  /** The question that is most like the others. */
  readonly example: string;
  readonly questions: readonly string[];
}

/** Questions that share this much of their telling words, weighed by rarity, are about the same thing. */
const ALIKE = 0.5;

interface Asked {
  readonly text: string;
  readonly terms: ReadonlySet<string>;
}

/** Groups questions that are about the same thing, the largest group first. */
export function groupAlike(
  questions: readonly { readonly text: string; readonly locale: string | undefined }[],
): Group[] {
  const all: Asked[] = questions.map(({ text, locale }) => ({ text, terms: termsIn(text, locale) }));
  const counts = new Map<string, number>();
  for (const { terms } of all) for (const term of terms) counts.set(term, (counts.get(term) ?? 0) + 1);
  const weight = (term: string) => 1 + Math.log(all.length / (counts.get(term) ?? 1));
  const groups: Asked[][] = [];
  for (const one of all) {
    let best: Asked[] | undefined;
    let most = ALIKE;
    for (const group of groups) {
      const likeness = Math.max(...group.map((other) => likenessOf(one, other, weight)));
      if (likeness >= most) [best, most] = [group, likeness];
    }
    if (best) best.push(one);
    else groups.push([one]);
  }
  return groups
    .sort((one, other) => other.length - one.length)
    .map((group) => ({ example: centreOf(group, weight), questions: group.map(({ text }) => text) }));
}

function termsIn(text: string, locale: string | undefined): ReadonlySet<string> {
  const language = languageOf(text) ?? languageNamed(locale) ?? UNKNOWN_LANGUAGE;
  const terms = termsOf(text, language);
  const telling = terms.filter(({ raw }) => isTelling(raw, language));
  return new Set((telling.length > 0 ? telling : terms).map(({ term }) => term));
}

/** The shared part of both questions' words, by weight: from 0 to 1. */
function likenessOf({ terms, text }: Asked, other: Asked, weight: (term: string) => number): number {
  if (text === other.text) return 1;
  let shared = 0;
  let all = 0;
  for (const term of new Set([...terms, ...other.terms])) {
    all += weight(term);
    if (terms.has(term) && other.terms.has(term)) shared += weight(term);
  }
  return all === 0 ? 0 : shared / all;
}

function centreOf(group: readonly Asked[], weight: (term: string) => number): string {
  const sum = (one: Asked) => group.reduce((all, other) => all + likenessOf(one, other, weight), 0);
  return group.reduce((best, one) => (sum(one) > sum(best) ? one : best)).text;
}
