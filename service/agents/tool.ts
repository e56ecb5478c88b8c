/** What every tool has that an agent may use. */
interface ToolFacts {
  /** Unique among the tools of one question. */
  readonly name: string;
  /** For the agent: what it is good for. */
  readonly description: string;
  /** JSON Schema of the input. */
  readonly inputSchema: Readonly<Record<string, unknown>>;
}

/** Changes nothing outside, so the agent may run it while it answers. */
export interface ReadingTool extends ToolFacts {
  readonly effect: "reads";
  /** @throws Error when it fails; its text is for the log and never for a customer */
  run(input: unknown, signal: AbortSignal): Promise<unknown>;
}

/**
 * Changes something outside. An agent can't run it: it has no `run`. It can only ask, by the event `action.requested`,
 * and the tool runs after `confirm` has agreed.
 */
export interface ActingTool extends ToolFacts {
  readonly effect: "acts";
  /** Who has to agree: the customer in the panel, or a person of the team. */
  readonly confirm: "customer" | "person";
}

export type Tool = ReadingTool | ActingTool;
