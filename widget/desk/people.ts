import type { DeskCustomer, DeskSummary } from "../../shared/desk.ts";
import { texts } from "./texts.ts";

/** What a customer is called on the desk. A visitor's generated id means nothing to a person, so it is no name. */
export function customerName(
  customer: Pick<DeskCustomer | DeskSummary["customer"], "displayName" | "identified" | "externalId">,
): string {
  const name = customer.displayName?.trim();
  if (name) return name;
  return customer.identified ? customer.externalId : texts.anonymous;
}
