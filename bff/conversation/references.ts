import { timingSafeEqual } from "node:crypto";
import { Failure } from "../../shared/errors.ts";
import type { Random } from "../../shared/server/random.ts";
import { createKeyedHash } from "../store/keyed-hash.ts";
import type { Store } from "../store/store.ts";

const MAC_BYTES = 16;

/** References to conversations that the service listed as one customer's own. */
export type References = ReturnType<typeof createReferences>;

/**
 * A reference is the conversation's id with a keyed hash of it and its customer, so that nobody can make one from an id.
 * The service checks the owner too, but only where a session proves the customer (`AUTH_MESSAGES`).
 */
export function createReferences(store: Store, random: Random) {
  const hash = createKeyedHash(store, random, "reference-key");
  const create = async (externalId: string, id: string) => {
    const mac = await hash(JSON.stringify([externalId, id]));
    return `${id}.${mac.subarray(0, MAC_BYTES).toString("base64url")}`;
  };
  return {
    /** Names one of the customer's conversations. @throws what the store throws */
    create,
    /** The conversation that a reference names. @throws Failure not_found for any that was not made for this customer */
    async open(externalId: string, reference: string): Promise<string> {
      const id = reference.slice(0, reference.lastIndexOf("."));
      const given = Buffer.from(reference);
      const right = Buffer.from(await create(externalId, id));
      if (given.length !== right.length || !timingSafeEqual(given, right)) throw new Failure("not_found");
      return id;
    },
  };
}
