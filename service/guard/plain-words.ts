import { comparable } from "../agents/comparable-text.ts";

/** Characters that nobody sees: format characters, variation selectors, fillers. */
const UNSEEN = /[\p{Cf}\p{DI}]/gu;
const BLANKS = /[\u2800\u00a0]/g;

const ENTITIES: Readonly<Record<string, string>> = {
  nbsp: " ",
  amp: "&",
  lt: "<",
  gt: ">",
  quot: '"',
  apos: "'",
  shy: "",
  zwj: "",
  zwnj: "",
  Tab: " ",
  NewLine: "\n",
};

/** Letters of other scripts that look like a Latin one (Unicode TR 39), in lower case and without accents. */
const LATIN_LOOKS: Readonly<Record<string, string>> = Object.fromEntries(
  [
    "аaеeоoрpсcуyхxіiјjѕsԁdһhкkмmтtвbнhґrӏlԛqԝwүyѵvпnгrбbзз",
    "αaβbεeιiκkνvοoρpτtυuχxωwηnγyσoμuζzςcϲcϳj",
    "ɑaɡgıiʟlɩiցgոnսuօoհhքpᴀaʙbᴄcᴅdᴇeꜰfɢgʜhɪiᴊjᴋkʟlᴍmɴnᴏoᴘpʀrꜱsᴛtᴜuᴠvᴡwʏyᴢzøođdħh",
  ].flatMap((pairs) => Array.from(pairs.matchAll(/(.)(.)/gu), ([, look = "", latin = ""]) => [look, latin])),
);
const CYRILLIC_LOOKS: Readonly<Record<string, string>> = Object.fromEntries(
  Array.from("aаeеoоpрcсyуxхiіkкmмtтbвhнrг".matchAll(/(.)(.)/gu), ([, look = "", other = ""]) => [
    look,
    other,
  ]),
);
const DIGIT_LOOKS: Readonly<Record<string, string>> = {
  0: "o",
  1: "i",
  3: "e",
  4: "a",
  5: "s",
  7: "t",
  "@": "a",
  $: "s",
};

