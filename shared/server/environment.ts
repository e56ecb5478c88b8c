import { Secret } from "./secret.ts";
import { StartError } from "./start-error.ts";

export type Environment = Readonly<Record<string, string | undefined>>;
export type ReadFile = (path: string) => string;

/** One problem of the configuration. */
export interface Fault {
  readonly name: string;
  /** A sentence that continues after the variable's name. */
  readonly fault: string;
  /** A valid assignment, such as `PORT=3000`, or the form of one. */
  readonly example: string;
}

/** Thrown when the configuration is not valid. Lists every problem with the variable's name and an example. */
export class ConfigError extends StartError {
  override readonly name = "ConfigError";
  readonly faults: readonly Fault[];
  /** The names of all variables that were read. */
  readonly variables: ReadonlySet<string>;
  /** Sentences about variables that nobody reads: a missing one may only be mistyped. */
  readonly unread: readonly string[];

  constructor(
    faults: readonly Fault[],
    variables: ReadonlySet<string> = new Set(),
    unread: readonly string[] = [],
  ) {
    const lines = faults.map(({ name, fault, example }) => `${name} ${fault} For example: ${example}`);
    super(["Parley can't start with this configuration:", ...lines, ...unread].join("\n  "));
    this.faults = faults;
    this.variables = variables;
    this.unread = unread;
  }
}

/**
 * The result of `parse`, or the faults of the `ConfigError` that it throws; in both cases with the variables that it
 * read.
 */
export function tryParse<T extends { readonly variables: ReadonlySet<string> }>(
  parse: () => T,
): { readonly config?: T } & Pick<ConfigError, "faults" | "variables"> {
  try {
    const config = parse();
    return { config, faults: [], variables: config.variables };
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    return error;
  }
}

/** Reads variables and collects problems instead of stopping at the first one. */
export interface EnvironmentReader {
  /** Returns the trimmed value; an empty one counts as unset. Quotes around it, and a comment after it, are a fault. */
  readonly text: (name: string) => string | undefined;
  /** Like `text`, or the content of the file that `NAME_FILE` names. Setting both is a fault. */
  readonly textOrFile: (name: string, example: string) => string | undefined;
  /** Returns a file's text. One that can't be read, or is no UTF-8, goes to `refuse`, in a sentence without its end. */
  readonly file: (path: string, refuse: (fault: string) => void) => string | undefined;
  /**
   * Returns the items of a list that the variable holds as JSON, or the file that it names. With `isSecret` no fault quotes
   * anything of it.
   */
  items(name: string, refuse: (fault: string) => void, options?: { isSecret: boolean }): readonly unknown[];
  /** Like `textOrFile`, for values that go into a header: printable ASCII without spaces. */
  secret(name: string, example: string): Secret | undefined;
  /** Returns the path of the data folder. One that begins with `~` is refused: only a shell replaces it, and we would create it. */
  dataDir(): string;
  /** Returns a whole number within the bounds, or `fallback` where the variable is unset or invalid. */
  readonly integer: (name: string, bounds: { min: number; max: number; fallback: number }) => number;
  /** Returns the name of a header of its own, in lower case. */
  header(name: string, fallback: string): string;
  /** Returns one of `words`, or `fallback` where the variable is unset or invalid. */
  word<const W extends string>(name: string, words: readonly W[], fallback: W): W;
  /** Returns the listed words in their order, without repetitions; `fallback` where the variable is unset or invalid. */
  list<const W extends string>(name: string, words: readonly W[], fallback: readonly W[]): readonly W[];
  readonly refuse: (fault: Fault) => void;
  readonly faults: readonly Fault[];
  /** The names of all variables that were read. */
  readonly names: ReadonlySet<string>;
}

/** Headers that a connection needs, or that calls use already. */
const TAKEN_HEADERS =
  /^(authorization|accept|content-.*|host|connection|transfer-encoding|idempotency-key|last-event-id|cookie|te|upgrade|expect)$/;

