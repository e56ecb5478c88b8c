import type { Handoff, Wait } from "../../shared/handoff.ts";
import type { DeskTarget } from "./desk.ts";
import type { Idempotency } from "./idempotency.ts";
import type { Owner } from "./owner.ts";

export interface HandoffRequest {
  readonly conversationId: string;
  readonly reason: string | undefined;
  readonly currentIntent: string | undefined;
  readonly transcript: string | undefined;
}

/** A conversation that is at an adapter's target, under the target's own `ref`. */
export interface OpenTarget extends DeskTarget {
  readonly adapter: string;
  readonly ref: string;
}

/** What is known about the wait of one conversation of a queue. */
export interface QueuedWait {
  readonly conversationId: string;
  readonly wait: Wait;
}

export interface HandoffStore {
  /**
   * Reads what a request depends on: the adapter of the route, an open handoff, and that of a repeated key.
   *
   * @throws Failure `not_found`, `conversation_ended`
   */
  check(
    owner: Owner,
    conversationId: string,
    idempotency: Idempotency | undefined,
  ): Promise<{ adapter: string | undefined; open: Handoff | undefined; replay: Handoff | undefined }>;
  /**
   * Commits immediately. Returns an open handoff, or that of a repeated key, with `created: false`: the caller's own
   * target was not stored. @throws Failure as `check`, `key_reused`, `in_flight`
   */
  request(
    owner: Owner,
    /** Without an adapter nothing was prepared, so only an open handoff can be returned. */
    request: HandoffRequest & { adapter: string | undefined; target?: string | undefined },
    idempotency: Idempotency | undefined,
  ): Promise<{ handoff: Handoff; created: boolean }>;
  /**
   * Ends at most 100 requests that nobody has taken, in conversations without an entry since `before` that are not in
   * `followed`. Their customers read that nobody was available. Returns how many.
   */
  expire(before: number, followed: ReadonlySet<string>): Promise<number>;
  /** Ends the request in the same way if nobody has taken it yet; false if somebody has, or there is none. */
  decline(target: DeskTarget): Promise<boolean>;
  /** The place and the usual time of a wait for a person; undefined unless this conversation waits for one. */
  readWait(owner: Owner, conversationId: string): Promise<Wait | undefined>;
  /** The same for the front of a workspace's queue: the conversations whose places are counted. */
  listWaits(workspaceId: string): Promise<readonly QueuedWait[]>;
  /** The conversation that an adapter's target has or had. `isOpen`: it has it now. */
  findByTarget(
    adapter: string,
    ref: string,
  ): Promise<(DeskTarget & { readonly isOpen: boolean }) | undefined>;
  /** The conversations that an adapter's targets have now. */
  listOpenTargets(adapter: string): Promise<OpenTarget[]>;
}
