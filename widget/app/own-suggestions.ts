const MAX_SUGGESTIONS = 4;
const MAX_LENGTH = 120;

/** Reads the owner's questions, as a JSON list or one per line: at most four, each of at most 120 characters. */
export function suggestionsOf(setting = ""): string[] {
  return listOf(setting)
    .map((line) => Array.from(line).slice(0, MAX_LENGTH).join(""))
    .slice(0, MAX_SUGGESTIONS);
}

/** Whether all of the owner's questions are shown, and none is cut. */
export function areSuggestions(setting: string): boolean {
  return suggestionsOf(setting).join("\n") === listOf(setting).join("\n");
}

function listOf(setting: string): string[] {
  return linesOf(setting)
    .map((line) => line.trim())
    .filter(Boolean);
}

function linesOf(setting: string): readonly string[] {
  try {
    // Most owners set nothing, and a thrown error would slow down the opening panel.
    const list: unknown = JSON.parse(setting || "0");
    if (Array.isArray(list)) return list.map(String);
  } catch {
    // Not JSON: an attribute of the tag, one question per line.
  }
  return setting.split("\n");
}
