import * as z from "zod/mini";
import { ownerOfLog } from "../../bff/less/feeds.ts";
import { ConversationPointer } from "../../bff/sessions/pointer.ts";
import type { Signal, Store } from "../../bff/store/store.ts";
import { jsonOf } from "../../shared/json.ts";

/** The result of erasing one customer. */
export interface ErasedCustomer {
  readonly sessions: number;
  readonly pointers: number;
  readonly entries: number;
  /** The anonymous visitors that this customer was before they were identified. */
  readonly alsoKnownAs: readonly string[];
}

/** The owner of a session, also of one whose other fields are those of another version. */
const OwnedSession = z.object({ facts: z.object({ customer: z.object({ externalId: z.string() }) }) });

/**
 * Erases what BFFs store about a customer: sessions, pointers to conversations and the logs of a service without
 * events, also those of the anonymous visitors that this customer was before. Open streams of the sessions end.
 *
 * @throws Failure unavailable, storage_full: then some of it may be gone, and the command can be repeated
 */
export async function eraseCustomer(store: Store, externalId: string): Promise<ErasedCustomer> {
  const pointer = ConversationPointer.safeParse(
    jsonOf((await store.get(`pointer:${externalId}`)) ?? ""),
  ).data;
  const names = [...new Set([externalId, ...(pointer?.visitors ?? [])])];

  /** Returns the erased value, if there was one. */
  async function erase(key: string, signal?: Signal): Promise<string | undefined> {
    const value = await store.get(key);
    if (value !== undefined) await store.write([{ key, value: null }], signal);
    return value;
  }

  let [sessions, pointers, entries] = [0, 0, 0];
  // First, because they write into the rest.
  for await (const key of store.keys("session:")) {
    const session = OwnedSession.safeParse(jsonOf((await store.get(key)) ?? "")).data;
    if (!session || !names.includes(session.facts.customer.externalId)) continue;
    const ended = { topic: "ended", text: key.slice("session:".length) } as const;
    if ((await erase(key, ended)) !== undefined) sessions += 1;
  }
  for await (const key of store.keys("log:")) {
    if (!names.includes(ownerOfLog(key.slice("log:".length)) ?? "")) continue;
    entries += lengthOf((await erase(key)) ?? "");
  }
  for (const name of names) if ((await erase(`pointer:${name}`)) !== undefined) pointers += 1;
  return { sessions, pointers, entries, alsoKnownAs: names.slice(1) };
}

function lengthOf(log: string): number {
  const entries = jsonOf(log);
  return Array.isArray(entries) ? entries.length : 0;
}
