import type { Tool } from "../agents/tool.ts";
import type { ActionOutcome, AllowedAction, NewAction } from "../store/actions.ts";

/** How long an action may take, its connection and a look at the tool included. Afterwards nobody knows what happened. */
export const ACT_MS = 45_000;

/** The tools of all servers. */
export interface Toolbox {
  /** Those that an agent may use for one question, which together bound the calls of that question. */
  forQuestion(): readonly Tool[];
  /**
   * Checks what an agent asks for: the tool is listed as acting, its input matches the tool's schema, and a card can show
   * all of it. Otherwise returns why not, for the log.
   */
  prepare(tool: string, input: unknown): NewAction | { readonly refused: string };
  /** Runs an action that was allowed, once. Never throws. */
  act(action: AllowedAction, signal: AbortSignal): Promise<ActionOutcome>;
  /** Why tools are absent: sentences for an operator. */
  notes(): readonly string[];
  /** Loads the lists of tools, now and periodically. Resolves when each server was tried once. */
  start(): Promise<void>;
  close(): Promise<void>;
}

/** Without any server. */
export const NO_TOOLS: Toolbox = {
  forQuestion: () => [],
  prepare: () => ({ refused: "no tools" }),
  act: async () => ({ status: "failed" }),
  notes: () => [],
  start: async () => undefined,
  close: async () => undefined,
};
