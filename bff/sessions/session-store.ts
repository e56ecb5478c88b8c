import type { Route } from "../../shared/route.ts";
import type { Capability } from "../../shared/v1/capabilities.ts";

/** What a session is bound to, as it is kept. */
export interface SessionFacts {
  readonly customer: {
    readonly externalId: string;
    readonly displayName?: string;
    readonly identified: boolean;
  };
  readonly route: Route;
  /** Set where the service has the older, combined selection alone. */
  readonly providerId?: string;
  readonly capabilities: readonly Capability[];
  readonly locale?: string;
  /** Origin and path of the page that it was started on; never a query or fragment (R86). */
  readonly page?: string;
}

/** One row. Times are milliseconds since 1970. */
export interface SessionRecord {
  /** SHA-256 of the bearer token. */
  readonly id: string;
  readonly facts: SessionFacts;
  /** The service's session token, sealed under the bearer token. */
  readonly sealedToken: Uint8Array;
  readonly tokenExpiresAt: number | undefined;
  readonly createdAt: number;
  readonly lastSeenAt: number;
}

/** Which conversation a customer is in. A customer has one at a time; the next starts after its end. */
export interface ConversationPointer {
  readonly conversationId: string | undefined;
  readonly status: "open" | "ended";
  readonly epoch: string | undefined;
  /** Conversations started so far: the next one's number makes its idempotency key. */
  readonly started: number;
  /** Hand-offs confirmed so far, for the same reason. */
  readonly handoffs: number;
}

/**
 * The BFF's only state. Asynchronous, because a shared store follows the embedded one.
 * Every function rejects with Failure `unavailable` or `storage_full` when the store does not work (R10).
 */
export interface SessionStore {
  insert(record: SessionRecord): Promise<void>;
  find(id: string): Promise<SessionRecord | undefined>;
  saveToken(id: string, sealedToken: Uint8Array, tokenExpiresAt: number | undefined): Promise<void>;
  /** Notes when sessions were last seen. */
  touch(seen: ReadonlyMap<string, number>): Promise<void>;
  remove(id: string): Promise<void>;
  /** Removes sessions created or last seen before these times, and pointers that no session leads to any more. */
  purge(before: { createdAt: number; lastSeenAt: number }): Promise<void>;
  findPointer(externalId: string): Promise<ConversationPointer | undefined>;
  savePointer(externalId: string, pointer: ConversationPointer): Promise<void>;
  /** Rejects unless a row can be written (R78). */
  probe(): Promise<void>;
  close(): Promise<void>;
}
