import { THE_SEVEN, V1_CONTRACT, type V1Id } from "../../../shared/v1/contract.ts";

/**
 * The kinds of services (contract, last section): complete, turns without events, only the seven endpoints, or those
 * with only the older selection.
 */
export type Kind = "full" | "turns" | "seven" | "provider-only";

const SEVEN = THE_SEVEN.map(({ id }): V1Id => id);

/** The operations that a service of each kind has. */
const OFFERED: Record<Kind, readonly V1Id[]> = {
  full: V1_CONTRACT.map(({ id }) => id),
  turns: [...SEVEN, "capabilities", "turns", "actionApprovals"],
  seven: SEVEN,
  "provider-only": SEVEN.filter((id) => id !== "supportSelection"),
};

/** Whether a service of that kind has the operation; where it has not, it answers 404. */
export function isOffered(kind: Kind, operation: V1Id): boolean {
  return OFFERED[kind].includes(operation);
}

export type Operation = (typeof V1_CONTRACT)[number];

/** Finds the operation of a request, with the ids in its path. */
export function matchOperation(
  method: string,
  path: string,
):
  | { readonly operation: Operation; readonly id: string | undefined; readonly fileId: string | undefined }
  | undefined {
  for (const operation of V1_CONTRACT) {
    if (operation.method !== method) continue;
    const pattern = new RegExp(`^${operation.path.replaceAll(/:[A-Za-z]+/g, "([^/]+)")}$`);
    const match = pattern.exec(path);
    if (match) return { operation, id: match[1], fileId: match[2] };
  }
  return undefined;
}
