import { createHash, timingSafeEqual } from "node:crypto";

const REDACTED = "[secret]";

/**
 * A value that shows itself to nobody who did not ask for it by name: printed, logged, inspected or put into JSON it is
 * `[secret]`. Only `upstream/credential.ts` and
 * `store/store-address.ts` may call `reveal`; a test reads the tree for it.
 */
export class Secret {
  readonly #value: string;

  constructor(value: string) {
    this.#value = value;
  }

  reveal(): string {
    return this.#value;
  }

  /** Whether `candidate` is this value; how long that takes says nothing about it. */
  equals(candidate: string): boolean {
    const digest = (text: string) => createHash("sha256").update(text).digest();
    return timingSafeEqual(digest(this.#value), digest(candidate));
  }

  toString(): string {
    return REDACTED;
  }

  toJSON(): string {
    return REDACTED;
  }

  [Symbol.for("nodejs.util.inspect.custom")](): string {
    return REDACTED;
  }
}
