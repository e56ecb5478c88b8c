/** How long something takes: whole minutes up to 90, then hours up to 36, then days. */
export function timeOf(seconds: number, locale: string): string {
  const minutes = Math.max(1, Math.round(seconds / 60));
  const hours = Math.round(minutes / 60);
  const [amount, unit] =
    minutes <= 90 ? [minutes, "minute"] : hours <= 36 ? [hours, "hour"] : [Math.round(hours / 24), "day"];
  return new Intl.NumberFormat(locale, { style: "unit", unit: String(unit), unitDisplay: "long" }).format(
    Number(amount),
  );
}
