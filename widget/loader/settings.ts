/** What the site owner set, as texts: the tag's `data-*`, `window.parleySettings`, `boot` and `update`, the last wins. */
export const settings: Record<string, string> = {};

/** Adds to the settings. Nothing, where a setting was, brings its default back. */
export function mergeSettings(changes: Readonly<Record<string, string | undefined>> | undefined): void {
  for (const name in changes) settings[name] = `${changes[name] ?? ""}`;
}
