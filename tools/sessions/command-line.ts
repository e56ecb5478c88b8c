import { existsSync } from "node:fs";
import { join } from "node:path";
import { readSiteId } from "../../bff/config.ts";
import { openStore, STORE_FILE } from "../../bff/store/open-store.ts";
import type { Store } from "../../bff/store/store.ts";
import { readStoreUrl } from "../../bff/store/store-address.ts";
import { ConfigError, createEnvironmentReader, type Environment } from "../../shared/server/environment.ts";
import { SILENT_LOG } from "../../shared/server/log.ts";
import { StartError } from "../../shared/server/start-error.ts";
import { asksForHelp } from "../asks-for-help.ts";
import { counted } from "../counted.ts";
import { parseCommand } from "../parse-command.ts";
import { type ErasedCustomer, eraseCustomer } from "./erase-customer.ts";
import { overwriteDeleted } from "./overwrite-deleted.ts";

export const USAGE = `npm run sessions -- erase --external-id ID   erases what the BFF stores about one customer

That is: sessions, which conversation the customer is in, and the logs of a service without events. It reads DATA_DIR,
STORE_URL and SITE_ID, and works while BFFs run.
`;

/** Carries out one command. @throws StartError, ConfigError with sentences for the operator */
export async function runSessions(command: {
  readonly args: readonly string[];
  readonly env: Environment;
  readonly readFile: (path: string) => string;
  readonly print: (line: string) => void;
}): Promise<void> {
  const { args, env, readFile, print } = command;
  if (asksForHelp(args)) return print(USAGE);
  const externalId = readCustomer(args);
  const reader = createEnvironmentReader(env, readFile);
  const dataDir = reader.dataDir();
  const storeUrl = readStoreUrl(reader);
  const siteId = readSiteId(reader);
  if (reader.faults.length > 0) throw new ConfigError(reader.faults);
  const file = join(dataDir, STORE_FILE);
  if (storeUrl === undefined && !existsSync(file)) {
    throw new StartError(`There is no ${file}: is DATA_DIR the folder of a BFF?`);
  }
  try {
    const store = await openStore({ dataDir, storeUrl, siteId }, { log: SILENT_LOG });
    const { sessions, pointers, entries, alsoKnownAs } = await eraseAndClose(store, siteId, externalId);
    print(
      sessions + pointers + entries === 0
        ? "Nothing is stored about this customer."
        : `Erased ${counted(sessions, "session")}, ${counted(pointers, "pointer")} to conversations and ${counted(entries, "entry", "entries")} of logs.`,
    );
    if (storeUrl === undefined && !overwriteDeleted(file)) {
      print("Another process still reads older pages of the file: run the command again later.");
    }
    for (const name of alsoKnownAs) {
      print(`They wrote as ${name} before they were identified: erase that customer in the service too.`);
    }
    print("Not erased: what the service stores, backups, and logs of the store itself.");
  } catch (cause) {
    if (cause instanceof StartError) throw cause;
    throw new StartError(
      "The customer can't be erased, because the store is not available now. Run the command again.",
      {
        cause,
      },
    );
  }
}

async function eraseAndClose(store: Store, siteId: string, externalId: string): Promise<ErasedCustomer> {
  try {
    await requireSite(store, siteId);
    return await eraseCustomer(store, externalId);
  } finally {
    await store.close();
  }
}

/** Each start of a BFF stores its loader. Without anything of the site, "nothing about this customer" would say too much. */
async function requireSite(store: Store, siteId: string): Promise<void> {
  for await (const _ of store.keys("")) return;
  throw new StartError(`No BFF has used this store with SITE_ID=${siteId}: are these the BFFs' settings?`);
}

function readCustomer(args: readonly string[]): string {
  const { values, positionals } = parseCommand(args, { "external-id": { type: "string" } }, USAGE);
  if (positionals.length !== 1 || positionals[0] !== "erase") {
    throw new StartError(`Unknown command.\n${USAGE}`);
  }
  const externalId = values["external-id"];
  if (!externalId) throw new StartError(`Name the customer with --external-id.\n${USAGE}`);
  return externalId;
}
