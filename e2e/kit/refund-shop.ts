import { randomBytes } from "node:crypto";
import { createServer } from "node:http";
import { type FakeMcp, openFakeMcp } from "../../service/tools/testing/fake-mcp-server.ts";
import { shopOf } from "../../service/tools/testing/shop-entry.ts";
import { type Listening, listenOnFreePort } from "../../shared/testing/listen.ts";
import { type Product, startProduct } from "./product.ts";

export const REFUND_INPUT = { order: "1001", amount: 12.5 };

/** The product with an agent of the owner's that always asks for one refund, and the shop's tools, which a person allows. */
export interface RefundShop {
  readonly product: Product;
  readonly tools: FakeMcp;
  dispose(): Promise<void>;
}

export async function openRefundShop(): Promise<RefundShop> {
  const agent = await openRefundAgent();
  const tools = await openFakeMcp();
  const product = await startProduct({
    ["AGENT_PROVIDERS"]: "http",
    ["AGENT_HTTP_URL"]: `http://127.0.0.1:${agent.port}/`,
    ["AGENT_HTTP_SECRET"]: `whsec_${randomBytes(32).toString("base64")}`,
    ["MCP_SERVERS"]: JSON.stringify([shopOf(tools, "person")]),
  });
  return {
    product,
    tools,
    async dispose() {
      tools.close();
      await agent.close();
      await product.dispose();
    },
  };
}

/** An agent over HTTP, as examples/agent-http answers. */
function openRefundAgent(): Promise<Listening> {
  const events = [
    { type: "response.delta", delta: "I can ask our team for that." },
    { type: "action.requested", actionId: "refund-1", name: "shop_refund", input: REFUND_INPUT },
    { type: "response.completed" },
  ];
  const server = createServer((request, response) => {
    request.resume();
    response.writeHead(200, { "content-type": "application/x-ndjson" });
    response.end(events.map((event) => `${JSON.stringify(event)}\n`).join(""));
  });
  return listenOnFreePort(server);
}
