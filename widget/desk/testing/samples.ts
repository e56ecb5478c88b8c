import type { DeskConversation, DeskPerson, DeskSummary, DeskUser } from "../../../shared/desk.ts";
import type { Message, Role } from "../../../shared/message.ts";

export const SAM: DeskUser = { id: "usr_sam", email: "sam@shop.example", name: "Sam Okafor", role: "admin" };
export const BEN: DeskPerson = {
  id: "usr_ben",
  email: "ben@shop.example",
  name: "Ben Adeyemi",
  role: "agent",
  state: "active",
};
export const MIRA = { id: "usr_mira", name: "Mira Chen" };
export const ANA = "cnv_ana";

/** 12:00 UTC plus this many minutes. */
export function at(minutes: number): string {
  return new Date(Date.UTC(2026, 10, 21, 12, minutes)).toISOString();
}

export function message(seq: number, role: Role, body: string, more: Partial<Message> = {}): Message {
  return { id: `msg_${seq}`, seq, role, body, at: at(seq), ...more };
}

/** A customer who asked for a person: three events in the log. */
export function waiting(more: Partial<DeskConversation> = {}): DeskConversation {
  return {
    id: ANA,
    status: "open",
    state: "waiting",
    startedAt: at(0),
    customerId: "cus_ana",
    customer: {
      externalId: "cus_1",
      displayName: "Ana Ruiz",
      email: "ana@example.com",
      identified: true,
      traits: { plan: "Member" },
    },
    messages: [message(2, "customer", "My lamp is broken")],
    events: [{ type: "handoff.requested", seq: 3, at: at(3), handoff: { id: "hnd_1", status: "requested" } }],
    reason: "A refund, please",
    route: { channel: "web", agentProvider: "knowledge" },
    lastSeq: 3,
    seenSeq: 0,
    ...more,
  };
}

export function rowOf(conversation: DeskConversation, more: Partial<DeskSummary> = {}): DeskSummary {
  const { id, state, customerId, customer, lastSeq, seenSeq, messages, takenBy } = conversation;
  const { email: _, traits: __, ...who } = customer;
  return {
    id,
    state,
    customerId,
    customer: who,
    startedAt: at(0),
    lastAt: at(lastSeq),
    ...(state === "waiting" ? { waitingSince: at(3) } : {}),
    ...(takenBy ? { takenBy } : {}),
    preview: messages.at(-1)?.body ?? "",
    lastSeq,
    customerSeq: messages.findLast(({ role }) => role === "customer")?.seq ?? 0,
    seenSeq,
    ...more,
  };
}
