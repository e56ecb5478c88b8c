import type { MadePassage } from "../../../shared/answer-made.ts";
import { defined } from "../../../shared/defined.ts";
import type { Passage } from "./passages.ts";

const MAX_HEADING = 300;
/** Longer than any address of a file that a person would look for. */
const MAX_FILE = 1000;

/** A found passage as the desk shows it: where its owner changes it, and how likely it is that it answers. */
export function madePassage(
  { article: { title, file, url }, heading, probability }: Passage,
  use: MadePassage["use"],
): MadePassage {
  const isShort = file !== undefined && file.length <= MAX_FILE;
  return {
    title,
    heading: heading.slice(0, MAX_HEADING).toWellFormed(),
    ...defined({ file: isShort ? file : undefined, url }),
    probability: Math.round(probability * 1000) / 1000,
    use,
  };
}
