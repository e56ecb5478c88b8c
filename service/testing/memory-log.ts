import type { Log } from "../../shared/server/log.ts";

export interface MemoryLog extends Log {
  /** Everything that was logged, as it would be in a file. */
  text(): string;
}

export function createMemoryLog(): MemoryLog {
  const lines: string[] = [];
  const write = (level: string) => (fields: Record<string, unknown>, message: string) =>
    void lines.push(JSON.stringify({ level, message, ...fields }));
  return {
    debug: write("debug"),
    info: write("info"),
    warn: write("warn"),
    error: write("error"),
    text: () => lines.join("\n"),
  };
}
