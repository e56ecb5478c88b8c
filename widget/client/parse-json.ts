/** The value of a JSON text, or undefined if it is invalid. */
export function parseJson(raw: string): unknown {
  try {
    return JSON.parse(raw);
  } catch {
    // Not written by our programs.
    return undefined;
  }
}
