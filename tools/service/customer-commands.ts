import type { Erasure } from "../../service/store/erase.ts";
import { Failure } from "../../shared/errors.ts";
import { counted } from "../counted.ts";
import { COMPACTED, NOT_COMPACTED } from "./database-commands.ts";

/** Prints everything that is stored about one customer, as JSON. @throws Failure `not_found` */
export async function exportCustomer(
  erasure: Erasure,
  who: { workspaceId: string; externalId: string },
  print: (line: string) => void,
): Promise<void> {
  print(JSON.stringify(await erasure.exportCustomer(who.workspaceId, who.externalId), undefined, 2));
}

/**
 * Erases one customer. Prints what was verified and what remains to be done. @throws Failure `not_found`, `unavailable`
 */
export async function eraseCustomer(
  erasure: Erasure,
  who: { workspaceId: string; externalId: string },
  print: (line: string) => void,
): Promise<void> {
  const { conversations, overwritten } = await erasure.eraseCustomer(who.workspaceId, who.externalId);
  const last = overwritten ? COMPACTED : await compact(erasure);
  print(`Erased the customer and ${counted(conversations, "conversation")}. ${last}`);
  print(
    "Not erased: earlier backups, former databases (.replaced, .restoring), and what a BFF stores. Run npm run sessions -- erase there.",
  );
}

async function compact(erasure: Erasure): Promise<string> {
  try {
    return (await erasure.compact()) ? COMPACTED : NOT_COMPACTED;
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    const reason = error.code === "storage_full" ? "the disk has no room for it" : "it is locked";
    return `The database could not be rewritten (${reason}), so its unused parts may still hold traces. Run npm run service -- compact later.`;
  }
}
