import type * as z from "zod/mini";
import { Failure } from "../../../shared/errors.ts";
import type { Idempotency } from "../idempotency.ts";
import { reader, text } from "./columns.ts";
import { q } from "./query.ts";
import type { Sql } from "./sql.ts";
import type { Transaction } from "./write-queue.ts";

const StoredAnswer = reader({ body_hash: text, answer_json: text });

/** At least 24 h is promised. Twice that, so that a device that slept for a day still gets its first answer. */
const KEPT_MS = 48 * 60 * 60 * 1000;

/** The caller and the operation: two customers or two operations may use the same key. */
export interface Scope {
  readonly customerId: string;
  readonly operation: string;
}

/**
 * Returns the first answer to this key, if there is one.
 *
 * @throws Failure `key_reused` when the first request had another body
 */
export function findAnswer<Answer>(
  sql: Sql,
  scope: Scope,
  given: Idempotency,
  schema: z.ZodMiniType<Answer>,
): Answer | undefined {
  const row = sql.one(
    StoredAnswer,
    q`SELECT body_hash, answer_json FROM idempotency
      WHERE customer_id = ${scope.customerId} AND operation = ${scope.operation} AND key = ${given.key}`,
  );
  if (!row) return undefined;
  if (row.body_hash !== given.bodyHash) {
    throw new Failure("key_reused", { detail: "This key was used for another request. Use a new one." });
  }
  return schema.parse(JSON.parse(row.answer_json));
}

/** Removes an answer whose effect no longer exists. */
export function forgetAnswer(sql: Sql, { customerId, operation }: Scope, given: Idempotency): void {
  sql.run(
    q`DELETE FROM idempotency WHERE customer_id = ${customerId} AND operation = ${operation} AND key = ${given.key}`,
  );
}

/** Stores the answer in the same transaction as its effect, and removes old keys. */
export function storeAnswer(tx: Transaction, scope: Scope, given: Idempotency, answer: unknown): void {
  tx.sql.run(q`DELETE FROM idempotency WHERE created_at < ${tx.now - KEPT_MS}`);
  tx.sql.run(q`INSERT INTO idempotency (customer_id, operation, key, body_hash, answer_json, created_at)
     VALUES (${scope.customerId}, ${scope.operation}, ${given.key}, ${given.bodyHash},
       ${JSON.stringify(answer)}, ${tx.now})`);
}
