/** Longest line that is waited for, in characters: more is no event of ours. */
const MAX_LINE = 1_000_000;

/**
 * Reads Server-Sent Events out of text that comes in any pieces (WHATWG HTML, 9.2.6), as far as this frame needs them: the
 * id and the data of each. An event that was cut off is none. `eventsource-parser` does the same and more in three times
 * the bytes.
 *
 * @throws Error when a line does not end
 */
export function createEventReader(onEvent: (data: string, id: string | undefined) => void) {
  let rest = "";
  let data: string[] = [];
  let id: string | undefined;
  return (text: string) => {
    // A carriage return at the end may be the first half of a line end.
    const lines = (rest + text).split(/\r\n|\n|\r(?!$)/);
    rest = lines.pop() ?? "";
    if (rest.length > MAX_LINE) throw new Error("a line without an end");
    for (const line of lines) {
      const [, name, value = ""] = /^(\w+)(?:: ?(.*))?$/s.exec(line) ?? [];
      if (name === "data") data.push(value);
      else if (name === "id" && !value.includes("\0")) id = value;
      else if (line === "") {
        if (data.length > 0) onEvent(data.join("\n"), id);
        data = [];
        id = undefined;
      }
    }
  };
}
