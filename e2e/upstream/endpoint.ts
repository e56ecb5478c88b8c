import { V1_OPERATIONS } from "../../shared/v1/contract.ts";

export const OPERATIONS = V1_OPERATIONS;
export type Operation = (typeof OPERATIONS)[number];

/** Every address that the mock knows, by the id of its operation. */
export type Endpoint = Operation["id"];

/** What a service can be (contract, last section): the seven alone, the seven with turns, all of it, or only the older selection. */
export type Kind = "seven" | "turns" | "full" | "provider-only";

/** What each kind says of itself; `undefined` is a 404 on capabilities. */
export const CAPABILITIES: Record<Kind, readonly string[] | undefined> = {
  seven: undefined,
  turns: ["turns"],
  full: [
    "turns",
    "events",
    "messages",
    "idempotency",
    "attachments",
    "rating",
    "read",
    "typing",
    "erase",
    "link",
  ],
  "provider-only": undefined,
};

const BEYOND: Record<Kind, readonly Endpoint[]> = {
  seven: [],
  turns: ["capabilities", "turns", "actionApprovals"],
  full: [
    "capabilities",
    "turns",
    "actionApprovals",
    "messages",
    "events",
    "attachments",
    "attachmentContent",
    "ratings",
    "reads",
    "typing",
    "eraseConversation",
    "link",
  ],
  "provider-only": [],
};

const THE_SEVEN: readonly Endpoint[] = [
  "identify",
  "sessions",
  "providerSelection",
  "supportSelection",
  "conversations",
  "handoffs",
  "endConversation",
];

/** Whether a service of that kind has the endpoint at all; where it has not, it answers 404. */
export function isOffered(kind: Kind, endpoint: Endpoint): boolean {
  if (kind === "provider-only" && endpoint === "supportSelection") return false;
  return THE_SEVEN.includes(endpoint) || BEYOND[kind].includes(endpoint);
}

/** Where a client may ask without knowing: a 404 there is an answer and no mistake of the client's. */
export function isProbe(endpoint: Endpoint): boolean {
  return endpoint === "capabilities" || endpoint === "supportSelection";
}

/** Finds the operation of a request, with the conversation's id from its path. */
export function matchOperation(
  method: string,
  path: string,
):
  | { readonly operation: Operation; readonly id: string | undefined; readonly fileId: string | undefined }
  | undefined {
  for (const operation of OPERATIONS) {
    if (operation.method !== method) continue;
    const pattern = new RegExp(`^${operation.path.replaceAll(/:[A-Za-z]+/g, "([^/]+)")}$`);
    const match = pattern.exec(path);
    if (match) return { operation, id: match[1], fileId: match[2] };
  }
  return undefined;
}
