import { Failure } from "../../../shared/errors.ts";
import { isAnonymousId } from "../../../shared/id.ts";
import type { ConversationLink } from "../conversations.ts";
import { reader, text } from "./columns.ts";
import { q } from "./query.ts";
import type { Transaction } from "./write-queue.ts";

const CustomerId = reader({ id: text });

/**
 * Gives an anonymous visitor's conversation to the customer that they signed in as, in one statement that checks the
 * owner. Messages up to now stay unverified (`linked_seq`). A visitor can become only one customer. Idempotent.
 *
 * @throws Failure `not_found` for conversations that this visitor does not own or that another customer has
 */
export function linkConversation(
  tx: Transaction,
  workspaceId: string,
  id: string,
  { externalId, linkedTo }: ConversationLink,
): void {
  const visitor = isAnonymousId(externalId) ? customerId(tx, workspaceId, externalId) : undefined;
  const customer = isAnonymousId(linkedTo) ? undefined : customerId(tx, workspaceId, linkedTo);
  if (visitor === undefined || customer === undefined) throw new Failure("not_found");
  const changed = tx.sql.run(q`UPDATE conversations
      SET customer_id = ${customer}, started_by = ${visitor}, linked_to = ${linkedTo}, linked_seq = last_seq
     WHERE id = ${id} AND workspace_id = ${workspaceId} AND customer_id = ${visitor} AND linked_to IS NULL
       AND NOT EXISTS (SELECT 1 FROM conversations WHERE started_by = ${visitor} AND customer_id <> ${customer})`);
  if (changed === 0 && !isLinked(tx, id, visitor, customer)) throw new Failure("not_found");
}

function customerId(tx: Transaction, workspaceId: string, externalId: string): string | undefined {
  return tx.sql.one(
    CustomerId,
    q`SELECT id FROM customers WHERE workspace_id = ${workspaceId} AND external_id = ${externalId}`,
  )?.id;
}

function isLinked(tx: Transaction, id: string, visitor: string, customer: string): boolean {
  return tx.sql.has(
    q`SELECT 1 FROM conversations WHERE id = ${id} AND started_by = ${visitor} AND customer_id = ${customer}`,
  );
}
