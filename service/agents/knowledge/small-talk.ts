import { comparable, wordsIn } from "../comparable-text.ts";

/** A greeting or a thank-you, and the languages that it is in. */
export interface SmallTalk {
  readonly kind: "greeting" | "welcome";
  readonly languages: readonly string[];
}

const PHRASES: Readonly<Record<string, { readonly hello: string; readonly thanks: string }>> = {
  en: {
    hello:
      "(?:hi|hello|hey|hiya|howdy|greetings|good (?:morning|afternoon|evening|day))(?: there| all| team)?",
    thanks:
      "(?:ok |okay |great |perfect |cool |super )?(?:thanks|thank you|thx|ty|cheers|many thanks)(?: (?:so much|very much|a lot|a million|for your help|for the help|that helped|bye))?",
  },
  de: {
    hello: "hallo|hi|hey|moin|servus|gruss gott|guten (?:tag|morgen|abend)",
    thanks: "(?:ok |super |prima )?(?:danke|vielen dank|dankeschon|danke (?:schon|sehr)|besten dank)",
  },
  fr: { hello: "bonjour|salut|bonsoir|coucou", thanks: "(?:ok |super )?merci(?: (?:beaucoup|bien))?" },
  es: {
    hello: "hola|buenas|buenos dias|buenas (?:tardes|noches)",
    thanks: "(?:ok |vale )?(?:gracias|muchas gracias)",
  },
  it: { hello: "ciao|salve|buongiorno|buonasera", thanks: "(?:ok )?(?:grazie|grazie mille|molte grazie)" },
  pt: { hello: "ola|oi|bom dia|boa tarde|boa noite", thanks: "(?:ok )?(?:muito )?obrigad[oa]|valeu" },
  nl: {
    hello: "hallo|hoi|hi|hey|dag|goede(?:morgen|middag|navond)",
    thanks: "(?:ok )?(?:bedankt|dank (?:u|je)(?: wel)?|dankjewel)",
  },
  pl: {
    hello: "czesc|hej|dzien dobry|dobry wieczor|witam",
    thanks: "(?:ok )?(?:dziekuje|dzieki|dziekuje bardzo)",
  },
  ru: {
    hello: "здравствуйте|здравствуй|привет|добрый (?:день|вечер)|доброе утро",
    thanks: "(?:ок )?(?:спасибо|большое спасибо|спасибо большое|благодарю)",
  },
  tr: {
    hello: "merhaba|merhabalar|selam|iyi (?:gunler|aksamlar)|gunaydin",
    thanks: "(?:tamam )?(?:tesekkurler|tesekkur ederim|cok tesekkurler|sagolun|sag olun)",
  },
  zh: { hello: "你好|您好|嗨|哈喽|早上好|下午好|晚上好", thanks: "谢谢|謝謝|谢谢你|謝謝你|多谢|感谢" },
  ja: {
    hello: "こんにちは|こんばんは|おはようございます|はじめまして",
    thanks: "ありがとう|ありがとうございます|ありがとうございました|どうもありがとう",
  },
  ar: {
    hello: "مرحبا|أهلا|السلام عليكم|صباح الخير|مساء الخير",
    thanks: "شكرا|شكرا (?:لك|لكم|جزيلا)",
  },
};

const PATTERNS = Object.entries(PHRASES).map(([language, { hello, thanks }]) => ({
  language,
  greeting: new RegExp(comparable(`^(?:${hello})$`), "u"),
  welcome: new RegExp(comparable(`^(?:${thanks})$`), "u"),
}));

/** Recognises a greeting or a thank-you; undefined for anything that may be a question. */
export function smallTalk(text: string): SmallTalk | undefined {
  const plain = wordsIn(comparable(text));
  for (const kind of ["greeting", "welcome"] as const) {
    const languages = PATTERNS.filter((patterns) => patterns[kind].test(plain)).map(
      ({ language }) => language,
    );
    if (languages.length > 0) return { kind, languages };
  }
  return undefined;
}
