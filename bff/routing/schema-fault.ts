import * as z from "zod/mini";
import { kindOf, quote } from "./wording.ts";

/**
 * What is wrong with a value, or nothing. It goes on after the key's name (`"match.pages" must be …`) and ends its
 * sentence.
 */
export type Wrong<T> = (value: T) => string | undefined;

/** A schema's check out of a `Wrong`. */
export function checkedBy<T>(wrong: Wrong<T>) {
  return z.check<T>((payload) => {
    const message = wrong(payload.value);
    if (message !== undefined) payload.issues.push({ code: "custom", message, input: payload.value });
  });
}

/** A schema's message for a value of the wrong type. */
export function butIs(wanted: string) {
  return { error: ({ input }: { input?: unknown }) => `must be ${wanted}, but it is ${kindOf(input)}.` };
}

/** A schema's message for an entry of the wrong type. */
export function mayHold(wanted: string) {
  return {
    error: ({ input }: { input?: unknown }) => `may hold only ${wanted}, but holds ${kindOf(input)}.`,
  };
}

/** How an object's own faults are said. */
export interface Wording {
  /** The sentence for a key that is not known inside the object at `inside` ("" is the outermost). */
  unknownKey(unknown: string, inside: string): string;
  /** The sentence for each key that must be there. */
  readonly missing: Readonly<Record<string, string>>;
}

/** A fault with the dotted key that it is about; a fault of the whole value has none. */
export interface KeyFault {
  readonly key: string | undefined;
  readonly fault: string;
}

/** Every issue of a check as a sentence. Entries of lists are not named, because their sentence repeats them. */
export function keyFaultsOf(
  issues: readonly z.core.$ZodIssue[],
  value: unknown,
  wording: Wording,
): readonly KeyFault[] {
  return issues.flatMap((issue): readonly KeyFault[] => {
    const key = dotted(issue.path);
    if (issue.code === "unrecognized_keys") {
      return issue.keys.map((unknown) => ({
        key: key === "" ? unknown : `${key}.${unknown}`,
        fault: wording.unknownKey(unknown, key),
      }));
    }
    if (issue.code === "invalid_key") {
      const inside = dotted(issue.path.slice(0, -1));
      return issue.issues.map(({ message }) => ({ key: inside, fault: `${quote(inside)} ${message}` }));
    }
    if (key === "") return [{ key: undefined, fault: issue.message }];
    const missing = wording.missing[key];
    if (missing !== undefined && valueAt(value, issue.path) === undefined) return [{ key, fault: missing }];
    return [{ key, fault: `${quote(key)} ${issue.message}` }];
  });
}

/** `match.attributes.plan` */
export function dotted(path: readonly PropertyKey[]): string {
  return path.filter((part) => typeof part === "string").join(".");
}

function valueAt(value: unknown, path: readonly PropertyKey[]): unknown {
  return path.reduce<unknown>((inner, part) => {
    return typeof inner === "object" && inner !== null ? Reflect.get(inner, part) : undefined;
  }, value);
}
