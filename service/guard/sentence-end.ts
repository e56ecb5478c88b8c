/** A word with the white space after it, or everything up to a full stop of a script without spaces. */
const TOKEN = /^[\s\S]*?(?:\s|[。！？]+[」』”’）*_`~]*(?=[^。！？」』”’）*_`~]))/u;
const STOP = /(?:[.!?…؟।]+["'”’»)\]*_`~]*\s|[。！？]+[」』”’）*_`~]*\s?)$/u;
/** Abbreviations whose full stop ends no sentence, single letters, and numbers: of a list item, and of a day ("3. Juni"). */
const ABBREVIATION =
  /(?:(?:^|[\s("])(?:\p{L}|no|nr|núm|num|st|dr|mr|mrs|ms|prof|bzw|ca|etc|approx|art|tel|vgl|inkl|bspw|z\.\s?b|d\.\s?h|e\.g|i\.e|p\.\s?ej|ul|руб|стр|т\.\s?[дек])|(?:^|\n)\s*\d{1,3}|\s\d{1,2})\.\s$/iu;

/** A longer run without white space is cut, so that it is shown at some time. */
const MAX_TOKEN = 500;
/** Longer than a stop with its quotes, an abbreviation or a list number. The patterns take squared time in a run of white space. */
const TAIL = 64;

/** Returns the first whole token of a text, or undefined while more of it may follow. */
export function firstToken(text: string): string | undefined {
  const token = TOKEN.exec(text.slice(0, MAX_TOKEN + 1))?.[0];
  return token ?? (text.length > MAX_TOKEN ? text.slice(0, MAX_TOKEN) : undefined);
}

/** Whether a text that consists of whole tokens ends with the end of a sentence. */
export function endsSentence(text: string): boolean {
  const tail = text.slice(-TAIL);
  return STOP.test(tail) && !ABBREVIATION.test(tail);
}
