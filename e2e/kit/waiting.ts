import { openStore } from "../../service/open-store.ts";
import { systemClock } from "../../shared/server/clock.ts";
import { systemRandom } from "../../shared/server/random.ts";

const ROUTE = { channel: "chat", agentProvider: "knowledge", humanHandoffAdapter: "desk" };

/**
 * Adds customers who wait for a person, one millisecond apart, to the data folder of a stopped product. They are named
 * `flood-0000` and so on, the longest wait first.
 */
export async function addWaiting(dataDir: string, count: number): Promise<void> {
  let now = systemClock.now() - count;
  const clock = { ...systemClock, now: () => now };
  const store = openStore(dataDir, { clock, random: systemRandom }, () => undefined);
  const [workspace] = await store.workspaces.list();
  const workspaceId = workspace?.id ?? "";
  for (let index = 0; index < count; index += 1) {
    const externalId = `flood-${String(index).padStart(4, "0")}`;
    const { id: customerId } = await store.customers.upsert(workspaceId, { externalId });
    const owner = { workspaceId, customerId };
    const start = { subject: undefined, route: ROUTE, locale: undefined };
    const { id: conversationId } = await store.conversations.start(owner, start, undefined);
    const asked = { conversationId, reason: undefined, currentIntent: undefined, transcript: undefined };
    await store.handoffs.request(owner, { ...asked, adapter: "desk" }, undefined);
    now += 1;
  }
  await store.close();
}
