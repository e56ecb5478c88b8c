import { composed } from "./doubt.ts";

/** What was done at another time or to another thing, in the languages in which the guard knows claims. */
const SPACED = [
  "la(?:st|test)|previous(?:ly)?|earlier|already|prior|former(?:ly)?|past|recent(?:ly)?|history|other|others|another|ago|yesterday",
  "bereits|schon|zuvor|vorher|früher\\p{L}*|vorige\\p{L}*|letzte\\p{L}?|vergangene\\p{L}?|zuletzt|gestern|andere\\p{L}?|vor \\p{L}+ (?:stunden?|tag(?:en)?|wochen?|monat(?:en)?|jahr(?:en)?)",
  "déjà|précéden\\p{L}+|derni(?:er|ère)s?|antérieur\\p{L}*|auparavant|hier|il y a|autres?",
  "ya|anterior(?:es)?|anteriormente|últim[oa]s?|ayer|hace (?:\\d+|un[oa]?s?|dos|tres|poco|tiempo)|otr[oa]s?|(?:mes|año|semana) pasad[oa]",
  "già|precedent[ei]|precedentemente|ultim[oaie]|scors[oaie]|ieri|(?:or[ae]|giorn[oi]|settiman[ae]|mes[ei]|ann[oi]) fa|altr[oaie]",
  "já|ontem|há (?:\\d+|uma?|dois|duas|três)|outr[oa]s?|(?:mês|ano|semana) passad[oa]",
  "reeds|eerdere?|vorige?|laatste|afgelopen|gisteren|geleden|andere?|(?:is|zijn|was|waren|werd|werden) al",
  "już|poprzedni\\p{L}*|ostatni\\p{L}*|wcześniej\\p{L}*|wczoraj|temu|inn(?:y|a|e|ego|ej|ych)",
  "уже|предыдущ\\p{L}+|прошл\\p{L}+|последн\\p{L}+|прежн\\p{L}+|ранее|раньше|вчера|назад|друг(?:ой|ая|ое|ие|ого|их)",
  "zaten|önceki|önce|geçen|en son|dün|başka|diğer",
  "[وب]?(?:ال)?سابق\\p{L}*|بالفعل|مسبقا|أمس|(?:ال)?ماضي\\p{L}*|(?:ال)?أخير\\p{L}*|آخر|أخرى",
].join("|");
const UNSPACED =
  "[之此先以]前|上[一次个個周月]|[昨去][天年]|曾|早已|其[他它]|另一|最[后後近]|前回|先日|昨日|昨年|過去|既に|すでに|[別他]の|ほかの|最後";
const OTHER = new RegExp(`(?<!\\p{L})(?:${SPACED})(?!\\p{L})|${UNSPACED}`, "iu");

/** What can be done, in the sentence's first clause: "Refunded orders can be seen in the list." */
const POSSIBLE = new RegExp(
  `^[^,;:–—，；：،؛]*(?:(?<!\\p{L})(?:${[
    "can|could|(?<!\\d )may(?! \\d)|might|allow(?:ed|s)?|possible|available",
    "kann|kannst|können|könnt|möglich",
    "peu(?:t|vent)|pouvez",
    "puede[ns]?",
    "può|possono|possibile",
    "pode[mr]?",
    "kunt|kunnen",
    "można|może(?:sz|cie)?|mogą",
    "можно|может[е]?|могут",
    "\\p{L}+[ae]bilir\\p{L}*",
    "يمكن\\p{L}*",
  ].join("|")})(?!\\p{L})|可[以在]|でき(?:る|ます))`,
  "iu",
);
/** English: "the refunded amount", "2 refunded orders", "Orders are refunded within 14 days", "A cancelled order is deleted". */
const GENERAL = new RegExp(
  [
    "(?<!\\p{L})(?:an?|the|any|each|every) \\p{L}+ed (?!(?:to|at|for|from|in|on|by|with|and)(?!\\p{L}))\\p{L}",
    "(?<!\\p{L})\\p{L}+ed (?!(?:this|its|has|was|thanks)(?!\\p{L}))\\p{L}+[^su\\s]s(?!\\p{L}| [#\\d])",
    "^(?:(?:all|most|some|many) )?\\p{L}+[^su\\s]s (?:are|get) ",
    "^an? [^.,;:]* (?:is|gets) ",
  ].join("|"),
  "iu",
);
/** A price that is fixed says nothing about what it is for. */
const PRICE =
  /^(?:\S+ ){0,2}(?:(?:price|fare|quote|estimate|preis|angebot|prix|devis|precio|presupuesto|prezzo|preventivo|preço|orçamento|prijs|offerte|cena|цена|fiyat|السعر)(?!\p{L})|[价價]格|[报報][价價]|見積|価格|料金)/iu;

const MONEY =
  "(?:\\p{Sc}|(?<!\\p{L})(?:[Ee]uros?|zł|EUR|USD|GBP|CHF|CAD|AUD|PLN|CZK|SEK|NOK|DKK|RUB|TRY|BRL|MXN|CNY|JPY|INR|AED|SAR)(?!\\p{L})|円|元(?!旦))";
/** "EUR 2000", but not "49 EUR 2019". */
const AFTER_MONEY = `(?<=(?<!\\d ?)${MONEY} ?)`;
/** "2000 EUR", "1999.00 EUR", but not "2019 EUR 49". */
const OF_AMOUNT = `(?:[.,]\\d\\d?)? ?${MONEY}(?! ?\\d)`;
/** A day or a year, but no amount. */
const DATE = new RegExp(
  `(?<![\\p{L}\\p{N}#-])(?:19|20)\\d\\d(?:-\\d\\d-\\d\\d(?![\\p{N}-])|(?![\\p{N}-]|${OF_AMOUNT})(?<!${AFTER_MONEY}\\d{4}))`,
  "gu",
);

/**
 * Whether a sentence, or a field's name as words, speaks of another time, of another thing or of what holds in general,
 * and so not of what a tool just did. `since`: days before it are past, as "2026-11-27"; without it every date is.
 * `input`: a number in it is no year.
 */
export function speaksOfOther(text: string, since?: string, input: Readonly<Record<string, unknown>> = {}) {
  const words = composed(text);
  const given = new Set(Object.values(input).map(String));
  const isPast = (date: string) =>
    !given.has(date) && (since === undefined || date < since.slice(0, date.length));
  return (
    [OTHER, POSSIBLE, GENERAL, PRICE].some((pattern) => pattern.test(words)) ||
    (words.match(DATE) ?? []).some(isPast)
  );
}
