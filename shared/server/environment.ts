import { Secret } from "./secret.ts";

export type Environment = Readonly<Record<string, string | undefined>>;

/** One thing that is wrong: which variable, what about it, and how a right value looks. */
export interface Fault {
  readonly name: string;
  readonly fault: string;
  readonly example: string;
}

/** Thrown by `parseConfig` with every fault at once; its message is what the operator reads. */
export class ConfigError extends Error {
  readonly faults: readonly Fault[];

  constructor(faults: readonly Fault[]) {
    const lines = faults.map(({ name, fault, example }) => `  ${name} ${fault} For example: ${example}`);
    super(`Parley can't start with this configuration:\n${lines.join("\n")}`);
    this.name = "ConfigError";
    this.faults = faults;
  }
}

/** Reads variables and collects what is wrong instead of stopping at the first fault. */
export interface EnvironmentReader {
  /** The trimmed value; an empty one counts as unset. */
  text(name: string): string | undefined;
  /** As `text`, or from the file that `NAME_FILE` names; both at once is a fault. */
  secret(name: string, example: string): Secret | undefined;
  /** A whole number within the bounds; `fallback` where unset or wrong. */
  integer(name: string, bounds: { min: number; max: number; fallback: number }): number;
  /** One of `words`; `fallback` where unset or wrong. */
  word<const W extends string>(name: string, words: readonly W[], fallback: W): W;
  refuse(fault: Fault): void;
  readonly faults: readonly Fault[];
}

/** Makes a reader over `env`; `readFile` gives a file's text and throws when it can't. */
export function createEnvironmentReader(
  env: Environment,
  readFile: (path: string) => string,
): EnvironmentReader {
  const faults: Fault[] = [];
  const refuse = (fault: Fault) => void faults.push(fault);
  const text = (name: string) => env[name]?.trim() || undefined;
  return {
    faults,
    refuse,
    text,
    secret: (name, example) => readSecret({ env, name, example, readFile, refuse }),
    integer: (name, { min, max, fallback }) => {
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
    word: (name, words, fallback) => {
      const value = text(name);
      if (value === undefined) return fallback;
      const known = words.find((word) => word === value);
      if (known === undefined)
        refuse({ name, fault: `must be one of ${words.join(", ")}.`, example: `${name}=${fallback}` });
      return known ?? fallback;
    },
  };
}

function readSecret(options: {
  env: Environment;
  name: string;
  example: string;
  readFile: (path: string) => string;
  refuse: (fault: Fault) => void;
}): Secret | undefined {
  const { env, name, example, readFile, refuse } = options;
  const path = env[`${name}_FILE`]?.trim();
  let value = env[name]?.trim();
  if (path) {
    if (value) {
      refuse({ name, fault: `is set, and ${name}_FILE too; set one of them.`, example });
      return undefined;
    }
    try {
      value = readFile(path).trim();
    } catch (error) {
      const reason = error instanceof Error && "code" in error ? ` (${String(error.code)})` : "";
      refuse({
        name: `${name}_FILE`,
        fault: `names a file that can't be read${reason}.`,
        example: `${name}_FILE=/run/secrets/${name.toLowerCase()}`,
      });
      return undefined;
    }
    if (!value) refuse({ name: `${name}_FILE`, fault: "names an empty file.", example });
  }
  if (!value) return undefined;
  // A header value can't carry anything else, and a pasted line break would forge a second header.
  if (!/^[\x21-\x7e]{1,4096}$/.test(value)) {
    refuse({ name, fault: "must be 1 to 4096 printable ASCII characters without spaces.", example });
    return undefined;
  }
  return new Secret(value);
}
