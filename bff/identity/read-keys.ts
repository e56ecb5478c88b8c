import type { EnvironmentReader } from "../../shared/server/environment.ts";
import { parseUrl } from "../../shared/server/origin.ts";
import type { KeySource } from "./key-ring.ts";
import { parseKeySet } from "./key-set.ts";

const EXAMPLE = "IDENTITY_KEYS=./data/identity/keys.json";

/** Reads `IDENTITY_KEYS` (a key set, the path of one, or an https address), its `_FILE`, and `IDENTITY_POLICY`. */
export function readIdentity(reader: EnvironmentReader) {
  const policy = reader.word("IDENTITY_POLICY", ["optional", "required"], "optional");
  const given = reader.textOrFile("IDENTITY_KEYS", EXAMPLE);
  const refuse = (fault: string) => reader.refuse({ name: "IDENTITY_KEYS", fault, example: EXAMPLE });
  if (given !== undefined) return { keys: readSource(given, reader, refuse), policy };
  if (policy === "required") refuse("is missing: with IDENTITY_POLICY=required nobody could ever chat.");
  return { keys: undefined, policy };
}

function readSource(
  given: string,
  reader: EnvironmentReader,
  refuse: (fault: string) => void,
): KeySource | undefined {
  if (/^https?:/i.test(given)) return readAddress(given, refuse);
  // The path is not quoted: it may be a key that was pasted wrongly.
  const text = given.startsWith("{") ? given : reader.file(given, (fault) => refuse(`${fault}.`));
  if (text === undefined) return undefined;
  const { keys, faults } = parseKeySet(text);
  for (const fault of faults) refuse(fault);
  return { kind: "given", keys };
}

function readAddress(text: string, refuse: (fault: string) => void): KeySource | undefined {
  const url = parseUrl(text);
  if (url?.protocol === "https:" && !url.username && !url.password && !url.hash) {
    return { kind: "address", url: url.href };
  }
  refuse("must be an https address without user, password and fragment, a path or a key set.");
  return undefined;
}
