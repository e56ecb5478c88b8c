/** A program can't start, or a command can't be carried out. `message` is for the operator, one sentence per line. */
export class StartError extends Error {
  override readonly name: string = "StartError";
}
