/** Lets a command do its work to the end although the reader of its output, such as `head`, ended first. */
export function outliveReader(): void {
  process.stdout.on("error", (error: NodeJS.ErrnoException) => {
    if (error.code !== "EPIPE") throw error;
  });
}
