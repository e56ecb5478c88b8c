import { type ReadonlySignal, type Signal, signal } from "@preact/signals";
import { createBackoff } from "../client/backoff.ts";
import type { Environment } from "./environment.ts";

/**
 * A connection may stall without ever ending. The first attempt may take this long: 30 kB at 1 kB/s. Each further one
 * may take as much longer, because a slow connection looks like a stalled one, and has to get its file at last.
 */
const STALLED_MS = 30_000;
const MAX_STALLED_MS = 300_000;

/** A part of the panel that its first open does not need. */
export interface Part<T> {
  readonly it: ReadonlySignal<T | undefined>;
  /** Requests it; requesting it again does nothing. */
  readonly want: () => void;
}

export interface LoadablePart<T> extends Part<T> {
  /** Requests it, and resolves with it. */
  readonly load: () => Promise<T>;
}

/**
 * A part that is loaded when it is first needed, with retries for as long as it takes. Until then nothing is lost and
 * nothing is claimed: the customer's text is shown plainly.
 * @param load fetches and runs it, within `patience` milliseconds; rejects if it can't be loaded
 */
export function createPart<T>(
  load: (patience: number) => Promise<T>,
  { random, setTimer }: Pick<Environment, "random" | "setTimer">,
): LoadablePart<T> {
  const it = signal<T>();
  const backoff = createBackoff(random);
  let patience = 0;
  const attempt = (resolve: (part: T) => void) => {
    patience = Math.min(patience + STALLED_MS, MAX_STALLED_MS);
    load(patience).then(
      (part) => {
        it.value = part;
        resolve(part);
      },
      () => void setTimer(() => attempt(resolve), backoff.next()),
    );
  };
  let loading: Promise<T> | undefined;
  const ask = () => {
    loading ??= new Promise(attempt);
    return loading;
  };
  return { it, want: () => void ask(), load: ask };
}

/**
 * Fetches what the document's import map pins, into the browser's cache. A browser never retries a module that failed
 * to load, but it does retry a fetch; so `import()` comes only afterwards.
 * @param name part of their addresses
 * @param gone gets the files that the server no longer has, as after an upgrade, until they are loaded
 * @throws if a file can't be loaded in time or is not the pinned one
 */
export async function fetchPinned(
  { fetch, setTimer }: Pick<Environment, "fetch" | "setTimer">,
  map: string,
  name = "",
  gone?: Signal<ReadonlySet<string>>,
  patience = STALLED_MS,
): Promise<void> {
  const { integrity = {} } = JSON.parse(map || "{}") as { integrity?: Record<string, string> };
  const mark = (path: string, isGone: boolean) => {
    if (!gone || gone.value.has(path) === isGone) return;
    const files = new Set(gone.value);
    files[isGone ? "add" : "delete"](path);
    gone.value = files;
  };
  const stalled = new AbortController();
  const { signal } = stalled;
  setTimer(() => stalled.abort(), patience);
  await Promise.all(
    Object.entries(integrity).map(async ([path, hash]) => {
      // Files without a part's name are shared by several.
      if (!path.includes(name) && path.includes("-part-")) return;
      try {
        await (await fetch(path, { integrity: hash, signal })).text();
        mark(path, false);
      } catch (cause) {
        // The browser reports no status for a file with another hash. Such a file may be in its cache, altered on its way
        // here: it is replaced.
        if (gone) mark(path, (await fetch(path, { cache: "reload", signal })).status === 404);
        throw cause;
      }
    }),
  );
}
