const UNITS = [
  ["megabyte", 1_000_000],
  ["kilobyte", 1000],
] as const;

/** A size in bytes as people read it in the document's language, such as `3.4 MB`, and never as nothing: `12 bytes`. */
export function fileSize(bytes: number): string {
  const [unit, size] = UNITS.find(([, least]) => bytes >= least) ?? ["byte", 1];
  const value = bytes / size;
  return new Intl.NumberFormat(document.documentElement.lang || "en", {
    style: "unit",
    unit,
    // "byte" has no sign of its own, and its short form no plural.
    unitDisplay: size === 1 ? "long" : "short",
    maximumFractionDigits: value < 10 ? 1 : 0,
  }).format(value);
}
