import { readFileSync } from "node:fs";
import { join } from "node:path";

/** A systemd unit as far as `systemctl-main.ts` and the tests read it. */
export interface Unit {
  /** The values of a setting, in their order. */
  all(name: string): readonly string[];
  /** The last value of a setting, which is the one that counts. */
  one(name: string): string | undefined;
}

/** Reads a unit file. `instance` replaces `%i`. */
export function parseUnit(text: string, instance = ""): Unit {
  const settings = text.split("\n").flatMap((line) => {
    const [, name, value] = /^(\w+)=(.*)$/.exec(line) ?? [];
    return name === undefined || value === undefined
      ? []
      : [{ name, value: value.replaceAll("%i", instance) }];
  });
  const all = (name: string) => settings.filter((setting) => setting.name === name).map(({ value }) => value);
  return { all, one: (name) => all(name).at(-1) };
}

/** Reads the variables of `Environment=` lines or of an environment file. */
export function parseVariables(text: string): Record<string, string> {
  return Object.fromEntries(
    text.split("\n").flatMap((line) => {
      const [, name, value] = /^([A-Z][A-Z0-9_]*)=(.*)$/.exec(line.trim()) ?? [];
      return name === undefined || value === undefined ? [] : [[name, value] as const];
    }),
  );
}

/** The variables that the program of a unit gets, with those of its environment file. */
export function unitVariables(folder: string, unit: string, file: string): Record<string, string> {
  const read = (name: string) => readFileSync(join(folder, name), "utf8");
  const environment = parseUnit(read(unit), "3101").all("Environment").join(" ").replaceAll(" ", "\n");
  return { ...parseVariables(environment), ...parseVariables(read(file)) };
}
