/** What `open` returns; undefined where the browser refuses it, as it may refuse storage to third parties. */
export function ifAny<T>(open: () => T): T | undefined {
  try {
    return open();
  } catch {
    return undefined;
  }
}
