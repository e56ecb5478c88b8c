/** What all tools of an agent have in common. */
interface ToolFacts {
  /** Unique among the tools of one question. */
  readonly name: string;
  /** The name that customers read when an answer names the tool as its source. Default: `name`. */
  readonly title?: string;
  /** Tells the agent what the tool is for. */
  readonly description: string;
  /** JSON Schema of the input. */
  readonly inputSchema: Readonly<Record<string, unknown>>;
}

/** Has no side effects, so the agent may run it while it answers. */
export interface ReadingTool extends ToolFacts {
  readonly effect: "reads";
  /** @throws Error when it fails; its message is logged and never shown to a customer */
  run(input: unknown, signal: AbortSignal): Promise<unknown>;
}

/**
 * Has side effects. An agent can't run it, because it has no `run`: it can only request it with the event
 * `action.requested`, and the tool runs after `confirm` has agreed.
 */
export interface ActingTool extends ToolFacts {
  readonly effect: "acts";
  /** The one who has to agree: the customer in the panel, or a person of the team. */
  readonly confirm: "customer" | "person";
  /** Whether this input gets a card. Without one nobody can agree to it. */
  readonly accepts: (input: unknown) => boolean;
}

export type Tool = ReadingTool | ActingTool;
