import { MAX_TRAITS } from "../../../shared/limits.ts";
import { Traits } from "../../../shared/traits.ts";
import type { ProfileStore, TraitChange } from "../profiles.ts";
import { integer, json, type RowOf, reader, text } from "./columns.ts";
import { q } from "./query.ts";
import type { StoreCore } from "./store-core.ts";
import type { Transaction } from "./write-queue.ts";

const Origin = reader({ name: text, at: integer, message_id: text });
type Origin = RowOf<typeof Origin>;
const Known = reader({ id: text, attributes_json: json(Traits) });

/** Traits of sources in SQLite. */
export function createProfileStore({ write }: StoreCore): ProfileStore {
  return {
    apply: (workspaceId, change) =>
      write((tx) => {
        tx.sql.run(q`INSERT INTO customers (id, workspace_id, external_id, created_at, updated_at)
          VALUES (${tx.newId("cus")}, ${workspaceId}, ${change.externalId}, ${tx.now}, ${tx.now})
           ON CONFLICT (workspace_id, external_id) DO NOTHING`);
        setTraits(tx, workspaceId, change);
      }),
  };
}

/** For traits that the application has set itself, so no source changes them, and for those that are gone. */
export function forgetOrigins(tx: Transaction, customerId: string, names: readonly string[]): void {
  for (const name of names) {
    tx.sql.run(q`DELETE FROM trait_origins WHERE customer_id = ${customerId} AND name = ${name}`);
  }
}

function setTraits(tx: Transaction, workspaceId: string, change: TraitChange): void {
  const customer = tx.sql.one(
    Known,
    q`SELECT id, attributes_json FROM customers
      WHERE workspace_id = ${workspaceId} AND external_id = ${change.externalId}`,
  );
  if (!customer) throw new Error("A customer is not there who was just written.");
  const origins = tx.sql.all(
    Origin,
    q`SELECT name, at, message_id FROM trait_origins WHERE customer_id = ${customer.id}`,
  );
  const traits = customer.attributes_json;
  const before = JSON.stringify(traits);
  for (const [name, value] of Object.entries(change.traits)) {
    const origin = origins.find((one) => one.name === name);
    if (origin ? !isNewer(change, origin) : Object.hasOwn(traits, name)) continue;
    if (!origin && Object.keys(traits).length >= MAX_TRAITS) continue;
    traits[name] = value;
    tx.sql.run(q`INSERT INTO trait_origins (customer_id, name, source, at, message_id)
      VALUES (${customer.id}, ${name}, ${change.source}, ${change.at}, ${change.messageId})
       ON CONFLICT (customer_id, name) DO UPDATE
       SET source = excluded.source, at = excluded.at, message_id = excluded.message_id`);
  }
  const after = JSON.stringify(traits);
  if (after === before) return;
  tx.sql.run(
    q`UPDATE customers SET attributes_json = ${after}, updated_at = ${tx.now} WHERE id = ${customer.id}`,
  );
}

/** If two changes have the same time, the greater id wins, so that the order of arrival does not matter. */
function isNewer(change: TraitChange, origin: Origin): boolean {
  return change.at === origin.at ? change.messageId > origin.message_id : change.at > origin.at;
}
