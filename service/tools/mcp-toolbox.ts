import type { FetchLike } from "@modelcontextprotocol/client";
import type { Clock } from "../../shared/server/clock.ts";
import type { Log } from "../../shared/server/log.ts";
import type { Tool } from "../agents/tool.ts";
import { kindOfTool } from "../guard/tool-kind.ts";
import type { ActionOutcome, AllowedAction, NewAction } from "../store/actions.ts";
import { argumentsOf } from "./action-card.ts";
import { createBoundedFetch } from "./bounded-fetch.ts";
import { connectMcp, type McpConnection } from "./mcp-client.ts";
import type { McpServerEntry } from "./mcp-config.ts";
import { createMcpServer, type McpServer, type OfferedTool, readDefinition } from "./mcp-server.ts";
import { causeOf, outcomeOf, outcomeOfFailure, sparesConnection, textOf } from "./tool-outcome.ts";
import { ACT_MS, type Toolbox } from "./toolbox.ts";

/** A model waits for it, and the customer for the model. */
const READ_MS = 10_000;
const MAX_READS = 8;
/** The part of a result that a model gets, in characters. */
const MAX_RESULT = 16_000;

/** The customer who asked is still there; a person of the team may come later. */
const VALID_MS = { customer: 15 * 60_000, person: 24 * 60 * 60_000 } as const;

/** Clocks and time zones differ by less. */
const DAY_MS = 24 * 60 * 60_000;

interface ActDeps {
  readonly clock: Clock;
  readonly fetch: FetchLike;
  readonly log: Log;
  /** How long the look at an action's tool, and then its call, may take; by default a third of `ACT_MS` each. */
  readonly actMs?: number | undefined;
}

interface Found {
  readonly server: McpServer;
  readonly offered: OfferedTool;
}

/** The tools of the servers that the owner lists. A tool that is not listed does not exist here. */
export function createMcpToolbox(entries: readonly McpServerEntry[], deps: ActDeps): Toolbox {
  const servers = entries.map((entry) => createMcpServer(entry, deps));
  let started: Promise<unknown> | undefined;
  const all = (): readonly Found[] =>
    servers.flatMap((server) => server.offered().map((offered) => ({ server, offered })));
  const find = (name: string) => all().find(({ offered }) => offered.name === name);

  return {
    forQuestion() {
      let reads = 0;
      const allow = () => {
        reads += 1;
        return reads <= MAX_READS;
      };
      return all().map((found) => toolOf(found, allow, deps.log));
    },
    prepare(name, input) {
      const found = find(name);
      if (found?.offered.listed.effect !== "acts") return { refused: "not offered" };
      return prepare(found.offered, input);
    },
    async act(action, signal) {
      const found = find(action.tool);
      // The server is away, or says something else about the tool than when the action was allowed.
      if (found?.offered.definition !== action.definition) return { status: "failed" };
      return act(found, action, signal, deps);
    },
    notes: () => servers.flatMap((server) => server.note() ?? []),
    async start() {
      started ??= Promise.all(servers.map((server) => server.start()));
      await started;
    },
    close: async () => void (await Promise.all(servers.map((server) => server.close()))),
  };
}

function toolOf({ server, offered }: Found, allow: () => boolean, log: Log): Tool {
  const { name, title, description, listed, tool, check } = offered;
  const facts = { name, title, description, inputSchema: tool.inputSchema };
  if (listed.effect === "acts") {
    const accepts = (input: unknown) => !("refused" in prepare(offered, input));
    return { ...facts, effect: "acts", confirm: listed.confirm ?? "customer", accepts };
  }
  return {
    ...facts,
    effect: "reads",
    async run(given, signal) {
      const input = check(given);
      if (!input) return { isError: true, text: "The input does not match the tool's schema." };
      if (!allow()) return { isError: true, text: "No more calls for this question." };
      const connection = server.connection();
      try {
        const { client } = await connection;
        const result = await client.callTool(
          { name: tool.name, arguments: input },
          { timeout: READ_MS, signal, toolDefinition: tool },
        );
        const text = textOf(result, MAX_RESULT);
        return { ...(result.isError ? { isError: true } : {}), text };
      } catch (error) {
        if (!signal.aborted && !sparesConnection(error)) server.drop(connection);
        log.warn({ tool: name, cause: causeOf(error) }, "a tool failed");
        throw new Error("The tool failed.", { cause: error });
      }
    },
  };
}

function prepare(offered: OfferedTool, given: unknown): NewAction | { readonly refused: string } {
  const input = offered.check(given);
  if (!input) return { refused: "another input than the tool's" };
  const shown = argumentsOf(offered.tool.inputSchema, input);
  if (!shown) return { refused: "an input that a card can't show" };
  const confirm = offered.listed.confirm ?? "customer";
  return {
    tool: offered.name,
    definition: offered.definition,
    title: offered.title,
    arguments: shown,
    input,
    confirm,
    validMs: VALID_MS[confirm],
  };
}

/** On a connection of its own, which sends this one call and nothing again. */
async function act(
  { server, offered }: Found,
  { input }: Pick<AllowedAction, "input">,
  signal: AbortSignal,
  deps: ActDeps,
): Promise<ActionOutcome> {
  const { fetch, hasCalled } = createBoundedFetch(deps.fetch, { once: true });
  const { entry } = server;
  const { tool, listed } = offered;
  const { actMs = ACT_MS / 3 } = deps;
  try {
    const open = await connectMcp(entry, { fetch, timeoutMs: ACT_MS / 3, signal });
    try {
      // The last list may be an hour old, and somebody agreed to what it says.
      // A limit for all pages of the list together: after the lease, the card no longer waits for this call.
      const looking = AbortSignal.any([signal, AbortSignal.timeout(actMs)]);
      const definition = await readDefinition(open, { entry, listed }, looking);
      if (definition !== offered.definition) return { status: "failed" };
      const isWhole = watchResults(open.transport);
      const call = { name: tool.name, arguments: input };
      const result = await open.client.callTool(call, { timeout: actMs, signal, toolDefinition: tool });
      const since = new Date(deps.clock.now() - DAY_MS).toISOString().slice(0, 10);
      return outcomeOf(result, isWhole(), { input, kind: kindOfTool(tool.name), since }, listed.done);
    } finally {
      void open.close();
    }
  } catch (error) {
    deps.log.warn({ tool: offered.name, cause: causeOf(error) }, "an action failed");
    return outcomeOfFailure(error, hasCalled());
  }
}

/** Whether each result since then was whole. For revision 2025-11-25 the client library drops `resultType` unread. */
function watchResults(transport: McpConnection["transport"]): () => boolean {
  let isWhole = true;
  const { onmessage } = transport;
  transport.onmessage = (message) => {
    const type = "result" in message ? message.result["resultType"] : undefined;
    if (type !== undefined && type !== "complete") isWhole = false;
    onmessage?.(message);
  };
  return () => isWhole;
}
