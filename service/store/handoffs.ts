import type { Handoff } from "../../shared/handoff.ts";
import type { DeskTarget } from "./desk.ts";
import type { Idempotency } from "./idempotency.ts";
import type { Owner } from "./owner.ts";

export interface HandoffRequest {
  readonly conversationId: string;
  readonly reason: string | undefined;
  readonly currentIntent: string | undefined;
  readonly transcript: string | undefined;
}

/** A conversation that is with an adapter's target, under the target's own `ref`. */
export interface OpenTarget extends DeskTarget {
  readonly adapter: string;
  readonly ref: string;
}

export interface HandoffStore {
  /** What asking would meet: the adapter of the route, and the handoff that is open already. @throws Failure `not_found`, `conversation_ended` */
  check(
    owner: Owner,
    conversationId: string,
    idempotency: Idempotency | undefined,
  ): Promise<{ adapter: string | undefined; open: Handoff | undefined; replay: Handoff | undefined }>;
  /** Commits at once. A handoff that is open already is given back with `created: false`. @throws Failure as `check`, `key_reused`, `in_flight` */
  request(
    owner: Owner,
    /** Without an adapter nothing was prepared: then only an open handoff can be given back. */
    request: HandoffRequest & { adapter: string | undefined; target?: string | undefined },
    idempotency: Idempotency | undefined,
  ): Promise<{ handoff: Handoff; created: boolean }>;
  /** The conversation that an adapter's target has, whether its hand-off is still open or not. */
  findByTarget(adapter: string, ref: string): Promise<DeskTarget | undefined>;
  /** The conversations that an adapter's targets have now. */
  listOpenTargets(adapter: string): Promise<OpenTarget[]>;
}
