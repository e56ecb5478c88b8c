/** Paths that people paste along with the base address. */
const OPERATION = /\/(?:chat\/completions|responses|models)?\/*$/;
const VERSION = /\/v\d+[a-z]*\d*(?:\/|$)/;

/**
 * The base addresses that an owner may mean, most likely first. `http://host:11434` means `http://host:11434/v1`; after
 * another path the version may or may not be missing, so both are tried.
 */
export function baseAddresses(given: URL): readonly string[] {
  const path = given.pathname.replace(OPERATION, "");
  const base = `${given.origin}${path}`;
  if (VERSION.test(path)) return [base];
  return path === "" ? [`${base}/v1`, base] : [base, `${base}/v1`];
}
