import type { PanelSettings } from "../../shared/frame-port.ts";
import { readTag } from "../../shared/languages.ts";
import { areSuggestions } from "./own-suggestions.ts";
import { areOwnTexts } from "./own-texts.ts";
import { refusedTraits } from "./page-traits.ts";

/** A setting that is not applied as the page gave it. `reason` continues the sentence that begins with `what`. */
export interface SettingFault {
  readonly what: string;
  readonly reason: string;
}

/** Whether the browser takes a text as a colour or as a selector. */
export type IsValid = (kind: "color" | "selector", text: string) => boolean;

const SWITCH = [/^(true|false)$/, "true or false"] as const;

/** The settings whose values are limited: a test of the value, and what it must be. The loader applies some of them. */
const LIMITED = new Map<string, readonly [{ test(text: string): boolean }, mustBe: string]>(
  Object.entries({
    colorScheme: [/^(auto|light|dark)$/, "auto, light or dark"],
    position: [/^(left|right)$/, "left or right"],
    zIndex: [/^-?\d+$/, "a whole number"],
    sound: SWITCH,
    teaser: SWITCH,
    locale: [{ test: (text) => !!readTag(text) }, "a language tag such as pt-BR"],
    suggestions: [{ test: areSuggestions }, "at most four questions of 120 characters"],
    texts: [{ test: areOwnTexts }, "a JSON object of known texts per language, each up to 300 characters"],
  }),
);
const NAMES = "color fallback title greeting label launcher container identityUrl"
  .split(" ")
  .concat([...LIMITED.keys()]);
/** Set by the loader's own calls. */
const INTERNAL = /^(traits|inline|identity|logout|refused|followed)$/;

/** The faults of the page's settings; an empty text restores the default. */
export function faultsIn(settings: PanelSettings, isValid: IsValid): SettingFault[] {
  const tooLong = (settings.refused ?? "").split(",").filter(Boolean);
  return [
    ...tooLong.map((what) => ({ what, reason: "is too long or no JSON" })),
    ...Object.entries(settings).flatMap(([what, text = ""]) => {
      const reason = text && reasonFor(what, text, isValid);
      return reason ? [{ what, reason }] : [];
    }),
    ...refusedTraits(settings.traits ?? "").map((name) => ({
      what: `traits.${name}`,
      reason: "has a name or value that no trait can have",
    })),
  ];
}

function reasonFor(name: string, text: string, isValid: IsValid): string | undefined {
  const [allowed, mustBe = ""] = LIMITED.get(name) ?? [];
  if (allowed) return allowed.test(text) ? undefined : `must be ${mustBe}`;
  if (name === "color") return isValid(name, text) ? undefined : "must be a CSS colour";
  if (name === "launcher" || name === "container")
    return isValid("selector", text) ? undefined : "must be one valid selector";
  if (name === "fallback")
    return /^(https?|mailto|tel):./.test(text) ? undefined : "must begin with mailto:, tel: or https://";
  if (NAMES.includes(name) || INTERNAL.test(name)) return undefined;
  // Other tools add attributes of their own to the tag, so only a name that looks like a setting's is a fault.
  const meant = NAMES.find((known) => isAlike(name, known));
  return meant && `is not a setting; ${meant} is`;
}

/** Whether two names differ by case and by at most one letter, or two that are swapped. */
function isAlike(name: string, known: string): boolean {
  return Array.from(known, (_, at) => `${known.slice(0, at)}.{1,3}${known.slice(at + 2)}`).some((pattern) =>
    new RegExp(`^${pattern}$`, "i").test(name),
  );
}
