import { check, type Findings, screenFault } from "./check.ts";
import { type Customer, createCustomer } from "./customer.ts";
import type { Kind } from "./kind.ts";
import type { SeededRandom } from "./random.ts";
import type { World } from "./world.ts";

export interface Size {
  readonly customers: number;
  /** Messages of each customer. */
  readonly messages: number;
  /** Messages of a person of the team to the first customer. */
  readonly replies: number;
}

export const SMALL: Size = { customers: 3, messages: 7, replies: 3 };
/** More than a hundred messages per run, including the agent's answers. */
export const WHOLE: Size = { customers: 5, messages: 10, replies: 10 };

const POLL_MS = 20;
/** Only a failing run takes this long. */
export const SETTLE_MS = 120_000;
/** How often a customer checks for unconfirmed messages and presses Retry. */
const RETRY_MS = 250;

const pause = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));

export interface RunDeps {
  readonly world: World;
  readonly kind: Kind;
  readonly size: Size;
  readonly random: SeededRandom;
  /** A unique name in this world; every text contains it. */
  readonly name: string;
  /** How long everything may take to recover, in ms. */
  readonly settleMs: number;
}

/**
 * One run: customers write, the agent and a person answer, and meanwhile the fault starts and ends. Then everything
 * gets time to recover, and each screen is compared with the store.
 */
export async function run({ world, kind, size, random, name, settleMs }: RunDeps): Promise<Findings> {
  const customers = Array.from({ length: size.customers }, (_, index) =>
    createCustomer({
      name: `${name}-${index}`,
      url: world.front.proxy.url,
      random: random.fork(`customer-${index}`),
      clockShiftMs: random.between(-1, 1) * 24 * 60 * 60 * 1000,
    }),
  );
  const replies = new Map<string, string[]>();
  try {
    for (const { chat } of customers) chat.open();
    const person = askAndReply({ world, customers, replies, size, name, settleMs });
    // A failed reply is reported at the end; until then it must not count as an unhandled error.
    person.catch(() => undefined);
    await Promise.all([
      comeAndGo(world, kind, random.fork("fault")),
      ...customers.map((customer, index) =>
        writeAll(customer, size.messages, random.fork(`writing-${index}`)),
      ),
    ]);
    const wakes = random.chance(0.5);
    for (const { chat } of customers) if (wakes) chat.wake();
    const stopRetrying = retryNowAndThen(customers);
    try {
      await person;
      await settle(customers, world, settleMs);
    } finally {
      stopRetrying();
    }
    return check(customers, replies, world.ledger);
  } catch (cause) {
    throw new Error(customers.map((customer) => stateOf(customer)).join("; "), { cause });
  } finally {
    await Promise.all(customers.map((customer) => customer.leave()));
  }
}

/** A customer's state when a run broke off. */
function stateOf({ name, chat, screen }: Customer): string {
  const { conversation, pending } = chat.conversation.log.value;
  const doubts = pending.map(({ status, code }) => `${status} ${code ?? ""}`).join(", ");
  const session = chat.session.state.value;
  const failure = session.kind === "failed" ? ` ${session.failure.code}` : "";
  const handoff = conversation?.handoff?.status ?? "none";
  return `${name}: session ${session.kind}${failure}, line ${chat.connection.following.value.stream}, ${screen().length} on the screen, pending [${doubts}], handoff ${handoff}`;
}

async function comeAndGo(world: World, kind: Kind, random: SeededRandom): Promise<void> {
  await pause(random.between(0, 200));
  const cure = await kind.arrange(world, random);
  try {
    await pause(random.between(kind.lastsMs[0], kind.lastsMs[1]));
  } finally {
    await cure();
  }
}

async function writeAll(customer: Customer, messages: number, random: SeededRandom): Promise<void> {
  for (let at = 0; at < messages; at += 1) {
    customer.write();
    // Sometimes several at once, sometimes with a pause in which a fault may start or end.
    await pause(random.chance(0.3) ? 0 : random.between(10, 200));
    if (random.chance(0.2)) customer.retryAll();
  }
}

interface Asking {
  readonly world: World;
  readonly customers: readonly Customer[];
  readonly replies: Map<string, string[]>;
  readonly size: Size;
  readonly name: string;
  readonly settleMs: number;
}

/** The first customer asks for a person, who takes the conversation and writes. */
async function askAndReply({ world, customers, replies, size, name, settleMs }: Asking): Promise<void> {
  const [customer] = customers;
  if (!customer || size.replies === 0) return;
  const handoff = () => customer.chat.conversation.log.value.conversation?.handoff;
  const deadline = performance.now() + settleMs;
  while (!handoff()) {
    if (performance.now() > deadline) throw new Error("no person could be asked");
    if (customer.chat.conversation.log.value.conversation)
      await customer.chat.conversation.requestHuman("please");
    await pause(POLL_MS * 5);
  }
  const id = customer.chat.conversation.log.value.conversation?.id ?? "";
  await world.desk.take(id);
  const texts: string[] = [];
  replies.set(customer.name, texts);
  for (let at = 1; at <= size.replies; at += 1) {
    const body = `${customer.name} hears ${at}`;
    await world.desk.reply(id, `${name}-reply-${at}`.replace(/[^\w-]/g, "-"), body);
    texts.push(body);
    await pause(POLL_MS);
  }
}

function retryNowAndThen(customers: readonly Customer[]): () => void {
  const timer = setInterval(() => {
    for (const customer of customers) customer.retryAll();
  }, RETRY_MS);
  return () => clearInterval(timer);
}

/** Until every screen matches the store three times in a row: an answer of the agent may still be on its way. */
async function settle(customers: readonly Customer[], world: World, settleMs: number): Promise<void> {
  const deadline = performance.now() + settleMs;
  let quiet = 0;
  while (quiet < 3 && performance.now() < deadline) {
    await pause(POLL_MS);
    const isQuiet = customers.every((customer) => screenFault(customer, world.ledger) === undefined);
    quiet = isQuiet ? quiet + 1 : 0;
  }
}
