const FEW = 5;

/** The first names of a list, and how many others there are. */
export function firstFew(names: readonly string[]): string {
  const others = names.length - FEW;
  return names.slice(0, FEW).join(", ") + (others > 0 ? ` and ${others} more` : "");
}
