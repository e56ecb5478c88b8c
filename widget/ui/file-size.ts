/** A size in bytes as people read it in their language, such as `3.4 MB`. */
export function fileSize(bytes: number): string {
  const isLarge = bytes >= 1_000_000;
  const value = bytes / (isLarge ? 1_000_000 : 1000);
  return new Intl.NumberFormat(document.documentElement.lang || "en", {
    style: "unit",
    unit: isLarge ? "megabyte" : "kilobyte",
    maximumFractionDigits: value < 10 ? 1 : 0,
  }).format(value);
}
