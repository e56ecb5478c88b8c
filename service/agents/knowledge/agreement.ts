import { comparable, wordsIn } from "../comparable-text.ts";

/** The words of "yes", and what may follow them: "yes please", "ja, gerne". */
const PHRASES: Readonly<Record<string, readonly [yes: string, more: string]>> = {
  en: [
    "yes|yeah|yep|yup|sure|please|absolutely|of course",
    "please|do|thanks|thank you|sure|i would|i d like that|that would be (?:great|good|nice)",
  ],
  de: ["ja|jo|bitte|gern|gerne|klar", "ja|bitte|gern|gerne|sehr|danke"],
  fr: [
    "oui|volontiers|avec plaisir|s il (?:vous|te) plait|svp",
    "s il (?:vous|te) plait|svp|volontiers|merci",
  ],
  es: ["si|claro|por favor", "si|claro|por favor|gracias"],
  it: ["si|certo|volentieri|per favore", "per favore|certo|volentieri|grazie"],
  pt: ["sim|claro|por favor|quero", "por favor|claro|quero|obrigad[oa]"],
  nl: [
    "ja|graag|zeker|alstublieft|alsjeblieft",
    "graag|zeker|alstublieft|alsjeblieft|aub|bedankt|dank (?:u|je)",
  ],
  pl: ["tak|prosze|poprosze|chetnie", "prosze|poprosze|chetnie|dziekuje"],
  ru: ["да|давайте|конечно|пожалуйста", "давайте|конечно|пожалуйста|спасибо"],
  tr: ["evet|lutfen|tabii|olur", "lutfen|ki|olur|tesekkurler"],
  zh: ["是的?|好的?|可以|要|需要|麻烦您?了?|麻煩您?了?", "请|請|谢谢|謝謝|麻烦您?了?|麻煩您?了?"],
  ja: ["はい|うん|ええ|ぜひ|お願いします", "ぜひ|お願いします|ありがとうございます"],
  ar: ["نعم|أجل|طبعا|من فضلك|لو سمحت", "من فضلك|لو سمحت|شكرا"],
};

const PATTERNS = Object.entries(PHRASES).map(
  ([language, [yes, more]]) =>
    [language, new RegExp(comparable(`^(?:${yes})(?: ?(?:${more})){0,4}$`), "u")] as const,
);

/** No agreement is longer, in characters. */
const MAX_LENGTH = 60;

/** The languages in which a message only says yes; none if it may say more. */
export function languagesOfYes(text: string): readonly string[] {
  if (text.length > MAX_LENGTH) return [];
  const words = wordsIn(comparable(text));
  return PATTERNS.flatMap(([language, pattern]) => (pattern.test(words) ? [language] : []));
}
