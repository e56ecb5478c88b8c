import type { Message } from "../../shared/message.ts";
import type { RawRequest } from "../http/raw-request.ts";

/** A request for a person, as the target gets it. */
export interface HandoffTask {
  readonly workspaceId: string;
  readonly conversationId: string;
  readonly customerExternalId: string;
  readonly reason: string | undefined;
  readonly currentIntent: string | undefined;
  readonly transcript: string | undefined;
}

/** A target that is ready and has promised nothing yet. */
export interface PreparedTarget {
  /** The target's own id of the conversation, by which `inbound`, `send`, `readBack` and `close` find it again. */
  readonly ref: string;
  /**
   * Hands the conversation over. Resolves once the target verifiably has it: only then the customer reads that a person
   * was asked. @throws Error when it did not, or nobody knows
   */
  commit(signal: AbortSignal): Promise<void>;
  /** Undoes what was prepared, and what was committed if it was. */
  discard(): Promise<void>;
}

/** What a person did at the target. */
export type PersonAct = {
  /** The name that customers read. */
  readonly person: { readonly name: string };
} & (
  | { readonly type: "joined" | "returned" | "resolved" }
  /** `id` is the target's own: the same message again changes nothing. */
  | { readonly type: "message"; readonly id: string; readonly body: string }
);

/** The same, with the `ref` of `PreparedTarget` that says in which conversation. */
export type InboundEvent = PersonAct & { readonly ref: string };

/** What a call of the target meant. */
export interface Inbound {
  readonly events: readonly InboundEvent[];
  /** The JSON body of the answer, for a target that expects one. */
  readonly answer?: Readonly<Record<string, unknown>>;
}

/** How the customer's messages reach a target that does not read the service's own log. */
export interface Outbound {
  /** Resolves once the target verifiably has the message. Any failure means that nobody knows. */
  send(ref: string, message: Message, signal: AbortSignal): Promise<void>;
  /** The ids of our messages that the target has. Asked after a failure: what is missing is sent again, nothing else. */
  readBack(ref: string, signal: AbortSignal): Promise<ReadonlySet<string>>;
  /** The conversation has ended, or the agent has it back. */
  close(ref: string, signal: AbortSignal): Promise<void>;
}

/** A way to people: the built-in desk, or a tool that a team already has. */
export interface HandoffAdapter {
  /** The `humanHandoffAdapter` of routes. */
  readonly id: string;
  /** Gets the target ready before anything is promised. Throws when it can't: the agent then keeps the conversation. */
  prepare(task: HandoffTask, signal: AbortSignal): Promise<PreparedTarget>;
  /** Absent where people read and answer in the service itself. */
  readonly outbound?: Outbound;
  /**
   * Reads a call of the target at `POST /hooks/handoff/ID`, and changes nothing.
   * @throws Failure `unauthenticated` when the call does not prove its sender, `bad_request` when it can't be read
   */
  readonly inbound?: (request: RawRequest) => Promise<Inbound>;
}
