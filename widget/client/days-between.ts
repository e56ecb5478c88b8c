/** Counts calendar days, which are longer or shorter than 24 hours when the clocks change. */
export function daysBetween(from: Date, to: Date): number {
  const noon = (date: Date) => Date.UTC(date.getFullYear(), date.getMonth(), date.getDate());
  return Math.round((noon(to) - noon(from)) / 86_400_000);
}
