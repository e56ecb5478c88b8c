/** A key that makes a repeated request one: same key and body give the first answer again. */
export interface Idempotency {
  readonly key: string;
  readonly bodyHash: string;
}
