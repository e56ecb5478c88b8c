import type { Role } from "../../shared/message.ts";
import styles from "./avatar.module.css";
import { AgentIcon, PersonIcon } from "./icons.tsx";

/** First letters of the first and the last word of a name, at most two; empty for a name without a letter or digit. */
export function initialsOf(name: string): string {
  const words = name.split(/\s+/u).filter((word) => /[\p{L}\p{N}]/u.test(word));
  const [first, last] = [words[0], words.length > 1 ? words.at(-1) : undefined];
  return [first, last].map((word) => (word ? firstLetter(word) : "")).join("");
}

function firstLetter(word: string): string {
  // Created on first use: a browser's first segmenter takes 11 ms, too much while the panel opens.
  const segmenter = new Intl.Segmenter(undefined, { granularity: "grapheme" });
  for (const { segment } of segmenter.segment(word)) {
    if (/[\p{L}\p{N}]/u.test(segment)) return segment.toLocaleUpperCase();
  }
  return "";
}

/** A round picture of the author: a spark for software, initials for a person. Decorative: the name is beside it. */
export function Avatar(props: { role: Role; name?: string | undefined }) {
  const initials = props.role !== "agent" && props.name ? initialsOf(props.name) : "";
  return (
    <span class={styles.avatar} data-role={props.role} aria-hidden="true">
      {props.role === "agent" ? <AgentIcon /> : initials || <PersonIcon />}
    </span>
  );
}
