import type { RawRequest } from "../http/raw-request.ts";

/** A source's report about one customer at one time. */
export interface ProfileChange {
  /** The customer's only key. Without one there is no change: nobody is looked up by e-mail address. */
  readonly externalId: string;
  /**
   * As the source wrote them; later, everything that is not a trait, is not allowed or looks like a secret is left out.
   */
  readonly traits: Readonly<Record<string, unknown>>;
  /** When it happened at the source, in ms: the newest value of a trait wins, in whatever order changes arrive. */
  readonly at: number;
  /** The source's own id of this change. */
  readonly messageId: string;
}

/** A system of the site owner that has customer data. */
export interface ProfileSource {
  /** The last part of its address, `/hooks/profiles/NAME`. */
  readonly name: string;
  /** The traits that it may set; others are left out. */
  readonly traits: readonly string[];
  /** The workspace of its customers; absent where the service has only one. */
  readonly workspace?: string | undefined;
  /**
   * Parses a call of the source, and changes nothing.
   * @throws Failure `unauthenticated` when the call does not prove its sender, `bad_request` when it can't be read
   */
  receive(request: RawRequest): Promise<readonly ProfileChange[]>;
}
