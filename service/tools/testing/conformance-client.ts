// The protocol's conformance suite starts this once for each scenario: npm run conformance.
import { createBoundedFetch } from "../bounded-fetch.ts";
import { connectMcp } from "../mcp-client.ts";
import { callWithOAuth } from "./conformance-oauth.ts";

interface Context {
  readonly client_id?: string;
  readonly client_secret?: string;
  readonly toolCalls?: readonly { readonly name: string; readonly arguments: Record<string, unknown> }[];
}

const url = process.argv[2] ?? "";
const scenario = process.env["MCP_CONFORMANCE_SCENARIO"] ?? "";
const context = JSON.parse(process.env["MCP_CONFORMANCE_CONTEXT"] ?? "{}") as Context;

/** The scenarios in which a server asks the client something: the product refuses that, the library can answer. */
const ASKS = /elicitation|request-state/;

async function callTools(): Promise<void> {
  const asks = ASKS.test(scenario);
  const { client, close } = await connectMcp(
    { url, headers: {} },
    {
      // A server of 2025-11-25 asks on a stream that the product does not open.
      ...(asks ? { fetch } : createBoundedFetch(fetch, { once: false })),
      timeoutMs: 20_000,
      ...(asks
        ? { client: { capabilities: { elicitation: { form: { applyDefaults: true } } }, inputRequired: {} } }
        : {}),
    },
  );
  if (asks) {
    const content = scenario.startsWith("elicitation") ? {} : { confirmed: true };
    client.setRequestHandler("elicitation/create", async () => ({ action: "accept", content }));
  }
  const { tools } = await client.listTools();
  const calls = context.toolCalls ?? tools.map(({ name }) => ({ name, arguments: argumentsOf(name) }));
  for (const call of calls) await client.callTool(call);
  await close();
}

function argumentsOf(name: string): Record<string, unknown> {
  return name === "add_numbers" ? { a: 5, b: 3 } : {};
}

async function main(): Promise<void> {
  if (!scenario.startsWith("auth/")) return callTools();
  const { client_id: id, client_secret: secret } = context;
  return callWithOAuth(url, id && secret ? { client_id: id, client_secret: secret } : undefined);
}

// Some of the suite's servers leave streams open.
await main().then(
  () => process.exit(0),
  (error: unknown) => {
    process.stderr.write(`${String(error)}\n`);
    process.exit(1);
  },
);
