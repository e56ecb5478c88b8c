import type { Texts } from "../app/texts.ts";

const MAX_SUGGESTIONS = 4;
const MAX_LENGTH = 120;

/** The owner's questions, one a line: at most four, each at most 120 characters. */
export function suggestionsOf(lines = ""): string[] {
  const all = lines.split("\n").map((line) => Array.from(line.trim()).slice(0, MAX_LENGTH).join(""));
  return all.filter(Boolean).slice(0, MAX_SUGGESTIONS);
}

/** What a customer may ask with one press. */
export function Suggestions(props: {
  texts: Texts;
  lines: string | undefined;
  onChoose: (text: string) => void;
}) {
  const { texts, lines, onChoose } = props;
  const all = suggestionsOf(lines);
  if (all.length === 0) return null;
  return (
    <ul class="suggestions" aria-label={texts.suggestions}>
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
