import {
  Client,
  type ClientOptions,
  type FetchLike,
  StreamableHTTPClientTransport,
  type StreamableHTTPClientTransportOptions,
} from "@modelcontextprotocol/client";
import { boundedValidator } from "./bounded-validator.ts";

const CLOSE_MS = 1000;

/** The address of a server of tools, and the headers of every request to it. */
export interface McpEndpoint {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
}

export interface McpConnection {
  readonly client: Client;
  readonly transport: StreamableHTTPClientTransport;
  readonly close: () => Promise<void>;
}

/**
 * Connects to a server of either revision: 2026-07-28, which has no sessions, or 2025-11-25 and its `initialize`. It
 * declares no capability, so no server can ask this client for anything.
 *
 * @throws when the server does not answer in time, or speaks another protocol
 */
export async function connectMcp(
  endpoint: McpEndpoint,
  options: {
    readonly fetch: FetchLike;
    readonly timeoutMs: number;
    readonly signal?: AbortSignal | undefined;
    readonly client?: ClientOptions;
    readonly transport?: StreamableHTTPClientTransportOptions;
  },
): Promise<McpConnection> {
  const client = new Client(
    { name: "parley", version: "1" },
    {
      versionNegotiation: { mode: "auto" },
      inputRequired: { autoFulfill: false },
      jsonSchemaValidator: boundedValidator,
      ...options.client,
    },
  );
  const transport = new StreamableHTTPClientTransport(new URL(endpoint.url), {
    fetch: options.fetch,
    requestInit: { headers: { ...endpoint.headers }, redirect: "error" },
    ...options.transport,
  });
  await client.connect(transport, {
    timeout: options.timeoutMs,
    ...(options.signal ? { signal: options.signal } : {}),
  });
  return {
    client,
    transport,
    close: async () => {
      // Ends the session of 2025-11-25; a server that does not answer is not called again.
      const ended = transport.terminateSession().catch(() => undefined);
      await Promise.race([ended, new Promise((resolve) => setTimeout(resolve, CLOSE_MS).unref())]);
      await client.close();
    },
  };
}
