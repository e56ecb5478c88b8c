/** Safari reports the key that ends a composition with this code, after the composition, instead of `isComposing`. */
const COMPOSING_KEY_CODE = 229;

/** Returns whether an input method takes this key: its Enter chooses a word, its Escape drops one. */
export function isComposing(event: KeyboardEvent): boolean {
  return event.isComposing || event.keyCode === COMPOSING_KEY_CODE;
}
