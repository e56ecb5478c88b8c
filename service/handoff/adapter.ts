/** What an adapter is told of a request for a person. */
export interface HandoffTask {
  readonly workspaceId: string;
  readonly conversationId: string;
  readonly customerExternalId: string;
  readonly reason: string | undefined;
  readonly currentIntent: string | undefined;
  readonly transcript: string | undefined;
}

/** A target that stands ready. */
export interface PreparedTarget {
  /** Gives the target back, because the handoff was not committed after all. */
  discard(): Promise<void>;
}

/** A way to people: the built-in desk, or a tool that a team already has. */
export interface HandoffAdapter {
  /** The `humanHandoffAdapter` of routes. */
  readonly id: string;
  /** Gets the target ready, before anything is promised to the customer. Throws when it can't; the agent then keeps the conversation. */
  prepare(task: HandoffTask, signal: AbortSignal): Promise<PreparedTarget>;
}
