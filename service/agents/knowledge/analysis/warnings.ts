import type { Language } from "./languages.ts";

/**
 * How words and phrases begin that forbid or warn, as regular expressions. "nie " with a space is a whole word, unlike
 * the beginning of "niedrig". A plain "not" is no warning: half of all instructions have one.
 */
const WARNING_WORDS: Readonly<Record<string, string>> = {
  // "We never see your card number" describes us.
  en: "(?<!(?:we|i|i've) )never|must not|mustn't|warning|danger|caution|beware|forbidden|prohibited|hazard|unsafe",
  de: "nie |niemals|keinesfalls|auf keinen fall|darf nicht|dürfen nicht|warnung|achtung|vorsicht|gefahr|gefähr|verboten|lebensgefahr",
  es: "nunca|jamás|advertencia|peligr|precaución|cuidado|prohibid|no debe ",
  fr: "jamais|avertissement|danger|attention :|attention à|interdit|il ne faut pas|ne doit pas|ne doivent pas",
  it: "non .{1,30} mai|mai |avvertenza|pericol|attenzione|vietat|non deve|non devono",
  pt: "nunca|jamais|aviso|advertência|perig|cuidado|proibid|não deve",
  nl: "nooit|waarschuwing|gevaar|voorzichtig|verboden|mag niet|mogen niet",
  da: "aldrig|advarsel|fare |farlig|forsigtig|forbudt|må ikke",
  sv: "aldrig|varning|fara |farlig|försiktig|förbjud|får inte",
  nb: "aldri|advarsel|fare |farlig|forsiktig|forbudt|må ikke",
  fi: "älä koskaan|älkää koskaan|ei koskaan|varoitus|vaara|varo |kielletty|ei saa ",
  hu: "soha|figyelmeztetés|veszély|vigyázat|vigyázz|tilos|nem szabad",
  ro: "niciodată|avertisment|pericol|pericul|atenție|interzis|nu trebuie să",
  tr: "asla|hiçbir zaman|uyarı|tehlike|dikkat|yasak",
  lt: "niekada|įspėjimas|pavoj|atsargiai|draudžiama|negalima",
  ga: "choíche|rabhadh|contúirt|cosc",
  id: "jangan|peringatan|bahaya|berbahaya|hati-hati|dilarang|tidak boleh",
  ru: "никогда|предупреждение|опасн|осторожн|внимание|запрещ|нельзя",
  uk: "ніколи|попередження|небезпе|обережн|увага|заборон|не можна",
  bg: "никога|предупреждение|опасн|внимание|забран|не трябва",
  sr: "nikad|upozorenje|opasn|oprez|zabranj|ne sme|никад|упозорење|опасн|опрез|забрањ|не сме",
  el: "ποτέ|προειδοποίηση|κίνδυν|επικίνδυν|προσοχή|απαγορεύ|δεν πρέπει",
  hy: "երբեք|նախազգուշացում|վտանգ|զգույշ|արգելվ",
  ar: "أبدا|مطلقا|تحذير|خطر|خطير|احذر|ممنوع|يحظر|لا يجوز|لا يجب",
  hi: "कभी नहीं|कभी भी|चेतावनी|ख़तर|खतर|सावधान|मना है|वर्जित",
  ne: "कहिल्यै|चेतावनी|खतर|सावधान|मनाही",
  ta: "ஒருபோதும்|எச்சரிக்கை|ஆபத்து|அபாய|தடை",
  zh: "切勿|请勿|严禁|禁止|警告|危险|小心|绝不|绝对不|千万|請勿|嚴禁|危險|絕不|絕對不|千萬",
  ja: "絶対に|決して|警告|危険|禁止|してはいけ|しないでください|ご注意",
};

/** Words of languages without a stemmer: nothing tells their articles apart, so these are looked for in all. */
const OTHER_WARNING_WORDS = [
  "nigdy|ostrzeżenie|uwaga|niebezpiecz|zabroni|zabrania|nie wolno",
  "nikdy|varování|varovanie|pozor|nebezpeč|zakázán|zakázan|nesmí|nesmie",
  "nikoli|opozorilo|nevarn|previdno|prepovedan|ne sme",
  "nikada|upozorenje|opasn|oprez|zabranj|ne smije",
  "mitte kunagi|ära kunagi|ärge kunagi|hoiatus|ohtlik|ettevaatust|keelatud",
  "nekad|brīdinājum|bīstam|uzmanību|aizliegt",
  "mai no|advertència|perill|không bao giờ|cảnh báo|nguy hiểm|cẩn thận|nghiêm cấm",
  "לעולם אל|לעולם לא|אזהרה|סכנה|מסוכן|זהירות|אסור|هرگز|هشدار|خطر|احتیاط|ممنوع",
  "절대|경고|위험|주의|금지|ห้าม|อันตราย|คำเตือน|ระวัง",
].join("|");

/** Scripts without spaces, and Korean, whose words have endings: there a phrase may stand within a word. */
const WITHIN_WORDS = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Hangul}\p{Script=Thai}]/u;

function patternOf(words: string): RegExp {
  const parts = words.split("|").map((word) => (WITHIN_WORDS.test(word) ? word : `(?<!\\p{L})${word}`));
  return new RegExp(parts.join("|"), "iu");
}

const patterns = new Map(Object.entries(WARNING_WORDS).map(([code, words]) => [code, patternOf(words)]));
const others = patternOf(OTHER_WARNING_WORDS);

/** Whether a sentence of an article in this language forbids something or warns of it. */
export function warns(text: string, { code }: Language): boolean {
  return patterns.get(code)?.test(text) === true || others.test(text);
}
