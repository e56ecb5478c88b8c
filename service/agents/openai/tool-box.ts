import { jsonOf } from "../../../shared/json.ts";
import type { ActingTool, Tool } from "../tool.ts";
import type { ModelTool, ToolCall } from "./model-event.ts";
import { sourceText } from "./prompt.ts";
import type { Sources } from "./sources.ts";

const MAX_CALLS = 8;
const MAX_RESULT = 16_000;

/** The result of one call: a text for the model, and the action if somebody has to decide about it. */
export interface ToolOutcome {
  readonly text: string;
  readonly action?: { readonly tool: string; readonly input: unknown };
  /** Who decides about the action. */
  readonly confirm?: ActingTool["confirm"];
}

export interface ToolBox {
  readonly offered: readonly ModelTool[];
  /** Never throws but for the signal: a model can go on from a failed call. */
  use(call: ToolCall, signal: AbortSignal): Promise<ToolOutcome>;
}

/** The tools of one question under names that every server takes. The result of a reading one becomes a source. */
export function createToolBox(tools: readonly Tool[], sources: Sources): ToolBox {
  const named = new Map(tools.map((tool, at) => [safeName(tool.name, at, tools), tool]));
  let calls = 0;
  return {
    offered: [...named].map(([name, { description, inputSchema }]) => ({ name, description, inputSchema })),
    async use({ name, input }, signal) {
      const tool = named.get(name);
      const value = jsonOf(input);
      calls += 1;
      if (!tool) return { text: "There is no such tool." };
      if (typeof value !== "object" || value === null) return { text: "The input is not valid JSON." };
      if (calls > MAX_CALLS) return { text: "No more calls: answer with what you have." };
      if (tool.effect === "acts") {
        if (!tool.accepts(value)) return { text: "The input does not match the tool's schema." };
        return {
          text: `The ${tool.confirm === "customer" ? "customer" : "team"} is asked to confirm it. Nothing has been done.`,
          action: { tool: tool.name, input: value },
          confirm: tool.confirm,
        };
      }
      try {
        const text = textOf(await tool.run(value, signal));
        const source = { id: `tool-${calls}`, title: tool.title ?? tool.name, text, isPublic: false };
        return { text: sourceText(sources.add(source), source) };
      } catch {
        signal.throwIfAborted();
        // The tool itself logs why: its message may hold what no customer should read.
        return { text: "The tool failed." };
      }
    },
  };
}

function textOf(result: unknown): string {
  const text = typeof result === "string" ? result : (JSON.stringify(result) ?? "");
  return text.slice(0, MAX_RESULT).toWellFormed();
}

/** Servers take 64 letters, digits, `_` and `-`; a number distinguishes two names that would become the same. */
function safeName(name: string, at: number, tools: readonly Tool[]): string {
  const safe = (text: string) => text.replace(/[^A-Za-z0-9_-]/g, "_").slice(0, 60);
  const isTaken = tools.slice(0, at).some((other) => safe(other.name) === safe(name));
  return isTaken ? `${safe(name)}_${at}` : safe(name);
}
