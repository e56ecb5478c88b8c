const UNITS = [
  ["megabyte", 1_000_000],
  ["kilobyte", 1000],
] as const;

/** Formats a size in bytes in the document's language, such as `3.4 MB` or `12 bytes`; never rounds it to zero. */
export function fileSize(bytes: number): string {
  const [unit, size] = UNITS.find(([, least]) => bytes >= least) ?? ["byte", 1];
  const value = bytes / size;
  return new Intl.NumberFormat(document.documentElement.lang || "en", {
    style: "unit",
    unit,
    // The short form of "byte" has no plural.
    unitDisplay: size === 1 ? "long" : "short",
    maximumFractionDigits: value < 10 ? 1 : 0,
  }).format(value);
}
