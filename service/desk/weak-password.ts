import type { ZxcvbnFactory } from "@zxcvbn-ts/core";
import { codePoints } from "../../shared/characters.ts";

const LEAST_CHARACTERS = 12;
/** Checking more characters is slow, and the first ones decide already. */
const MAX_CHECKED = 64;
/** A score of 4: more than 10⁸ guesses are needed. */
const LEAST_SCORE = 3;
/** Without separators a random password loses some of its strength, so 10⁶ guesses are enough there. */
const LEAST_BARE_SCORE = 2;

/** Attackers would try these here, and the dictionaries don't contain them. */
const OURS = ["parley", "harbourpine", "harborpine", "correcthorsebatterystaple"];

/** The dictionaries take 90 ms and 8 MB, so they are loaded when somebody first chooses a password. */
let loading: Promise<ZxcvbnFactory> | undefined;

/**
 * Returns why a password is refused, as a sentence, or undefined when it is acceptable.
 *
 * @param known what is publicly known about this user: address, name, the shop's name
 */
export async function weaknessOf(password: string, known: readonly string[]): Promise<string | undefined> {
  if (codePoints(password) < LEAST_CHARACTERS)
    return `Choose a password of at least ${LEAST_CHARACTERS} characters.`;
  loading ??= loadEstimator();
  const estimator = await loading;
  const plain = password.normalize("NFKC");
  const bare = plain.replace(/[^\p{L}\p{N}]/gu, "");
  const words = [...known.flatMap(wordsOf), ...OURS];
  const isWeak =
    /^\d*$/.test(bare) ||
    estimator.check(plain, words).score < LEAST_SCORE ||
    estimator.check(bare, words).score < LEAST_BARE_SCORE;
  return isWeak
    ? "This password is easy to guess. Choose a longer one without names, dates or common words, such as four unrelated words."
    : undefined;
}

async function loadEstimator(): Promise<ZxcvbnFactory> {
  const [core, common] = await Promise.all([import("@zxcvbn-ts/core"), import("@zxcvbn-ts/language-common")]);
  const { dictionary, adjacencyGraphs } = common;
  return new core.ZxcvbnFactory({ dictionary, graphs: adjacencyGraphs, maxLength: MAX_CHECKED });
}

/** `ada.lovelace@shop.example` gives the address, each of its words, and the words of each part joined. */
function wordsOf(text: string): string[] {
  const parts = [text, ...text.split("@")];
  return [
    text,
    ...parts.flatMap((part) => [...part.split(/[^\p{L}\p{N}]+/u), part.replace(/[^\p{L}\p{N}]/gu, "")]),
  ].filter((word) => word.length > 2);
}
