import type { Capability } from "../../shared/capability.ts";
import type { Route } from "../../shared/route.ts";
import type { Traits } from "../../shared/traits.ts";
import type { RouteWish } from "../routing/rule.ts";

/** What a session is bound to, as it is kept. */
export interface SessionFacts {
  readonly customer: {
    readonly externalId: string;
    readonly displayName?: string;
    readonly identified: boolean;
  };
  /** Who answers conversations that start, as the service last selected; a running one has its own. */
  readonly route: Route;
  /** Set where the service has the older, combined selection alone. */
  readonly providerId?: string | undefined;
  /** How that selection was asked for. Without it, it is asked for again. */
  readonly selected?: Selected;
  readonly capabilities: readonly Capability[];
  readonly locale?: string;
  /** Origin and path of the page that it was started on; never a query or fragment. */
  readonly page?: string;
  /** Which key of the site vouched for this customer. When the key is taken away, the session is over. */
  readonly keyId?: string;
  /** What the site signed of the customer, without what looks like a secret. */
  readonly signed?: SignedFacts;
  /** What the page says of its visitor: proved by nobody. */
  readonly pageTraits?: Traits;
}

/** What a selection was asked with, and how long it holds. */
export interface Selected {
  /** When it was asked for, in milliseconds since 1970. */
  readonly at: number;
  readonly ttlSeconds: number;
  readonly wish: RouteWish;
  readonly locale?: string | undefined;
  /** Hash of the service's session token that it was asked with. */
  readonly askedBy: string;
}

/** What an identity token says beside who it is. */
export interface SignedFacts {
  readonly email?: string;
  readonly locale?: string;
  readonly emailVerified: boolean;
  readonly traits: Traits;
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
  /** In whose name the service has the conversation, where that is the anonymous visitor whom the customer was before. */
  readonly owner?: string | undefined;
  /** Conversations that were open when a linked one came in front of them: taken up again after it. */
  readonly aside?: readonly SetAside[] | undefined;
  /** The route that it was started with; it keeps it (CONV1). */
  readonly route?: Route | undefined;
  /** Messages that started a conversation, by `clientMessageId`, with its id: a retry of one starts no other. */
  readonly startedFor?: readonly (readonly [string, string])[] | undefined;
}

/** Where a conversation was when it was set aside. */
export type SetAside = Pick<ConversationPointer, "conversationId" | "epoch" | "handoffs" | "owner" | "route">;

/** A pointer with the customer whose it is. */
export interface PointerOf {
  readonly externalId: string;
  readonly pointer: ConversationPointer;
}

/** What of a session changes. What `change` has as undefined is not kept any more; what it leaves out stays. */
export interface SessionChange extends Pick<SessionRecord, "id" | "createdAt" | "lastSeenAt"> {
  readonly customer: SessionFacts["customer"];
  readonly change: { readonly [Name in keyof SessionFacts]?: SessionFacts[Name] | undefined };
}

/** What is over: whatever began or was last seen before these times, in milliseconds since 1970. */
export interface PurgeBefore {
  readonly anonymous: { readonly createdAt: number; readonly lastSeenAt: number };
  readonly identified: { readonly createdAt: number; readonly lastSeenAt: number };
  /** Pointers of identified customers without a session. */
  readonly pointersTouchedAt: number;
  readonly tokensUntil: number;
}

/**
 * The BFF's state: embedded, or in a store that several BFFs share.
 * Every function rejects with Failure `unavailable` or `storage_full` when the store does not work.
 */
export interface SessionStore {
  insert(record: SessionRecord): Promise<void>;
  find(id: string): Promise<SessionRecord | undefined>;
  saveToken(id: string, sealedToken: Uint8Array, tokenExpiresAt: number | undefined): Promise<void>;
  /** Notes when sessions were last seen. */
  touch(seen: ReadonlyMap<string, number>): Promise<void>;
  /** Changes some of what a session is bound to, and when it began; nothing where it is not there any more. */
  update(change: SessionChange): Promise<void>;
  /**
   * Puts one session in another's place, with the pointer that goes with it, in one step. False, and nothing changed,
   * where the old one is not there any more: of two that take its place at once, one does.
   */
  replace(id: string, record: SessionRecord, link: PointerOf | undefined): Promise<boolean>;
  remove(id: string): Promise<void>;
  /** Which of these sessions are not there. */
  missing(ids: readonly string[]): Promise<readonly string[]>;
  /** Removes sessions that are over, pointers that nobody comes back to, and used tokens that nobody could use again. */
  purge(before: PurgeBefore): Promise<void>;
  findPointer(externalId: string): Promise<ConversationPointer | undefined>;
  /**
   * Writes a pointer in the place of `before`, as `findPointer` gave it (without it: there was none). False, and nothing
   * changed, where another one is there by now.
   */
  savePointer(
    externalId: string,
    pointer: ConversationPointer,
    before?: ConversationPointer,
  ): Promise<boolean>;
  /** Notes one use of a token, atomically across processes; true for the first alone. `until`: forgotten then. */
  useOnce(id: string, until: number): Promise<boolean>;
  /** Rejects unless a row can be written. */
  probe(): Promise<void>;
  close(): Promise<void>;
}