/** @param readFile returns a file's text, and throws when it can't */
export function createEnvironmentReader(env: Environment, readFile: ReadFile): EnvironmentReader {
  const faults: Fault[] = [];
  const refuse = (fault: Fault) => {
    // Two agents may read the same variable.
    if (!faults.some((one) => one.name === fault.name && one.fault === fault.fault)) faults.push(fault);
  };
  const names = new Set<string>();
  const text = (name: string) => {
    names.add(name);
    return bareValue(
      { name, example: `${name}=… without quotes or comment` },
      env[name]?.trim() ?? "",
      refuse,
    );
  };
  const file: EnvironmentReader["file"] = (path, refuseFile) => {
    try {
      // Editors on Windows begin a file with a byte order mark.
      const content = readFile(path).replace(/^\uFEFF/, "");
      if (!/[\0\uFFFD]/.test(content)) return content;
      refuseFile("names a file that is not text in UTF-8");
      return undefined;
    } catch (error) {
      const reason = error instanceof Error && "code" in error ? ` (${String(error.code)})` : "";
      refuseFile(`names a file that can't be read${reason}`);
      return undefined;
    }
  };
  const textOrFile = (name: string, example: string) => readTextOrFile({ text, file, refuse }, name, example);
  return {
    faults,
    names,
    refuse,
    text,
    textOrFile,
    file,
    items(name, refuseItems, { isSecret } = { isSecret: false }) {
      const given = text(name) ?? "[]";
      const refuseFile = (fault: string) =>
        refuseItems(isSecret ? `${fault}.` : `${fault}: ${JSON.stringify(given)}.`);
      const json = /^[[{]/.test(given) ? given : file(given, refuseFile);
      if (json === undefined) return [];
      try {
        const list: unknown = JSON.parse(json);
        if (Array.isArray(list)) return list;
        refuseItems("must be a list as JSON, or the path of a file with one.");
      } catch (error) {
        const reason = error instanceof Error && !isSecret ? `: ${error.message}` : "";
        refuseItems(`is not valid JSON${reason}.`);
      }
      return [];
    },
    secret(name, example) {
      const value = textOrFile(name, example);
      if (value === undefined) return undefined;
      // A header can't carry anything else, and a pasted line break would forge a second header.
      if (/^[\x21-\x7e]{1,4096}$/.test(value)) return new Secret(value);
      refuse({ name, fault: "must be 1 to 4096 printable ASCII characters without spaces.", example });
      return undefined;
    },
    dataDir() {
      const path = text("DATA_DIR") ?? "./data";
      const fault = "begins with ~, which only a shell replaces: write the whole path.";
      if (path.startsWith("~")) refuse({ name: "DATA_DIR", fault, example: "DATA_DIR=./data" });
      return path;
    },
    integer(name, { min, max, fallback }) {
      const value = text(name);
      if (value === undefined) return fallback;
      if (/^\d{1,9}$/.test(value) && Number(value) >= min && Number(value) <= max) return Number(value);
      refuse({
        name,
        fault: `must be a whole number from ${min} to ${max}.`,
        example: `${name}=${fallback}`,
      });
      return fallback;
    },
    header(name, fallback) {
      const header = (text(name) ?? fallback).toLowerCase();
      if (/^[a-z0-9-]{1,64}$/.test(header) && !TAKEN_HEADERS.test(header)) return header;
      refuse({ name, fault: "must be the name of a header of its own.", example: `${name}=${fallback}` });
      return fallback;
    },
    word(name, words, fallback) {
      const value = text(name);
      const known = value === undefined ? fallback : words.find((word) => word === value);
      if (known === undefined)
        refuse({ name, fault: `must be one of ${words.join(", ")}.`, example: `${name}=${fallback}` });
      return known ?? fallback;
    },
    list(name, words, fallback) {
      const value = text(name);
      if (value === undefined) return fallback;
      const asked = [...new Set(value.split(/[\s,]+/).filter(Boolean))];
      const known = asked.flatMap((item) => words.filter((word) => word === item));
      if (known.length === 0 || known.length < asked.length)
        refuse({
          name,
          fault: `must be a list of ${words.join(", ")}.`,
          example: `${name}=${words.join(",")}`,
        });
      // Beside a wrong word the others still count, so that the faults of their variables are reported too.
      return known.length > 0 ? known : fallback;
    },
  };
}

function readTextOrFile(
  from: Pick<EnvironmentReader, "text" | "file" | "refuse">,
  name: string,
  example: string,
): string | undefined {
  const value = from.text(name);
  const path = from.text(`${name}_FILE`);
  if (path === undefined) return value;
  if (value !== undefined) {
    from.refuse({ name, fault: `is set, and ${name}_FILE too; set one of them.`, example });
    return undefined;
  }
  const inFile = { name: `${name}_FILE`, example: `${name}_FILE=/run/secrets/${name.toLowerCase()}` };
  const content = from.file(path, (fault) => from.refuse({ ...inFile, fault: `${fault}.` }))?.trim();
  if (content === "") from.refuse({ ...inFile, fault: "names an empty file." });
  return bareValue(inFile, content ?? "", from.refuse);
}

/**
 * Returns the value without the quotes around it and the comment after it; either is a fault. A shell removes them, but
 * Docker's `--env-file` passes both on, and systemd the comment. JSON may contain what looks like a comment.
 */
function bareValue(
  at: Pick<Fault, "name" | "example">,
  value: string,
  refuse: EnvironmentReader["refuse"],
): string | undefined {
  const bare = value.replace(/^(#\s|([^[{].*?)\s+#).*$/s, "$2").replace(/^(["'])(.*)\1$/s, "$2");
  const fault = "has quotes around its value or a comment after it, and they would be part of the value.";
  if (bare !== value) refuse({ ...at, fault });
  return bare.trim() || undefined;
}
