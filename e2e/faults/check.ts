import type { Customer } from "./customer.ts";
import type { Ledger } from "./ledger.ts";

/** The findings of one run. All counts except `messages` are zero in a good one. */
export interface Findings {
  messages: number;
  /** Called sent but not stored, or stored but not on the screen. */
  lost: number;
  doubled: number;
  disordered: number;
  falseSent: number;
  /**
   * Anything else that must not happen: another customer's text, a message that can't be retried, an unhandled error.
   */
  readonly other: string[];
}

/** The difference between a customer's screen and the service's log; undefined if there is none. */
export function screenFault({ chat, screen }: Customer, ledger: Ledger): string | undefined {
  const { conversation, pending } = chat.conversation.log.value;
  if (pending.length > 0) {
    return `${pending.length} not confirmed: ${pending.map(({ status, code }) => `${status} ${code ?? ""}`).join(", ")}`;
  }
  if (chat.identity.isChanging.value) return "covered";
  if (!conversation) return "no conversation";
  const waiting = ledger.unanswered(conversation.id);
  if (waiting > 0) return `${waiting} messages without the agent's answer`;
  const stored = ledger.messagesOf(conversation.id).map(({ id }) => id);
  const shown = screen().map(({ id }) => id);
  if (shown.join() === stored.join()) return undefined;
  return `${shown.length} on the screen, ${stored.length} stored, the line is ${chat.connection.following.value.stream}`;
}

/** Compares every customer of a run with what is stored. */
export function check(
  customers: readonly Customer[],
  replies: ReadonlyMap<string, readonly string[]>,
  ledger: Ledger,
): Findings {
  const findings: Findings = { messages: 0, lost: 0, doubled: 0, disordered: 0, falseSent: 0, other: [] };
  for (const customer of customers)
    checkCustomer(customer, replies.get(customer.name) ?? [], ledger, findings);
  checkCanaries(customers, findings);
  const holes = ledger.holes();
  if (holes > 0) findings.other.push(`${holes} conversations with a hole in their sequence`);
  return findings;
}

function checkCustomer(
  customer: Customer,
  replies: readonly string[],
  ledger: Ledger,
  findings: Findings,
): void {
  const { name, chat, written } = customer;
  const shown = customer.screen();
  const stored = ledger.messagesOf(chat.conversation.log.value.conversation?.id ?? "");
  const ids = new Set(shown.map(({ id }) => id));
  // Stored messages count in any conversation: after two 404 answers a customer continues in another one.
  findings.messages += stored.filter(({ role }) => role === "agent").length;
  findings.lost += stored.filter(({ id }) => !ids.has(id)).length;
  findings.doubled += shown.length - ids.size;
  for (const body of [...written, ...replies]) {
    const times = ledger.countOf(body);
    findings.messages += times;
    if (times === 0) {
      findings.lost += 1;
      findings.other.push(`"${body}" is not stored`);
    }
    if (times > 1) {
      const elsewhere = Math.min(customer.retriesAfterSent(body), ledger.conversationsWith(body) - 1);
      findings.doubled += times - 1 - elsewhere;
    }
    const seen = shown.filter((message) => message.body === body).length;
    if (seen > 1) findings.doubled += seen - 1;
  }
  findings.lost += [...customer.told].filter((key) => !ledger.hasKey(key)).length;
  findings.falseSent += customer.falselyTold.length;
  const known = stored.filter(({ id }) => ids.has(id)).map(({ id }) => id);
  const inOrder = shown.map(({ id }) => id);
  if (new Set(inOrder).size === known.length && known.join() !== inOrder.join()) findings.disordered += 1;
  const fault = screenFault(customer, ledger);
  if (fault) findings.other.push(`${name}: ${fault}`);
}

/** Every text contains its customer's name: nobody else may see it. */
function checkCanaries(customers: readonly Customer[], findings: Findings): void {
  for (const customer of customers) {
    const others = customers.filter(({ name }) => name !== customer.name).map(({ name }) => `${name} `);
    const foreign = customer.screen().filter(({ body }) => others.some((other) => body.includes(other)));
    if (foreign.length > 0) findings.other.push(`${customer.name} sees ${foreign.length} messages of others`);
  }
}
