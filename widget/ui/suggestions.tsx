import type { Texts } from "../app/texts.ts";
import styles from "./suggestions.module.css";

const MAX_SUGGESTIONS = 4;
const MAX_LENGTH = 120;

/** The owner's questions, a list as JSON or one a line: at most four, each at most 120 characters. */
export function suggestionsOf(setting = ""): string[] {
  const all = listOf(setting).map((line) => Array.from(line.trim()).slice(0, MAX_LENGTH).join(""));
  return all.filter(Boolean).slice(0, MAX_SUGGESTIONS);
}

function listOf(setting: string): readonly string[] {
  try {
    // An error costs the opening panel more than all the rest of this: most owners set nothing.
    const list: unknown = JSON.parse(setting || "0");
    if (Array.isArray(list)) return list.map(String);
  } catch {
    // No JSON: an attribute of the tag, written by hand.
  }
  return setting.split("\n");
}

/** What a customer may ask with one press. */
export function Suggestions(props: {
  texts: Texts;
  setting: string | undefined;
  onChoose: (text: string) => void;
}) {
  const { texts, setting, onChoose } = props;
  const all = suggestionsOf(setting);
  if (all.length === 0) return null;
  return (
    <ul class={styles.suggestions} aria-label={texts.suggestions}>
      {all.map((text) => (
        <li key={text}>
          <button type="button" onClick={() => onChoose(text)}>
            <bdi>{text}</bdi>
          </button>
        </li>
      ))}
    </ul>
  );
}
