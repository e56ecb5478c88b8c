import * as z from "zod/mini";
import { MAX_TRAIT_CHARACTERS, MAX_TRAITS } from "./limits.ts";
import { atMost, isCleanText } from "./text.ts";

const KEY = /^[A-Za-z][A-Za-z0-9_.-]{0,63}$/;
const FORBIDDEN_KEYS = new Set(["constructor", "prototype", "__proto__"]);

export const TraitValue = z.union([
  z
    .string()
    .check(
      atMost(MAX_TRAIT_CHARACTERS),
      z.refine(isCleanText, "must be well-formed text without control characters"),
    ),
  z.number(),
  z.boolean(),
  z.null(),
]);

/** The facts about a customer besides the id: closed types, few keys, never a secret. */
export const Traits = z
  .record(z.string().check(z.regex(KEY)), TraitValue, {
    error: ({ code }) =>
      code === "invalid_key" ? "a trait's name is a letter, then at most 63 of A-Z a-z 0-9 _ . -" : undefined,
  })
  .check(
    z.refine((traits) => Object.keys(traits).length <= MAX_TRAITS, `at most ${MAX_TRAITS} traits`),
    z.refine((traits) => Object.keys(traits).every((key) => !FORBIDDEN_KEYS.has(key)), "reserved trait name"),
    z.meta({ maxProperties: MAX_TRAITS }),
  );
export type Traits = z.infer<typeof Traits>;
