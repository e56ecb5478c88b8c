/** A part of a model's answer, the same for every dialect. */
export type ModelEvent =
  /** The model has begun its answer: no other server may give it now. */
  | { readonly type: "begun" }
  | { readonly type: "text"; readonly text: string }
  /** A whole call of a tool. `input` is JSON as the model wrote it, which may be invalid. */
  | { readonly type: "call"; readonly call: ToolCall }
  | { readonly type: "usage"; readonly inputTokens: number; readonly outputTokens: number }
  /** The model's own name for itself. */
  | { readonly type: "model"; readonly name: string };

/** Many times what an answer takes, with thoughts: it bounds what a runaway model costs. */
export const MAX_ANSWER_TOKENS = 4096;

export interface ToolCall {
  readonly id: string;
  readonly name: string;
  readonly input: string;
}

export interface ModelTool {
  readonly name: string;
  readonly description: string;
  readonly inputSchema: Readonly<Record<string, unknown>>;
}

/** One step of what a model is given, oldest first. */
export type Turn =
  | { readonly role: "customer" | "agent"; readonly text: string }
  | { readonly role: "calls"; readonly calls: readonly ToolCall[] }
  | { readonly role: "result"; readonly callId: string; readonly text: string };

export interface ModelRequest {
  readonly instructions: string;
  readonly turns: readonly Turn[];
  readonly tools: readonly ModelTool[];
}

/** Reads the events of one answer. Text is passed on as it comes, calls only once the answer is known to be whole. */
export interface AnswerReader {
  /** @throws ModelFault */
  take(value: unknown, name: string | undefined): ModelEvent[];
  /** Takes the mark `[DONE]`. */
  done(): void;
  /** Whether the protocol's own end has come, so that nothing more can belong to the answer. */
  isOver(): boolean;
  /** The rest of a whole answer. @throws ModelFault when the answer was cut off */
  end(): ModelEvent[];
}

/** One of the two forms in which servers speak. */
export interface Dialect {
  /** Follows the base address. */
  readonly path: string;
  /** Fields that are left out for a server that says it does not know them. */
  readonly dispensable: readonly string[];
  body(request: ModelRequest, model: string): Readonly<Record<string, unknown>>;
  reader(): AnswerReader;
}
