import { boundedValidator } from "./bounded-validator.ts";

/** Returns the input if it matches the tool's schema, undefined otherwise. */
export type InputCheck = (input: unknown) => Readonly<Record<string, unknown>> | undefined;

/** The largest input as JSON, in characters: no card could show more. */
const MAX_INPUT = 20_000;

/**
 * Compiles a tool's schema. Undefined for one that is not valid, or that refers to another document: nothing is ever
 * fetched for it.
 */
export function compileInput(schema: Readonly<Record<string, unknown>>): InputCheck | undefined {
  try {
    const validate = boundedValidator.getValidator<Record<string, unknown>>(schema);
    return (input) => {
      if (typeof input !== "object" || input === null || Array.isArray(input)) return undefined;
      const json = JSON.stringify(input);
      // A copy, so that nobody changes it after the check.
      try {
        return json.length <= MAX_INPUT && validate(input).valid ? JSON.parse(json) : undefined;
      } catch {
        return undefined;
      }
    };
  } catch {
    return undefined;
  }
}
