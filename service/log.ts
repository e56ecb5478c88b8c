/**
 * What the service says to its operator. pino's loggers have this form.
 * Fields are ids, codes, counts and durations: never a message's text, a token, an e-mail address.
 */
export interface Log {
  debug(fields: Record<string, unknown>, message: string): void;
  info(fields: Record<string, unknown>, message: string): void;
  warn(fields: Record<string, unknown>, message: string): void;
  error(fields: Record<string, unknown>, message: string): void;
}

/**
 * What of an unknown error may stand in a log: its name, its code and where it was thrown.
 * Not its message: a parser's or a database's message may quote what a customer wrote.
 */
export function errorFacts(error: unknown): Record<string, unknown> {
  if (!(error instanceof Error)) return { error: typeof error };
  const code = "code" in error && typeof error.code === "string" ? error.code : undefined;
  const at = (error.stack ?? "").split("\n").filter((line) => /^\s+at /.test(line));
  return {
    error: error.name,
    ...(code === undefined ? {} : { code }),
    at: at.slice(0, 6).map((line) => line.trim()),
  };
}
