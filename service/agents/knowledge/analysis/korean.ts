/** Korean, for which the packages have neither stemmer nor stop words: its particles are written onto the word. */
export const KOREAN_STOP_WORDS =
  `저 저는 제 제가 나 나는 내 내가 우리 그 이 저희 수 것 거 게 좀 더 안 못 잘 및 또는 그리고 그런데 하지만 또 다시 지금 혹시 안녕하세요 감사합니다 어떻게 얼마
  얼마나 얼마예요 얼마인가요 얼마입니까 언제 어디 어디서 어디에 어디에서 왜 무엇 무엇을 뭐 뭘 누가 누구 어떤 몇 며칠 며칠인가요 있나요 있어요 있습니까 있습니다 있을까요 있는지
  없나요 없어요 없습니다 되나요 돼요 됩니까 되는지 가능한가요 가능해요 가능합니까 인가요 하나요 해요 하고 하려면 하려고 할 한 해야 하면 싶어요 싶습니다 싶은데요 주세요 해주세요
  알려주세요 알고 궁금해요 궁금합니다 필요해요 필요합니다 필요한가요 걸리나요 걸려요 걸립니까`.split(/\s+/);

const ENDING =
  /(?:하고|하려면|하려고|하나요|합니까|합니다|하세요|하는|하기|하면|해요|해서|했는데|했어요|했습니다|할|한|되나요|됩니다|되었어요|에서는|에서도|에서|에게|에도|에는|으로|까지|부터|이나|인가요|입니다|에|은|는|이|가|을|를|로|와|과|도|만|의)$/u;

const SHORTEST_STEM = 2;

export function koreanStem(word: string): string {
  const stem = word.replace(ENDING, "");
  return stem.length >= SHORTEST_STEM ? stem : word;
}
