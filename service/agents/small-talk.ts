import { GREETING, YOU_ARE_WELCOME } from "./knowledge-texts.ts";

const HELLO =
  /^(?:hi|hello|hey|hiya|howdy|greetings|good (?:morning|afternoon|evening|day))(?: there| all| team)?$/;
const THANKS =
  /^(?:ok |okay |great |perfect |cool |super )?(?:thanks|thank you|thx|ty|cheers|many thanks)(?: (?:so much|very much|a lot|a million|for your help|for the help|that helped|bye))?$/;

/** Returns a fixed, polite answer to a greeting or a thank-you, and undefined for everything that may be a question. */
export function smallTalk(text: string): string | undefined {
  const plain = text
    .toLowerCase()
    .replace(/[^\p{L}\s]/gu, " ")
    .replace(/\s+/g, " ")
    .trim();
  if (HELLO.test(plain)) return GREETING;
  if (THANKS.test(plain)) return YOU_ARE_WELCOME;
  return undefined;
}
