import type { Clock } from "./clock.ts";

/** Writes log entries: ids, codes, route templates and numbers, never texts, tokens, queries or e-mail addresses. */
export interface Log {
  debug(fields: object, message: string): void;
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
  error(fields: object, message: string): void;
}

/** The number of each level in an entry; `silent` writes nothing. */
const NUMBERS = { debug: 20, info: 30, warn: 40, error: 50, silent: Number.POSITIVE_INFINITY };
export type LogLevel = keyof typeof NUMBERS;
export const LOG_LEVELS = Object.keys(NUMBERS) as LogLevel[];

/** A log of the entries of `least` and above, each one line of JSON. Fields that are undefined are left out. */
export function createLog(
  least: LogLevel,
  { clock, write }: { readonly clock: Pick<Clock, "now">; readonly write: (line: string) => void },
): Log {
  const at = (name: LogLevel) => {
    const level = NUMBERS[name];
    if (level < NUMBERS[least]) return () => undefined;
    return (fields: object, msg: string) => {
      const time = new Date(clock.now()).toISOString();
      write(`${JSON.stringify({ level, time, ...fields, msg })}\n`);
    };
  };
  return { debug: at("debug"), info: at("info"), warn: at("warn"), error: at("error") };
}

/** Adds to each entry what `more` returns at that moment. */
export function logWith(log: Log, more: () => object): Log {
  const at = (level: keyof Log) => (fields: object, message: string) =>
    log[level]({ ...more(), ...fields }, message);
  return { debug: at("debug"), info: at("info"), warn: at("warn"), error: at("error") };
}

const nothing = () => undefined;

/** Writes nothing. */
export const SILENT_LOG: Log = { debug: nothing, info: nothing, warn: nothing, error: nothing };

/** Deep enough to reach our own code below library frames. */
const MAX_FRAMES = 8;

/**
 * Returns what a log may contain of an unknown error: its name, code, status and stack frames. The message is left out,
 * because a parser or a database may quote in it what a customer wrote.
 */
export function errorFacts(error: unknown): Record<string, unknown> {
  if (!(error instanceof Error)) return { error: typeof error };
  const code = "code" in error && typeof error.code === "string" ? error.code : undefined;
  // The stack begins with the message, whose lines may look like frames.
  const frames = (error.stack ?? "").replace(error.message, "");
  const at = frames.split("\n").filter((line) => /^\s+at /.test(line));
  return {
    error: error.name,
    ...(code === undefined ? {} : { code }),
    ...("status" in error && typeof error.status === "number" ? { status: error.status } : {}),
    at: at.slice(0, MAX_FRAMES).map((line) => line.trim()),
  };
}
