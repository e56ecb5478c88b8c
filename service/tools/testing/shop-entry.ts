import type { DoneSign, McpServerEntry } from "../mcp-config.ts";
import type { FakeMcp } from "./fake-mcp-server.ts";

/** How the owner lists the fake server: one tool that reads, and one that acts. */
export function shopOf(
  fake: Pick<FakeMcp, "url">,
  confirm: "customer" | "person" = "customer",
  done?: DoneSign,
): McpServerEntry {
  return {
    name: "shop",
    url: fake.url,
    headers: { authorization: "Bearer secret-of-the-shop" },
    tools: [
      { name: "find_order", effect: "reads" },
      { name: "refund", effect: "acts", confirm, done },
    ],
  };
}
