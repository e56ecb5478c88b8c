import type { FaultList } from "./fault.ts";
import { JsonTextError, readJsonText } from "./json-text.ts";
import { dotted } from "./schema-fault.ts";
import { quote } from "./wording.ts";

/** Longest configuration text, in UTF-16 units. */
const MAX_TEXT = 1_000_000;

/** A file's text, or nothing and a fault. `otherwise` says what else the variable may hold. */
export function readConfigFile(options: {
  path: string;
  readFile: (path: string) => string;
  otherwise: string;
  list: FaultList;
}): string | undefined {
  const { path, readFile, otherwise, list } = options;
  try {
    // Editors on Windows begin a file with a byte order mark.
    return readFile(path).replace(/^\uFEFF/, "");
  } catch (error) {
    const code = error instanceof Error && "code" in error ? ` (${String(error.code)})` : "";
    list.refuse(`is neither ${otherwise} nor a file that can be read${code}: ${quote(path)}.`);
    return undefined;
  }
}

/**
 * The JSON value, or nothing and a fault. Keys that stand there twice and the like are refused too; where the outermost
 * value is a list, the fault names the entry as its rule.
 */
export function readConfigJson(text: string, list: FaultList): unknown {
  if (text.length > MAX_TEXT) {
    list.refuse(`is longer than ${MAX_TEXT} characters.`);
    return undefined;
  }
  try {
    const { value, faults } = readJsonText(text);
    for (const { path, key, fault } of faults) {
      const [index] = path;
      const inside = dotted(path);
      const name = dotted(key === undefined ? path : [...path, key]);
      list.refuse(`${inside === "" ? "" : `${quote(inside)} `}${fault}.`, {
        ...(typeof index === "number" ? { rule: index + 1 } : {}),
        ...(name === "" ? {} : { key: name }),
      });
    }
    return value;
  } catch (error) {
    if (!(error instanceof JsonTextError)) throw error;
    list.refuse(`is not valid JSON: ${error.message}.`);
    return undefined;
  }
}
