import { type Clock, systemClock } from "../../../shared/server/clock.ts";
import { systemRandom } from "../../../shared/server/random.ts";
import { inPieces, png } from "../../testing/files.ts";
import { newDatabasePath } from "../../testing/test-store.ts";
import { openSqliteStore } from "../sqlite/sqlite-store.ts";

export const ROUTE = { channel: "web", agentProvider: "none" };

/** A store on the disk with one customer and one conversation; `add` uploads a file to it. */
export async function openTalk({
  clock = systemClock,
  externalId = "ann",
  ...options
}: {
  fileQuotaBytes?: number;
  externalId?: string;
  clock?: Clock;
} = {}) {
  const path = newDatabasePath();
  const open = () =>
    openSqliteStore({ path, clock, random: systemRandom, publish: () => undefined, ...options });
  const store = open();
  const { id: workspaceId } = await store.workspaces.create({ name: "one", publicKey: "pk" });
  const owner = {
    workspaceId,
    customerId: (await store.customers.upsert(workspaceId, { externalId })).id,
  };
  const { id } = await store.conversations.start(
    owner,
    { subject: undefined, route: ROUTE, locale: undefined },
    undefined,
  );
  const add = async () =>
    (
      await store.attachments.add(owner, id, {
        name: "a.png",
        bytes: inPieces(png(), 16),
        idempotencyKey: undefined,
      })
    ).attachment;
  return { path, store, open, owner, id, add };
}
