import type { Contact } from "../../../shared/contact.ts";
import { Failure } from "../../../shared/errors.ts";
import { MAX_TRAITS } from "../../../shared/limits.ts";
import { Route } from "../../../shared/route.ts";
import { Traits } from "../../../shared/traits.ts";
import type { CustomerStore, Profile } from "../customers.ts";
import { json, nullable, type RowOf, reader, text } from "./columns.ts";
import { ownedRow } from "./conversation-row.ts";
import { forgetOrigins } from "./profiles.ts";
import { q } from "./query.ts";
import type { Sql } from "./sql.ts";
import type { StoreCore } from "./store-core.ts";
import type { Transaction } from "./write-queue.ts";

const Selection = reader({ route_json: json(Route), locale: nullable(text) });

const CustomerRow = reader({
  id: text,
  email: nullable(text),
  display_name: nullable(text),
  attributes_json: json(Traits),
});
type CustomerRow = RowOf<typeof CustomerRow>;

/** Older sessions of a customer can't return: their tokens expired 15 minutes after they began. */
const MAX_SELECTIONS = 8;

/** Customers in SQLite: `externalId` is the only key, an e-mail address is a contact address. */
export function createCustomerStore({ sql, write }: StoreCore): CustomerStore {
  return {
    upsert: (workspaceId, profile) =>
      write((tx) => {
        const known = tx.sql.one(
          CustomerRow,
          q`SELECT id, email, display_name, attributes_json FROM customers
            WHERE workspace_id = ${workspaceId} AND external_id = ${profile.externalId}`,
        );
        const id = known ? update(tx, known, profile) : insert(tx, workspaceId, profile);
        return { id, externalId: profile.externalId };
      }),
    setContact: (owner, conversationId, { email }) =>
      write((tx) => {
        ownedRow(tx.sql, owner, conversationId);
        const isNew = tx.sql.run(q`UPDATE customers SET contact_email = ${email}, updated_at = ${tx.now}
          WHERE id = ${owner.customerId} AND contact_email IS NOT ${email}`);
        if (isNew === 0) return;
        const event = { type: "contact.changed", contact: { email } } as const;
        tx.publish({ workspaceId: owner.workspaceId, conversationId, event });
      }),
    keepSelection: (owner, { sessionId, route, locale }) =>
      write((tx) => {
        if (!isCustomer(tx, owner.workspaceId, owner.customerId)) throw new Failure("unauthenticated");
        tx.sql.run(q`INSERT INTO selections (customer_id, session_id, route_json, locale, at)
          VALUES (${owner.customerId}, ${sessionId}, ${JSON.stringify(route)}, ${locale ?? null}, ${tx.now})
           ON CONFLICT (customer_id, session_id) DO UPDATE
           SET route_json = excluded.route_json, locale = excluded.locale, at = excluded.at`);
        tx.sql.run(q`DELETE FROM selections WHERE customer_id = ${owner.customerId} AND session_id NOT IN (
             SELECT session_id FROM selections WHERE customer_id = ${owner.customerId}
             ORDER BY session_id = ${sessionId} DESC, at DESC LIMIT ${MAX_SELECTIONS})`);
      }),
    async findSelection(owner, sessionId) {
      const row = sql.one(
        Selection,
        q`SELECT s.route_json, s.locale FROM selections s JOIN customers c ON c.id = s.customer_id
         WHERE s.customer_id = ${owner.customerId} AND c.workspace_id = ${owner.workspaceId}
         ORDER BY (s.session_id = ${sessionId}) DESC, s.at DESC LIMIT 1`,
      );
      return row && { route: row.route_json, locale: row.locale ?? undefined };
    },
  };
}

/** Whether the customer of a session still exists. */
export function isCustomer(tx: Transaction, workspaceId: string, customerId: string): boolean {
  return tx.sql.has(q`SELECT 1 FROM customers WHERE id = ${customerId} AND workspace_id = ${workspaceId}`);
}

function insert(tx: Transaction, workspaceId: string, profile: Profile): string {
  const id = tx.newId("cus");
  tx.sql.run(q`INSERT INTO customers (id, workspace_id, external_id, email, display_name, attributes_json, created_at, updated_at)
     VALUES (${id}, ${workspaceId}, ${profile.externalId}, ${profile.email ?? null},
       ${profile.displayName ?? null}, ${JSON.stringify(profile.attributes ?? {})}, ${tx.now}, ${tx.now})`);
  return id;
}

function update(tx: Transaction, known: CustomerRow, profile: Profile): string {
  const given = profile.attributes ?? {};
  const attributes = mergeTraits(known.attributes_json, given);
  const dropped = Object.keys(known.attributes_json).filter((name) => !Object.hasOwn(attributes, name));
  forgetOrigins(tx, known.id, [...Object.keys(given), ...dropped]);
  const email = profile.email ?? known.email;
  const displayName = profile.displayName ?? known.display_name;
  const json = JSON.stringify(attributes);
  const same =
    email === known.email &&
    displayName === known.display_name &&
    json === JSON.stringify(known.attributes_json);
  if (!same) {
    tx.sql.run(
      q`UPDATE customers SET email = ${email}, display_name = ${displayName}, attributes_json = ${json}, updated_at = ${tx.now}
        WHERE id = ${known.id}`,
    );
  }
  return known.id;
}

/** The given traits, and the newest of the others: a site that renames its traits over time has more than fit. */
function mergeTraits(known: Traits, given: Traits): Traits {
  const others = Object.entries(known).filter(([name]) => !Object.hasOwn(given, name));
  const surplus = others.length + Object.keys(given).length - MAX_TRAITS;
  return { ...Object.fromEntries(others.slice(Math.max(0, surplus))), ...given };
}

/**
 * Removes the address, and what the team typed, of each of these customers who has no conversation left. They may be the
 * anonymous visitors who began the erased conversations and left an address for a reply.
 */
export function forgetContacts(tx: Pick<Transaction, "sql">, customerIds: readonly string[]): void {
  for (const id of customerIds) {
    tx.sql.run(q`UPDATE customers SET contact_email = NULL, team_name = NULL, team_email = NULL
      WHERE id = ${id} AND coalesce(contact_email, team_name, team_email) IS NOT NULL
        AND NOT EXISTS (SELECT 1 FROM conversations WHERE customer_id = ${id} OR started_by = ${id})`);
  }
}

const ContactRow = reader({ contact_email: nullable(text) });

/** The address that a customer left, as a field of a conversation. */
export function contactOf(sql: Sql, customerId: string): { contact?: Contact } {
  const row = sql.one(ContactRow, q`SELECT contact_email FROM customers WHERE id = ${customerId}`);
  return row?.contact_email == null ? {} : { contact: { email: row.contact_email } };
}
