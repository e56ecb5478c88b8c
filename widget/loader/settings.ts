/** What the site owner set, as texts: the tag's `data-*`, `window.parleySettings`, `boot` and `update`, the last wins. */
export const settings: Record<string, string> = {};

/** With each character escaped, two of these are below the port's limit. What is cut is no JSON, and counts as nothing. */
const MAX_SETTING = 6000;

/** Adds to the settings; what is no plain value becomes JSON. Nothing, where a setting was, brings its default back. */
export function mergeSettings(changes: object | undefined): void {
  for (const name in changes) {
    const value = changes[name as never] ?? "";
    settings[name] = (Object(value) === value ? JSON.stringify(value) : `${value as string}`).slice(
      0,
      MAX_SETTING,
    );
  }
}
