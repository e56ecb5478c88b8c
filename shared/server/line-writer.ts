import { writeSync } from "node:fs";
import type { Clock } from "./clock.ts";

/** One write for many lines costs less than one for each. A crash that leaves no time to flush loses what waits. */
const FULL_CHARACTERS = 16 * 1024;
const WAIT_MS = 100;
/** While nobody reads the output, more lines than this are dropped: a log must not exhaust the memory. */
const MAX_CHARACTERS = 4 * 1024 * 1024;

export interface LineWriter {
  /** Writes a line soon. It never throws and, where the output is a pipe, never waits for its reader. */
  readonly write: (line: string) => void;
  /** Writes what waits, as far as the output takes it. */
  readonly flush: () => void;
}

/** Writes lines to an open file, such as standard output. */
export function createLineWriter(fd: number, clock: Pick<Clock, "every">): LineWriter {
  let lines: string[] = [];
  let characters = 0;
  let rest: Uint8Array = new Uint8Array();
  let isFull = false;

  function flush(): void {
    isFull = false;
    if (characters === 0 && rest.length === 0) return;
    const bytes = Buffer.concat([rest, Buffer.from(lines.join(""))]);
    lines = [];
    rest = bytes.subarray(writeSome(fd, bytes));
    characters = rest.length;
    isFull = rest.length > 0;
  }
  clock.every(WAIT_MS, flush);
  return {
    write(line) {
      if (characters > MAX_CHARACTERS) return;
      lines.push(line);
      characters += line.length;
      if (characters >= FULL_CHARACTERS && !isFull) flush();
    },
    flush,
  };
}

/** How many bytes need no further attempt: those that were written, or all of them where nobody can read them. */
function writeSome(fd: number, bytes: Uint8Array): number {
  let written = 0;
  try {
    while (written < bytes.length) written += writeSync(fd, bytes, written);
    return written;
  } catch (error) {
    const isBusy = error instanceof Error && "code" in error && error.code === "EAGAIN";
    return isBusy ? written : bytes.length;
  }
}
