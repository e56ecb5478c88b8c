import { ifAny } from "./if-any.ts";

/** The methods of `localStorage` and `sessionStorage` that are used. */
export type BrowserStorage = Pick<Storage, "getItem" | "setItem" | "removeItem">;

/** A stored value; undefined without one, and where the browser refuses storage. */
export function readFrom(storage: BrowserStorage | undefined, key: string): string | undefined {
  return ifAny(() => storage?.getItem(key)) ?? undefined;
}

/** Writes a value, or removes it. Returns whether that succeeded. */
export function writeTo(
  storage: BrowserStorage | undefined,
  key: string,
  value: string | undefined,
): boolean {
  try {
    if (value === undefined) storage?.removeItem(key);
    else storage?.setItem(key, value);
    return storage !== undefined;
  } catch {
    // The browser refuses storage here; the value then lasts as long as the page.
    return false;
  }
}
