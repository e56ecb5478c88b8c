/** What a command prints, and its exit code. */
export interface CommandResult {
  /** For standard output; ends with a line feed, or is empty. */
  readonly output: string;
  /** For standard error, likewise. */
  readonly errors: string;
  /** 0: done. 1: not done. 2: not done, because the arguments are wrong; `identity` says 1 for that too. */
  readonly exitCode: 0 | 1 | 2;
}
