import type { TokenStorage } from "../../widget/app/environment.ts";
import { screenFault } from "./check.ts";
import { type Customer, createCustomer, createStorage } from "./customer.ts";
import { type FaultProxy, startProxy } from "./proxy.ts";
import type { SeededRandom } from "./random.ts";
import { createTabChannel } from "./tab-channel.ts";
import type { World } from "./world.ts";

const POLL_MS = 15;
const SETTLE_MS = 30_000;
const RETRY_MS = 200;
const A_DAY_MS = 24 * 60 * 60 * 1000;

const pause = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));

/** One browser of one customer, with tabs that share its storage, before the real product. */
export interface Browser {
  readonly world: World;
  readonly proxy: FaultProxy;
  readonly tabs: Customer[];
  /** Opens a tab on what the browser has kept. */
  readonly openTab: () => void;
  readonly closeTab: (at: number) => Promise<void>;
  /** Signs out: what was written until now belongs to somebody who has left. */
  readonly logout: (at: number) => Promise<void>;
  /** Texts that no screen may show any more. */
  readonly isOver: (body: string) => boolean;
  /** A person takes the conversation of a tab, if it waits for one, and writes. */
  readonly replyAsHuman: (at: number) => Promise<void>;
  /** Lets everything come right; gives what did not. */
  readonly settle: () => Promise<string[]>;
  readonly dispose: () => Promise<void>;
}

export async function openBrowser(world: World, random: SeededRandom, name: string): Promise<Browser> {
  // A line of its own, which ends where the world's own line begins: the origin stays that of the world.
  const proxy = await startProxy(() => world.front.link.port, random.next);
  const channel = createTabChannel();
  const storage: TokenStorage = createStorage();
  const tabs: Customer[] = [];
  const gone: Customer[] = [];
  const taken = new Set<string>();
  let generation = 0;
  let opened = 0;
  let replies = 0;

  const openTab = () => {
    opened += 1;
    const tab = createCustomer({
      name: `${name}-t${opened}`,
      url: proxy.url,
      origin: world.front.proxy.url,
      random: random.fork(`tab-${opened}`),
      storage,
      tabs: channel(),
      clockShiftMs: random.between(-1, 1) * A_DAY_MS,
      mark: () => `g${generation}`,
    });
    tab.chat.open();
    tabs.push(tab);
  };
  const faults = () => tabs.flatMap((tab) => (isEmpty(tab) ? [] : (screenFault(tab, world.ledger) ?? [])));

  return {
    world,
    proxy,
    tabs,
    openTab,
    async closeTab(at) {
      gone.push(...tabs.splice(at, 1));
      await gone.at(-1)?.leave();
    },
    async logout(at) {
      generation += 1;
      await tabs[at]?.chat.logout();
    },
    isOver: (body) => {
      const written = / g(\d+) writes /.exec(body)?.[1];
      return written !== undefined && Number(written) < generation;
    },
    async replyAsHuman(at) {
      const { conversation } = tabs[at]?.chat.log.value ?? {};
      if (conversation?.status !== "open" || !conversation.handoff) return;
      if (!taken.has(conversation.id)) await world.desk.take(conversation.id);
      taken.add(conversation.id);
      replies += 1;
      await world.desk.reply(conversation.id, `${name}-r${replies}`, `${name} hears ${replies}`);
    },
    async settle() {
      await proxy.cure();
      const deadline = performance.now() + SETTLE_MS;
      for (const { chat } of tabs) chat.open();
      let nextRetry = 0;
      let quiet = 0;
      while (quiet < 3 && performance.now() < deadline) {
        if (performance.now() >= nextRetry) {
          for (const tab of tabs) tab.retryAll();
          nextRetry = performance.now() + RETRY_MS;
        }
        await pause(POLL_MS);
        quiet = faults().length === 0 ? quiet + 1 : 0;
      }
      return [...faults(), ...storeFaults([...tabs, ...gone], world)];
    },
    async dispose() {
      for (const tab of tabs) await tab.leave();
      await proxy.close();
    },
  };
}

/** Nothing was written here, and nothing is to be shown. */
function isEmpty({ chat }: Customer): boolean {
  const { conversation, pending } = chat.log.value;
  return !conversation && pending.length === 0;
}

/** What the store has against what the panels said, also those that were closed meanwhile. */
function storeFaults(customers: readonly Customer[], { ledger }: World): string[] {
  return customers.flatMap((customer) => [
    ...[...customer.told]
      .filter((key) => !ledger.hasKey(key))
      .map((key) => `${key} was called sent and is not stored`),
    ...customer.falselyTold.map((key) => `${key} was called sent, and nothing had confirmed it`),
    ...customer.written.filter((body) => ledger.countOf(body) > 1).map((body) => `"${body}" is stored twice`),
    ...doubledIn(customer),
  ]);
}

function doubledIn({ name, screen }: Customer): string[] {
  const ids = screen().map(({ id }) => id);
  const seqs = screen().map(({ seq }) => seq);
  const isOrdered = seqs.every((seq, at) => at === 0 || seq > (seqs[at - 1] ?? 0));
  return [
    ...(new Set(ids).size < ids.length ? [`${name} shows a message twice`] : []),
    ...(isOrdered ? [] : [`${name} shows messages out of order`]),
  ];
}
