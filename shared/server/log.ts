/**
 * Writes log entries; a pino logger has this shape. Fields are ids, codes, route templates and numbers: never message
 * text, tokens, queries or e-mail addresses.
 */
export interface Log {
  debug(fields: object, message: string): void;
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
  error(fields: object, message: string): void;
}

/** Deep enough to reach our own code below library frames. */
const MAX_FRAMES = 8;

/**
 * Returns what a log may hold of an unknown error: its name, its code and its stack frames. The message is left out,
 * because a parser or a database may quote in it what a customer wrote.
 */
export function errorFacts(error: unknown): Record<string, unknown> {
  if (!(error instanceof Error)) return { error: typeof error };
  const code = "code" in error && typeof error.code === "string" ? error.code : undefined;
  const at = (error.stack ?? "").split("\n").filter((line) => /^\s+at /.test(line));
  return {
    error: error.name,
    ...(code === undefined ? {} : { code }),
    at: at.slice(0, MAX_FRAMES).map((line) => line.trim()),
  };
}
