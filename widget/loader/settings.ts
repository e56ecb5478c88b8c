/** The owner's settings as texts, from the tag's `data-*`, `window.parleySettings`, `boot` and `update`; the last wins. */
export const settings: Record<string, string> = {};

/** In UTF-16 units: two of these fit the port's limit even when each character is escaped. JSON that was cut is ignored. */
const MAX_SETTING = 6000;

/** Merges `changes`; objects become JSON. An empty, null or undefined value restores the default. */
export function mergeSettings(changes: object | undefined): void {
  for (const name in changes) {
    const value = changes[name as never] ?? "";
    settings[name] = (Object(value) === value ? JSON.stringify(value) : `${value as string}`).slice(
      0,
      MAX_SETTING,
    );
  }
}
