import { PERSONAL_SETTINGS } from "../../shared/frame-port.ts";

/**
 * The owner's settings as texts, from the tag's `data-*`, `window.parleySettings`, `boot` and `update`; the last wins.
 * Without a prototype, because a link to a careless page may add properties to that of every object (prototype
 * pollution).
 */
export const settings = { __proto__: null } as object as Record<string, string>;
/** In which turn of `identify` and `logout` each setting was set. */
const setIn: Record<string, number> = {};
/** The personal settings that the page had when it loaded. */
let initial: Record<string, string>;

/** In UTF-16 units. */
const MAX_SETTING = 6000;
/** The limit of all settings as JSON: with the page's data they stay below the port's limit. */
const MAX_SETTINGS = 13_000;
/** The settings that were too long, or can't be read: left out, and reported by the frame. */
const refused = new Set<string>();

/**
 * Merges `changes`; objects become JSON. An empty, null or undefined value restores the default. Returns what a value
 * threw that can't be read: it is left out like one that is too long.
 */
export function mergeSettings(changes: object | undefined, turn = 0): unknown {
  let fault: unknown;
  for (const name of Object.keys(changes ?? {})) {
    let text: string | undefined;
    try {
      const value = (changes as object)[name as never] ?? "";
      text = Object(value) === value ? JSON.stringify(value) : `${value as string}`;
    } catch (error) {
      fault = error;
    }
    setIn[name] = turn;
    settings[name] = text ?? "";
    refused.delete(name);
    // Cutting a text would change its meaning.
    if (text === undefined || text.length > MAX_SETTING || JSON.stringify(settings).length > MAX_SETTINGS) {
      settings[name] = "";
      refused.add(name);
    }
  }
  settings["refused"] = [...refused].join();
  return fault;
}

/** Treats the page's current settings as those of every visitor, except the traits, which belong to one customer. */
export function rememberInitial(): void {
  initial = { __proto__: null, ...settings, traits: "" } as object as typeof initial;
}

/** Restores each personal setting that was set before `turn` to its value at the page's load. */
export function forgetCustomer(turn: number): void {
  for (const name of PERSONAL_SETTINGS) {
    if ((setIn[name] ?? 0) < turn) settings[name] = initial[name] ?? "";
  }
}
