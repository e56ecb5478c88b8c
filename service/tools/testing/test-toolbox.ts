import { onTestFinished } from "vitest";
import type { Clock } from "../../../shared/server/clock.ts";
import { createManualClock } from "../../testing/manual-clock.ts";
import { createMemoryLog } from "../../testing/memory-log.ts";
import type { McpServerEntry } from "../mcp-config.ts";
import { createMcpToolbox } from "../mcp-toolbox.ts";
import type { FakeMcp } from "./fake-mcp-server.ts";

/** How the owner lists the fake server: one tool that reads, and one that acts. */
export function shopOf(
  fake: Pick<FakeMcp, "url">,
  confirm: "customer" | "person" = "customer",
): McpServerEntry {
  return {
    name: "shop",
    url: fake.url,
    headers: { authorization: "Bearer secret-of-the-shop" },
    tools: [
      { name: "find_order", effect: "reads" },
      { name: "refund", effect: "acts", confirm },
    ],
  };
}

/** The tools of these servers, loaded. */
export async function openTestToolbox(
  entries: readonly McpServerEntry[],
  { clock = createManualClock(), actMs }: { clock?: Clock; actMs?: number | undefined } = {},
) {
  const log = createMemoryLog();
  const toolbox = createMcpToolbox(entries, { fetch, clock, log, actMs });
  onTestFinished(() => toolbox.close());
  await toolbox.start();
  return { toolbox, log };
}
