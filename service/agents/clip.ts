/** The beginning of a text, with a sign that there is more. */
export function clip(text: string, most: number): string {
  return text.length > most ? `${text.slice(0, most - 1).toWellFormed()}…` : text;
}
