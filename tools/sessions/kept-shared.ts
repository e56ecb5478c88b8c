import { parseArgs } from "node:util";
import { readSiteId } from "../../bff/config.ts";
import { openRedisLine } from "../../bff/redis/redis-line.ts";
import { createRedisPeers } from "../../bff/redis/redis-peers.ts";
import { keyPrefix, parseStoreAddress, readStoreUrl } from "../../bff/redis/store-address.ts";
import { createRedisSessionStore } from "../../bff/sessions/redis-session-store.ts";
import { systemClock } from "../../shared/server/clock.ts";
import { ConfigError, createEnvironmentReader, type Environment } from "../../shared/server/environment.ts";
import { KeptError } from "./database-file.ts";
import { eraseShared } from "./erase-shared.ts";

/** The commands of `npm run sessions` where `STORE_URL` names a shared store: there is no file to copy, but one to erase from. */
export async function runSharedKept(command: {
  readonly args: readonly string[];
  readonly env: Environment;
  readonly readFile: (path: string) => string;
  readonly print: (line: string) => void;
}): Promise<void> {
  const { env, readFile, print } = command;
  const { values, positionals } = parseArgs({
    args: [...command.args],
    options: { "external-id": { type: "string" } },
    allowPositionals: true,
    strict: false,
  });
  if (positionals[0] !== "erase") {
    throw new KeptError(
      "Sessions are in the store at STORE_URL: copy it, and put it back, with its own means. Here is only: npm run sessions -- erase --external-id ID",
    );
  }
  const externalId = values["external-id"];
  if (typeof externalId !== "string" || externalId === "")
    throw new KeptError("Name the customer with --external-id.");
  const reader = createEnvironmentReader(env, readFile);
  const storeUrl = readStoreUrl(reader);
  const siteId = readSiteId(reader);
  const address = storeUrl && parseStoreAddress(storeUrl);
  if (!address || reader.faults.length > 0) throw new ConfigError(reader.faults);
  const line = await openRedisLine(address, { clock: systemClock, onDown: () => undefined });
  try {
    const prefix = keyPrefix(siteId);
    const store = createRedisSessionStore(line, prefix, systemClock);
    const peers = createRedisPeers(line, prefix, systemClock);
    const erased = await eraseShared({ line, prefix, store, peers }, externalId);
    tell(erased, print);
  } catch (cause) {
    throw new KeptError("The customer can't be erased: the store at STORE_URL does not work. Try again.", {
      cause,
    });
  } finally {
    line.close();
  }
}

function tell(erased: Awaited<ReturnType<typeof eraseShared>>, print: (line: string) => void): void {
  const { sessions, pointers, entries, alsoKnownAs } = erased;
  print(
    sessions + pointers + entries === 0
      ? "The BFFs keep nothing of this customer."
      : `Erased ${sessions} sessions, ${pointers} pointers to conversations and ${entries} entries of logs.`,
  );
  for (const name of alsoKnownAs) {
    print(`They wrote as ${name} before they were identified: erase that customer in the service too.`);
  }
  print("Not erased by this: what the service keeps, and copies and logs of the store itself.");
}
