import { writeSync } from "node:fs";
import { openDatabase } from "../../service/store/sqlite/database.ts";
import { createSqliteStore } from "../../service/store/sqlite/sqlite-store.ts";
import { systemClock } from "../../shared/server/clock.ts";
import { systemRandom } from "../../shared/server/random.ts";

/**
 * A process for the tests of kills and power cuts: 16 writers append messages as fast as they can, and each key is
 * printed when its write was acknowledged. With `early` it is printed before, with `unsynced` nothing is synced to the
 * disk: faults that the tests must detect.
 */
const WRITERS = 16;
const STDOUT = 1;

const [path = "", round = "", mode = ""] = process.argv.slice(2);
const database = openDatabase(path, systemClock.now());
if (mode === "unsynced") database.exec("PRAGMA synchronous = OFF");
const store = createSqliteStore(database, {
  clock: systemClock,
  random: systemRandom,
  publish: () => undefined,
  // All writers append to one conversation for as long as the process lives.
  conversationLimits: { entries: Number.POSITIVE_INFINITY, bytes: Number.POSITIVE_INFINITY },
});
const name = `round ${round}`;
const workspace = await store.workspaces.create({ name, publicKey: name });
const customer = await store.customers.upsert(workspace.id, { externalId: "ann" });
const owner = { workspaceId: workspace.id, customerId: customer.id };
const route = { channel: "web", agentProvider: "none" };
const conversation = await store.conversations.start(
  owner,
  { subject: undefined, route, locale: undefined },
  undefined,
);

await Promise.all(
  Array.from({ length: WRITERS }, async (_, writer) => {
    for (let turn = 0; ; turn += 1) {
      const key = `${round}-${writer}-${turn}`;
      if (mode === "early") writeSync(STDOUT, `${key}\n`);
      await store.conversations.addTurn(owner, conversation.id, {
        clientMessageId: key,
        body: `Message ${key}`,
      });
      if (mode !== "early") writeSync(STDOUT, `${key}\n`);
    }
  }),
);
