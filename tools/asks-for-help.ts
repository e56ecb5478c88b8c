/** Whether the arguments of a command ask for its usage: `help`, `--help` or `-h`. */
export function asksForHelp(args: readonly string[]): boolean {
  return args[0] === "help" || args.includes("--help") || args.includes("-h");
}
