import type { FetchLike, Tool as McpTool } from "@modelcontextprotocol/client";
import type { Clock } from "../../shared/server/clock.ts";
import type { Log } from "../../shared/server/log.ts";
import { sha256 } from "../ids.ts";
import { shownTitle, wordsOf } from "./action-card.ts";
import { createBoundedFetch } from "./bounded-fetch.ts";
import { compileInput, type InputCheck } from "./input-check.ts";
import { connectMcp, type McpConnection } from "./mcp-client.ts";
import type { ListedTool, McpServerEntry } from "./mcp-config.ts";
import { causeOf } from "./tool-outcome.ts";

/** Connecting, and reading one list. */
const LIST_MS = 10_000;
/** The list of a server that says nothing about it, or that was away, is read again after this long. */
const RELOAD_MS = 60_000;
const MOST_RELOAD_MS = 60 * 60_000;
/** The part of a description that a model gets. It is the server's own text. */
const MAX_DESCRIPTION = 2000;
/** Compiling a schema of a megabyte takes seconds in which nobody is answered. */
const MAX_SCHEMA = 20_000;

/** A listed tool that its server offers now. */
export interface OfferedTool {
  /** With the server's name before it, so that two servers can't take each other's names. */
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly listed: ListedTool;
  readonly tool: McpTool;
  readonly check: InputCheck;
  /** A hash of all that the server says about the tool, and of the owner's entry without `done`. */
  readonly definition: string;
}

export interface McpServer {
  readonly entry: McpServerEntry;
  readonly offered: () => readonly OfferedTool[];
  /** Why tools of it are absent: a sentence for an operator. */
  readonly note: () => string | undefined;
  /** The connection for tools that read. @throws when the server is away */
  connection(): Promise<McpConnection>;
  /** The next call connects again, unless another connection has taken the place of this one. */
  drop(connection: Promise<McpConnection>): void;
  start(): Promise<void>;
  close(): Promise<void>;
}

/** One server of tools: its list, read again while it runs. While it is away, its tools are absent. */
export function createMcpServer(
  entry: McpServerEntry,
  deps: { readonly fetch: FetchLike; readonly clock: Clock; readonly log: Log },
): McpServer {
  const { clock, log } = deps;
  const closing = new AbortController();
  let offered: readonly OfferedTool[] = [];
  let note: string | undefined;
  let connecting: Promise<McpConnection> | undefined;
  let stopWaiting: (() => void) | undefined;

  const connection = () => {
    connecting ??= connectMcp(entry, {
      ...createBoundedFetch(deps.fetch, { once: false }),
      timeoutMs: LIST_MS,
      signal: closing.signal,
    }).catch((error: unknown) => {
      connecting = undefined;
      throw error;
    });
    return connecting;
  };
  const drop = (old: Promise<McpConnection> | undefined) => {
    if (old !== connecting) return;
    connecting = undefined;
    // A connection that broke may fail to close.
    void old?.then((open) => open.close()).catch(() => undefined);
  };
  const load = async () => {
    let nextMs = RELOAD_MS;
    const used = connection();
    try {
      const { client } = await used;
      const list = await client.listTools(undefined, {
        cacheMode: "refresh",
        timeout: LIST_MS,
        signal: closing.signal,
      });
      offered = offeredOf(entry, list.tools, log);
      note = missingNote(entry, offered);
      nextMs = Math.min(Math.max(Number(list["ttlMs"]) || RELOAD_MS, RELOAD_MS), MOST_RELOAD_MS);
    } catch (error) {
      const cause = causeOf(error);
      if (!closing.signal.aborted) log.warn({ server: entry.name, cause }, "a server of tools is away");
      offered = [];
      note = `The server ${entry.name} of MCP_SERVERS can't be used, so its tools are absent: ${cause}.`;
      drop(used);
    }
    if (!closing.signal.aborted) stopWaiting = clock.after(nextMs, () => void load());
  };
  return {
    entry,
    offered: () => offered,
    note: () => note,
    connection,
    drop,
    start: load,
    async close() {
      closing.abort();
      stopWaiting?.();
      drop(connecting);
    },
  };
}

function missingNote({ name, tools }: McpServerEntry, offered: readonly OfferedTool[]): string | undefined {
  const missing = tools.filter((tool) => !offered.some(({ listed }) => listed === tool));
  if (missing.length === 0) return undefined;
  const what = `The server ${name} of MCP_SERVERS does not offer these tools, or not in a valid form`;
  return `${what}: ${missing.map((tool) => tool.name).join(", ")}.`;
}

function offeredOf(entry: McpServerEntry, tools: readonly McpTool[], log: Log): readonly OfferedTool[] {
  return entry.tools.flatMap((listed) => {
    const tool = onlyTool(listed, tools);
    const isShort = [tool?.inputSchema, tool?.outputSchema].every(
      (schema) => JSON.stringify(schema ?? {}).length <= MAX_SCHEMA,
    );
    const check = tool && isShort ? compileInput(tool.inputSchema) : undefined;
    if (!tool || !check) {
      log.warn(
        { server: entry.name, tool: listed.name },
        "a tool is not offered by its server as it must be",
      );
      return [];
    }
    const { description = "" } = tool;
    const title = shownTitle(tool.title) ?? wordsOf(listed.name);
    // Two tools with one title can't be told apart on a card.
    const isOnly = tools.filter((other) => shownTitle(other.title) === title).length <= 1;
    return {
      name: `${entry.name}_${listed.name}`,
      title: listed.title ?? (isOnly ? title : wordsOf(listed.name)),
      description: description.slice(0, MAX_DESCRIPTION),
      listed,
      tool,
      check,
      definition: digestOf(entry, listed, tool),
    };
  });
}

/** Reads a listed tool's definition again, as `OfferedTool.definition`. @throws if the server does not answer */
export async function readDefinition(
  { client }: McpConnection,
  { entry, listed }: { readonly entry: McpServerEntry; readonly listed: ListedTool },
  signal: AbortSignal,
): Promise<string | undefined> {
  const { tools } = await client.listTools(undefined, { cacheMode: "refresh", signal });
  const tool = onlyTool(listed, tools);
  return tool && digestOf(entry, listed, tool);
}

function onlyTool({ name }: ListedTool, tools: readonly McpTool[]): McpTool | undefined {
  const named = tools.filter((tool) => tool.name === name);
  return named.length === 1 ? named[0] : undefined;
}

/** `done` only judges the result, so a card stays valid when the owner changes it. */
function digestOf({ url }: McpServerEntry, listed: ListedTool, tool: McpTool): string {
  return sha256(JSON.stringify([url, { ...listed, done: undefined }, tool]));
}
