/** Makes repeated requests take effect once: the same key and body return the first answer again. */
export interface Idempotency {
  readonly key: string;
  readonly bodyHash: string;
}
