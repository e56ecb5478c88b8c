import type { Message } from "../../shared/message.ts";
import type { RawRequest } from "../http/raw-request.ts";

/** A request for a person, as the target receives it. */
export interface HandoffTask {
  readonly workspaceId: string;
  readonly conversationId: string;
  readonly customerExternalId: string;
  readonly reason: string | undefined;
  readonly currentIntent: string | undefined;
  readonly transcript: string | undefined;
}

/** A target that is ready but has not confirmed anything yet. */
export interface PreparedTarget {
  /** The target's own id of the conversation, by which `inbound`, `send`, `readBack` and `close` find it again. */
  readonly ref: string;
  /**
   * Hands the conversation over. Resolves once the target verifiably has it; only then does the customer read that a
   * person was asked. @throws Error when it failed, or when the outcome is unknown
   */
  commit(signal: AbortSignal): Promise<void>;
  /** Undoes what was prepared, and also what was committed. */
  discard(): Promise<void>;
}

/** An action of a person at the target. */
export type PersonAct = {
  /** The name that customers read. */
  readonly person: { readonly name: string };
} & (
  | { readonly type: "joined" | "returned" | "resolved" }
  /** `id` is the target's own, so that a repeated message changes nothing. */
  | { readonly type: "message"; readonly id: string; readonly body: string }
);

/** The same, with the `ref` of `PreparedTarget` that identifies the conversation. */
export type InboundEvent = PersonAct & { readonly ref: string };

/** The content of a call from the target. */
export interface Inbound {
  readonly events: readonly InboundEvent[];
  /** The JSON body of the response, for a target that expects one. */
  readonly answer?: Readonly<Record<string, unknown>>;
}

/** Sends the customer's messages, and the summary that they sent, to a target that does not read the service's own log. */
export interface Outbound {
  /** Resolves once the target verifiably has the message. After any failure the outcome is unknown. */
  send(ref: string, message: Message, signal: AbortSignal): Promise<void>;
  /** The ids of our messages that the target has. Called after a failure; only missing messages are sent again. */
  readBack(ref: string, signal: AbortSignal): Promise<ReadonlySet<string>>;
  /** Called when the conversation has ended or the agent has it back. */
  close(ref: string, signal: AbortSignal): Promise<void>;
}

/** A way to people: the built-in desk, or a tool that a team already has. */
export interface HandoffAdapter {
  /** The `humanHandoffAdapter` of routes. */
  readonly id: string;
  /**
   * Gets the target ready before anything is confirmed. Throws when it can't: the agent then keeps the conversation.
   */
  prepare(task: HandoffTask, signal: AbortSignal): Promise<PreparedTarget>;
  /** Absent where people read and answer in the service itself. */
  readonly outbound?: Outbound;
  /**
   * Parses a call of the target at `POST /hooks/handoff/ID`, and changes nothing.
   * @throws Failure `unauthenticated` when the call does not prove its sender, `bad_request` when it can't be read
   */
  readonly inbound?: (request: RawRequest) => Promise<Inbound>;
}
