/** The service can't start, or a command can't be carried out; `message` is for the operator, one sentence a line. */
export class StartError extends Error {
  override readonly name: string = "StartError";
}
