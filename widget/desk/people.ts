import type { DeskConversation, DeskPresence, DeskSummary } from "../../shared/desk.ts";
import type { Message } from "../../shared/message.ts";
import type { PastConversation } from "../../shared/v1/history.ts";
import { durationText, texts } from "./texts.ts";
import { visitorSign } from "./visitor-sign.ts";

type Customer = DeskSummary["customer"];

/** The facts that a customer's name is chosen from. */
export type NamedCustomer = Pick<Customer, "displayName" | "externalId" | "identified" | "team">;

/**
 * The name that the site signed, that the team typed, or that the customer gave: in this order for a customer whom the
 * site identified, otherwise the team's first.
 */
export function givenName({ displayName, identified, team }: Omit<NamedCustomer, "externalId">) {
  const [own, typed] = [displayName?.trim(), team?.name?.trim()];
  return (identified ? own || typed : typed || own) || undefined;
}

/**
 * The customer's name at the desk. A visitor's generated id means nothing to a person, so a nameless one is called by a
 * short sign.
 */
export function customerName(customer: NamedCustomer): string {
  const own = givenName(customer) ?? (customer.identified ? customer.externalId : undefined);
  return own ?? texts.visitor(visitorSign(customer.externalId).mark);
}

/** Whether nobody said what this visitor is called. */
export function isNameless(customer: NamedCustomer): boolean {
  return givenName(customer) === undefined && !customer.identified;
}

/**
 * The name in lists and headings. For a nameless visitor it includes what the service knows, to tell visitors apart.
 */
export function customerTitle(customer: Customer): string {
  const name = customerName(customer);
  if (!isNameless(customer)) return name;
  const { locale, visit, startedFrom: { page, browser } = {} } = customer;
  const facts = [locale && languageName(locale), browser, visit && texts.visit(visit)];
  // The home page says nothing about a visitor.
  return [page && page !== "/" ? texts.from(name, page) : name, ...facts.filter(Boolean)].join(", ");
}

const languages = new Intl.DisplayNames(["en"], { type: "language", fallback: "none" });

/** "German" for `de` and `de-AT`; undefined for what is no language. */
export function languageName(locale: string): string | undefined {
  const [language = ""] = locale.split("-");
  try {
    return languages.of(language);
  } catch {
    // Pages may name anything as their language.
    return undefined;
  }
}

/** The name of the customer who signed in during an anonymous conversation. */
export function linkedName({ linked }: Pick<DeskConversation, "linked">): string {
  return linked?.displayName?.trim() || (linked?.externalId ?? texts.anonymous);
}

/** The person who has a conversation, as it is shown to others. */
export function holderName({ takenBy, handoff }: Pick<DeskConversation, "takenBy" | "handoff">): string {
  return takenBy?.name ?? handoff?.human?.name ?? texts.colleague;
}

/** Who answered in a conversation of a list; undefined if nobody did. */
export function answererName(answeredBy: PastConversation["answeredBy"]): string | undefined {
  return answeredBy && (answeredBy.role === "agent" ? texts.aiAgent : (answeredBy.name ?? texts.colleague));
}

/** Whether a customer is there, or how long ago they were. */
export function presenceText(presence: DeskPresence, now: number): string {
  if (presence.online) return texts.online;
  return texts.lastSeen(durationText(now - Date.parse(presence.lastSeenAt)));
}

/** Whether the customer wrote it after the site identified them. */
export function isOfLinked(
  { linked }: Pick<DeskConversation, "linked">,
  { role, seq }: Pick<Message, "role" | "seq">,
): boolean {
  return linked !== undefined && role === "customer" && seq > linked.afterSeq;
}
