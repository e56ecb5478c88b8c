import type { FoundSection } from "./found-sections.ts";

/** A question of a kind, and what shows by its form that a section answers it. */
interface Kind {
  readonly asks: RegExp;
  /** The section has it somewhere: it stays first. */
  readonly has: (found: FoundSection) => boolean;
  /** It has it together with a word of the question: it may come before one that has none. */
  readonly answers: (found: FoundSection) => boolean;
}

const DURATION =
  /\b\d+ (?:\p{L}+ )?(?:minutes?|hours?|days?|weeks?|months?|years?|minuten|stunden?|(?:werk|arbeits|kalender)?tage?n?|wochen?|monate?n?|jahre?n?|heures?|jours?|semaines?|mois|ans?|minutos?|horas?|días?|dias?|semanas?|meses|mes|mês|años?|anos?|minuti|ore|giorni|settimane|mesi|anni|uur|dagen|weken|maanden|jaar)(?!\p{L})/iu;

const hasTerm = (text: string, { termsOf, words }: FoundSection) =>
  termsOf(text).some((term) => words.has(term));
const linesOf = ({ section }: FoundSection) => section.passages.flatMap(({ lines }) => lines);
const hasSteps = ({ section }: FoundSection) => section.passages.some(({ kind }) => kind === "steps");

const KINDS: readonly Kind[] = [
  {
    asks: /\bhow (?:long|many (?:hours|days|weeks|months|years))\b|^when\b|\b(?:until|till|by) when\b|\bwie (?:lang(?:e)?|viele? (?:stunden|tage|wochen|monate|jahre|zeit))\b|\bwann\b|\bcombien de (?:temps|jours|semaines)|\bquand\b|\bcu[aá]nt[oa]s? (?:tiempo|d[ií]as|semanas)|\bcu[aá]ndo\b|\bquant[oia] (?:tempo|giorni|dias)|\bquando\b|\bhoe ?lang\b|\bhoeveel (?:tijd|dagen|weken)|\bwanneer\b/iu,
    has: (found) => linesOf(found).some(({ plain }) => DURATION.test(plain)),
    answers: (found) => linesOf(found).some(({ plain }) => DURATION.test(plain) && hasTerm(plain, found)),
  },
  {
    asks: /\bhow (?:do|can|could|should|would|to)\b|\bwie (?:geht|funktioniert|(?:kann|können|muss|soll|[a-zäöü]+e) (?:ich|man|wir))\b|\bcomment\b|\bc[oó]mo\b|\bhoe (?:kan|moet)\b/iu,
    has: hasSteps,
    answers: (found) => hasSteps(found) && hasTerm(found.section.heading, found),
  },
];

/**
 * Puts the section first that answers what is asked for. Of "how long do I have to return something?" only "return" is
 * searched for, and each section about returns has that.
 */
export function byKindAsked(question: string, found: readonly FoundSection[]): readonly FoundSection[] {
  const [best, ...others] = found;
  const kind = KINDS.find(({ asks }) => asks.test(question.trim()));
  if (best === undefined || kind === undefined || kind.has(best)) return found;
  const better = others.find(kind.answers);
  return better === undefined ? found : [better, ...found.filter((one) => one !== better)];
}
