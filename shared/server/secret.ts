import { createHash, timingSafeEqual } from "node:crypto";

const REDACTED = "[secret]";

/**
 * A value that prints, logs, inspects and serializes as `[secret]`. In the BFF only
 * `upstream/credential.ts` and `store/store-address.ts` may call `reveal`; a test holds that.
 */
export class Secret {
  readonly #value: string;

  constructor(value: string) {
    this.#value = value;
  }

  reveal(): string {
    return this.#value;
  }

  /** Compares in a time that does not depend on the value. */
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
