import * as z from "zod/mini";
import { AnswerMade, MadePassage, type MadeTool, MadeUsage } from "../../shared/answer-made.ts";
import { defined } from "../../shared/defined.ts";
import type { AgentEvent } from "../agents/agent.ts";
import type { Tool } from "../agents/tool.ts";

const MAX_PASSAGES = 5;
const MAX_TOOLS = 20;
const MAX_NAME = 200;

const Unquoted = z.pick(AnswerMade, { noQuote: true, folder: true });

/** Notes for the desk what an answer is made of, from what its agent reports and from what its tools return. */
export interface MadeNotes {
  /** Like all output of an agent it is data: what breaks the schema or a limit is left out. */
  take(event: AgentEvent): void;
  /** The tools, whose results are noted. */
  heard(tools: readonly Tool[]): readonly Tool[];
  /** Undefined if nothing was noted. `asked` are the names of the tools that got a card. */
  result(end: { readonly asked: readonly string[]; readonly hasWithheld: boolean }): AnswerMade | undefined;
}

export function createMadeNotes(): MadeNotes {
  const passages: MadePassage[] = [];
  const tools: MadeTool[] = [];
  let unquoted: z.infer<typeof Unquoted> | undefined;
  let usage: MadeUsage | undefined;
  const note = (name: string, status: MadeTool["status"]) => {
    if (tools.length < MAX_TOOLS) tools.push({ name: clipped(name), status });
  };
  return {
    take(event) {
      if (event.type === "passage") {
        const parsed = MadePassage.safeParse(event.passage);
        if (parsed.success && passages.length < MAX_PASSAGES) passages.push(parsed.data);
      } else if (event.type === "no.quote") {
        const parsed = Unquoted.safeParse(defined({ noQuote: event.reason, folder: event.folder }));
        if (parsed.success) unquoted = parsed.data;
      } else if (event.type === "usage") {
        const parsed = MadeUsage.safeParse(event);
        if (parsed.success) usage = parsed.data;
      }
    },
    heard: (given) =>
      given.map((tool) => {
        if (tool.effect === "acts") return tool;
        const run = async (input: unknown, signal: AbortSignal) => {
          try {
            const result = await tool.run(input, signal);
            note(tool.name, isError(result) ? "failed" : "answered");
            return result;
          } catch (error) {
            note(tool.name, "failed");
            throw error;
          }
        };
        return { ...tool, run };
      }),
    result({ asked, hasWithheld }) {
      const cards = asked.map((name) => ({ name: clipped(name), status: "asked" as const }));
      const all = [...tools, ...cards].slice(0, MAX_TOOLS);
      const isEmpty = passages.length + all.length === 0 && !unquoted && !usage && !hasWithheld;
      if (isEmpty) return undefined;
      return {
        passages,
        tools: all,
        ...unquoted,
        ...(usage ? { usage } : {}),
        ...(hasWithheld ? { withheld: true } : {}),
      };
    },
  };
}

const clipped = (name: string) => name.slice(0, MAX_NAME).toWellFormed();

/** A server of tools says so in its answer: the tool ran, and did not do what it was asked. */
function isError(result: unknown): boolean {
  return typeof result === "object" && result !== null && "isError" in result && result.isError === true;
}
