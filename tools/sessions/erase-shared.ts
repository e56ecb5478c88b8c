import type { Peers } from "../../bff/peers.ts";
import type { RedisLine } from "../../bff/redis/redis-line.ts";
import type { SessionStore } from "../../bff/sessions/session-store.ts";

/** What the shared store kept of one customer, and has no more. */
export interface ErasedShared {
  readonly sessions: number;
  readonly pointers: number;
  readonly entries: number;
  /** The anonymous visitors that this customer was before. */
  readonly alsoKnownAs: readonly string[];
}

/**
 * Erases what BFFs keep of a customer in the store that they share: sessions, pointers and logs, also those of the anonymous
 * visitors who this customer turned out to be. Their streams end. Every key of the site is looked at, a part at a time.
 *
 * @throws Failure unavailable: then some of it may be gone, and it can be asked for again
 */
export async function eraseShared(
  parts: {
    readonly line: RedisLine;
    readonly prefix: string;
    readonly store: Pick<SessionStore, "findPointer" | "remove">;
    readonly peers: Pick<Peers, "tell">;
  },
  externalId: string,
): Promise<ErasedShared> {
  const { line, prefix, store, peers } = parts;
  const pointer = await store.findPointer(externalId);
  const owners = [pointer?.owner, ...(pointer?.aside ?? []).map(({ owner }) => owner)];
  const names = [...new Set([externalId, ...owners.filter((owner) => owner !== undefined)])];

  let entries = 0;
  for await (const key of keysOf(line, `${prefix}log:`)) {
    if (!names.includes(ownerOfLog(key.slice(`${prefix}log:`.length)) ?? "")) continue;
    entries += Number(await line.send("LLEN", key));
    await line.send("DEL", key, key.replace(`${prefix}log:`, `${prefix}log-keys:`));
  }
  let sessions = 0;
  for await (const key of keysOf(line, `${prefix}session:`)) {
    const customer = await line.send("HGET", key, "fact.customer");
    if (!names.includes(externalIdIn(customer) ?? "")) continue;
    sessions += 1;
    const id = key.slice(`${prefix}session:`.length);
    await store.remove(id);
    peers.tell("ended", id);
  }
  const pointers = Number(await line.send("DEL", ...names.map((name) => `${prefix}pointer:${name}`)));
  return { sessions, pointers, entries, alsoKnownAs: names.slice(1) };
}

/** A site's id has no character that means something to a pattern. A key may come twice; what is gone then counts nothing. */
async function* keysOf(line: RedisLine, start: string): AsyncGenerator<string> {
  let cursor = "0";
  do {
    const answer = await line.send("SCAN", cursor, "MATCH", `${start}*`, "COUNT", "500");
    const [next, keys] = answer as [string, string[]];
    for (const key of keys) yield key;
    cursor = next;
  } while (cursor !== "0");
}

function ownerOfLog(name: string): string | undefined {
  const parsed = parseJson(name);
  const owner: unknown = Array.isArray(parsed) ? parsed[0] : undefined;
  return typeof owner === "string" ? owner : undefined;
}

function externalIdIn(text: unknown): string | undefined {
  const parsed = typeof text === "string" ? parseJson(text) : undefined;
  const isCustomer = typeof parsed === "object" && parsed !== null && "externalId" in parsed;
  return isCustomer && typeof parsed.externalId === "string" ? parsed.externalId : undefined;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // Not written by us, so nobody's.
    return undefined;
  }
}
