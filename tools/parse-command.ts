import { type ParseArgsOptionsConfig, parseArgs } from "node:util";
import { StartError } from "../shared/server/start-error.ts";

/** Parses the arguments of a command. @throws StartError with a sentence and the usage */
export function parseCommand<const Options extends ParseArgsOptionsConfig>(
  args: readonly string[],
  options: Options,
  usage: string,
) {
  try {
    return parseArgs({ args: [...args], allowPositionals: true, options });
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : "Not understood.";
    throw new StartError(`${reason}\n${usage}`, { cause });
  }
}
