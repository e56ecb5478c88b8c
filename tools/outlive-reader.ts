import type { Writable } from "node:stream";

/** Lets a command do its work to the end although the reader of its output, such as `head`, ended first. */
export function outliveReader(output: Writable): void {
  output.on("error", (error: NodeJS.ErrnoException) => {
    if (error.code !== "EPIPE") throw error;
  });
}
