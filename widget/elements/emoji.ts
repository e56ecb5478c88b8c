/** Longer texts are not a few emoji. In UTF-16 units: one family emoji has eleven. */
const MAX_LENGTH = 24;

const EMOJI =
  /^(?:\s|\p{Extended_Pictographic}|\p{Emoji_Modifier}|\p{Regional_Indicator}|\u200d|\ufe0f)*\p{Extended_Pictographic}(?:\s|\p{Extended_Pictographic}|\p{Emoji_Modifier}|\u200d|\ufe0f)*$|^(?:\p{Regional_Indicator}{2}\s*)+$/u;

/** Whether a text is a few emoji and nothing else; such a text is shown larger. */
export function isEmojiOnly(text: string): boolean {
  return text.length <= MAX_LENGTH && EMOJI.test(text);
}
