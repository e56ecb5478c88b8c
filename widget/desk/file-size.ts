const KILO = 1000;

/** A size in bytes as people read it, such as `3.4 MB`. */
export function fileSize(bytes: number): string {
  const [value, unit] = bytes < KILO * KILO ? [bytes / KILO, "kilobyte"] : [bytes / KILO / KILO, "megabyte"];
  const digits = value < 10 ? 1 : 0;
  return new Intl.NumberFormat("en", { style: "unit", unit, maximumFractionDigits: digits }).format(value);
}
