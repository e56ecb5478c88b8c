import type { DeskConversation, DeskCustomer, DeskSummary } from "../../shared/desk.ts";
import type { Message } from "../../shared/message.ts";
import { texts } from "./texts.ts";

/** The customer's name at the desk. A visitor's generated id means nothing to a person, so it is not used as a name. */
export function customerName(
  customer: Pick<DeskCustomer | DeskSummary["customer"], "displayName" | "identified" | "externalId">,
): string {
  const name = customer.displayName?.trim();
  if (name) return name;
  return customer.identified ? customer.externalId : texts.anonymous;
}

/** The name of the customer who signed in during an anonymous conversation. */
export function linkedName({ linked }: Pick<DeskConversation, "linked">): string {
  return linked?.displayName?.trim() || (linked?.externalId ?? texts.anonymous);
}

/** Whether the customer wrote it after the site identified them. */
export function isOfLinked(
  { linked }: Pick<DeskConversation, "linked">,
  { role, seq }: Pick<Message, "role" | "seq">,
): boolean {
  return linked !== undefined && role === "customer" && seq > linked.afterSeq;
}
