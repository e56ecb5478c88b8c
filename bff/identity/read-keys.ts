import type { EnvironmentReader } from "../../shared/server/environment.ts";
import { parseUrl } from "../../shared/server/origin.ts";
import { parseKeySet } from "./jwk.ts";
import type { KeySource } from "./key-ring.ts";

const EXAMPLE = "IDENTITY_KEYS=./data/identity/keys.json";

/** How customers are known: by which keys, and whether an anonymous chat is offered at all. */
export interface IdentitySettings {
  readonly keys: KeySource | undefined;
  readonly policy: "optional" | "required";
}

/** Reads `IDENTITY_KEYS` (a key set inline, the path of one, or an https address) and `IDENTITY_POLICY`. */
export function readIdentity(
  reader: EnvironmentReader,
  readFile: (path: string) => string,
): IdentitySettings {
  const policy = reader.word("IDENTITY_POLICY", ["optional", "required"], "optional");
  const keys = readKeys(reader, readFile);
  if (policy === "required" && keys === undefined && reader.text("IDENTITY_KEYS") === undefined) {
    reader.refuse({
      name: "IDENTITY_KEYS",
      fault: "is missing: with IDENTITY_POLICY=required nobody could ever chat.",
      example: EXAMPLE,
    });
  }
  return { keys, policy };
}

function readKeys(reader: EnvironmentReader, readFile: (path: string) => string): KeySource | undefined {
  const refuse = (fault: string) => reader.refuse({ name: "IDENTITY_KEYS", fault, example: EXAMPLE });
  const text = reader.text("IDENTITY_KEYS");
  const path = reader.text("IDENTITY_KEYS_FILE");
  if (text !== undefined && path !== undefined) {
    refuse("is set, and IDENTITY_KEYS_FILE too; set one of them.");
    return undefined;
  }
  const given = path ?? text;
  if (given === undefined) return undefined;
  if (path === undefined && /^https?:/i.test(given)) return readAddress(given, refuse);
  const isInline = path === undefined && given.startsWith("{");
  const set = isInline ? given : readText(given, readFile, refuse);
  if (set === undefined) return undefined;
  const parsed = parseKeySet(set, { secrets: true });
  for (const fault of parsed.faults ?? []) refuse(fault);
  return parsed.faults ? undefined : { kind: "given", keys: parsed.keys };
}

function readAddress(text: string, refuse: (fault: string) => void): KeySource | undefined {
  const url = parseUrl(text);
  if (url?.protocol !== "https:") refuse("must be an https address, or no address at all.");
  else if (url.username || url.password || url.hash)
    refuse("must not hold a user, a password or a fragment.");
  else return { kind: "address", url: url.href };
  return undefined;
}

function readText(
  path: string,
  readFile: (path: string) => string,
  refuse: (fault: string) => void,
): string | undefined {
  try {
    return readFile(path);
  } catch (error) {
    const reason = error instanceof Error && "code" in error ? ` (${String(error.code)})` : "";
    refuse(`names a file that can't be read${reason}.`);
    return undefined;
  }
}
