import { usePanel } from "./panel-context.ts";
import styles from "./suggestions.module.css";

const MAX_SUGGESTIONS = 4;
const MAX_LENGTH = 120;

/** Reads the owner's questions, as a JSON list or one per line: at most four, each of at most 120 characters. */
export function suggestionsOf(setting = ""): string[] {
  const all = listOf(setting).map((line) => Array.from(line.trim()).slice(0, MAX_LENGTH).join(""));
  return all.filter(Boolean).slice(0, MAX_SUGGESTIONS);
}

function listOf(setting: string): readonly string[] {
  try {
    // Most owners set nothing, and a thrown error would slow down the opening panel.
    const list: unknown = JSON.parse(setting || "0");
    if (Array.isArray(list)) return list.map(String);
  } catch {
    // Not JSON: an attribute of the tag, one question per line.
  }
  return setting.split("\n");
}

/** Suggested questions, each sent with one press. */
export function Suggestions({ setting }: { setting: string | undefined }) {
  const { chat, texts, focusComposer } = usePanel();
  const choose = (text: string) => {
    chat.outbox.send(text);
    focusComposer();
  };
  const all = suggestionsOf(setting);
  if (all.length === 0) return null;
  return (
    <ul class={styles.suggestions} aria-label={texts.suggestions}>
      {all.map((text) => (
        <li key={text}>
          <button type="button" onClick={() => choose(text)}>
            <bdi>{text}</bdi>
          </button>
        </li>
      ))}
    </ul>
  );
}
