import { en } from "./en.ts";
import { enExtras } from "./en-extras.ts";
import { enLater } from "./en-later.ts";

/** All words in English, in the order in which the lists of the other languages are. */
export const english = { ...en, ...enLater, ...enExtras } as const;
