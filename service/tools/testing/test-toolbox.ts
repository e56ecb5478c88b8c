import { onTestFinished } from "vitest";
import type { Clock } from "../../../shared/server/clock.ts";
import { createManualClock } from "../../testing/manual-clock.ts";
import { createMemoryLog } from "../../testing/memory-log.ts";
import type { McpServerEntry } from "../mcp-config.ts";
import { createMcpToolbox } from "../mcp-toolbox.ts";
import { type FakeMcp, openFakeMcp, type Revision } from "./fake-mcp-server.ts";

/** A server of tools until the end of the test. */
export async function startFakeMcp(revision?: Revision): Promise<FakeMcp> {
  const fake = await openFakeMcp(revision);
  onTestFinished(() => fake.close());
  return fake;
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