/** What separates clauses. A list item, a cell and a heading are clauses of their own. */
export const CLAUSE_END =
  /\n\s*(?:[-*+•·#>|]|\d+[.)])+\s*|[,;:()[\]{}|"“”„«»‹›—–…/.!?。！？、，；：（）「」『』・؛،؟]+|\p{Extended_Pictographic}|\s-+\s/gu;
/** Turkish negates by the ending of a verb, and often writes no comma before "but". */
const TURKISH_BUT = /(?<=\s)(?:ancak|fakat|lakin)(?=\s)/giu;
/** A heading, a list item and a row end with their line. */
const BLOCK_LINE = /^(\s*(?:#{1,6}\s|[-*+•]\s|\|)[^\n]*)$/gm;
/** Stands for a check mark, which says of what is beside it that it is done. */
export const MARK_WORD = "checkmark";
/** "Dr. Okafor", "vom 3. bis 7. Juni": this full stop ends no clause. */
const TITLE_OR_ORDINAL = /(?<=(?:^|\s)(?:\d{1,2}|dr|mr|mrs|ms|prof))\.(?=\s)/giu;
const CHECK_MARKS = /[✅✔☑✓🗸🗹√👍🆗🟢]|\[x\]/giu;
const MARKS = /[*_~`\\]+/g;
const MARKS_IN_WORD = /(?<=[\p{L}\p{N}])[*_~`\\]+(?=[\p{L}\p{N}])/u;

/**
 * Returns the ways in which a reader may read a text, as comparable words. A comma stands for everything that separates
 * clauses. What hides letters is removed: markup, invisible characters, look-alikes of other scripts, entities.
 */
export function readingsOf(text: string): readonly string[] {
  const marked = decodeEntities(text);
  const decoded = withoutMarkup(marked);
  const seen = decoded.replace(UNSEEN, "");
  const hides = decoded !== seen && /(?<=\p{L})[\p{Cf}\p{DI}]+(?=\p{L})/u.test(decoded);
  const plain = seen.replace(MARKS, "");
  const readings = [clausesOf(plain)];
  // "Подписка Microsoft Office отменена": whole words of another script are more often names than disguise.
  if (/\p{Script=Latin}/u.test(plain) && /\p{Script=Cyrillic}/u.test(plain))
    readings.push(clausesOf(plain, wordAsWritten));
  // The panel shows a tag as text, and what is struck out can be read as left out.
  if (TAG.test(marked))
    readings.push(clausesOf(marked.replace(UNSEEN, "").replace(/[<>]/g, " , ").replace(MARKS, "")));
  if (seen.includes("~~")) readings.push(clausesOf(seen.replace(STRUCK_OUT, " ").replace(MARKS, "")));
  if (hides) readings.push(clausesOf(decoded.replace(UNSEEN, " ").replace(MARKS, "")));
  if (MARKS_IN_WORD.test(seen)) readings.push(clausesOf(seen.replace(MARKS, " ")));
  return [...new Set(readings)];
}

/** Whether a sentence ends with a question mark. */
export function isQuestion(sentence: string): boolean {
  return /[?？؟]\P{L}*$/u.test(sentence.trimEnd());
}

/** Whether a text spells words letter by letter, which no reading can put together again: "r e f u n d e d". */
export function isSpelled(text: string): boolean {
  return /(?<![\p{L}\p{N}])(?:[\p{Script=Latin}\p{Script=Cyrillic}\p{Script=Arabic}][\s._·•*-]{1,3}){5,}\p{L}(?![\p{L}\p{N}])/u.test(
    text.replace(UNSEEN, ""),
  );
}

function decodeEntities(text: string): string {
  return text.replace(/&(?:#(\d{1,7})|#x([\da-f]{1,6})|([a-z]{2,8}));?/gi, (whole, decimal, hex, name) => {
    if (name !== undefined) return ENTITIES[name as string] ?? whole;
    const code = decimal === undefined ? Number.parseInt(hex, 16) : Number(decimal);
    return code <= 0x10ffff ? String.fromCodePoint(code).toWellFormed() : whole;
  });
}

const TAG = /<\/?[a-z][^<>]*>|<!--.*?-->/is;
const TAGS = new RegExp(TAG, "gis");
const STRUCK_OUT = /~~.+?~~/gs;
/** Anything else between the parentheses is shown as text. */
const LINK = /!?\[([^\]\n]*)\]\((?:(?:https?:|mailto:|tel:|www\.|[/#.])[^)\s]*)?\)/gi;

function withoutMarkup(text: string): string {
  return text.replace(LINK, "$1").replace(TAGS, "");
}

function clausesOf(text: string, read = wordIn): string {
  const plain = comparable(
    text
      .replace(BLANKS, " ")
      .replace(/(?<=[\d\p{L}])[.,:](?=\d)/gu, "")
      .replace(TITLE_OR_ORDINAL, "")
      .replace(CHECK_MARKS, ` ; ${MARK_WORD} ; `)
      .replace(BLOCK_LINE, "$1 ; ")
      .replace(CLAUSE_END, " , ")
      .replace(TURKISH_BUT, " , $&"),
  );
  const isCyrillicText = countOf(plain, CYRILLIC) > countOf(plain, LATIN);
  return plain
    .replace(/\S+/g, (word) => (word === "," ? word : read(word, isCyrillicText)))
    .replace(/[^\p{L}\p{M}\p{N},]+/gu, " ")
    .replace(/ +/g, " ")
    .replace(/^[ ,]+|[ ,]+$/g, "")
    .trim();
}

const LATIN = /\p{Script=Latin}/gu;
const CYRILLIC = /\p{Script=Cyrillic}/gu;
const GREEK_OR_OTHER = /[\p{Script=Greek}\p{Script=Armenian}\u0250-\u02af\u1d00-\u1d7f\ua730-\ua7ff]/u;

/** Leaves a Cyrillic word as it is, and reads any other one as `wordIn` does. */
function wordAsWritten(word: string, isCyrillicText: boolean): string {
  return /^[\p{Script=Cyrillic}\p{M}]+$/u.test(word) ? word : wordIn(word, isCyrillicText);
}

function wordIn(word: string, isCyrillicText: boolean): string {
  const latin = countOf(word, LATIN);
  const cyrillic = countOf(word, CYRILLIC);
  const isMixed = (latin > 0 && cyrillic > 0) || GREEK_OR_OTHER.test(word);
  let read = word;
  if (isCyrillicText && latin > 0 && cyrillic > 0) read = replaceLooks(word, CYRILLIC_LOOKS);
  else if (!isCyrillicText && (isMixed || cyrillic > 0)) read = replaceLooks(word, LATIN_LOOKS);
  // "canc3lled", but not "order4711" or "24h".
  if (/^\p{L}+(?:[01345$@7]{1,2}\p{L}+)+$/u.test(read)) read = replaceLooks(read, DIGIT_LOOKS);
  return read;
}

function countOf(text: string, letter: RegExp): number {
  return text.match(letter)?.length ?? 0;
}

function replaceLooks(word: string, looks: Readonly<Record<string, string>>): string {
  return Array.from(word, (letter) => looks[letter] ?? letter).join("");
}
