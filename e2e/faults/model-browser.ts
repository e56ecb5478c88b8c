import type { Tabs } from "../../widget/app/environment.ts";
import { createRooms } from "../../widget/app/testing/rooms.ts";
import type { BrowserStorage } from "../../widget/client/browser-storage.ts";
import { screenFault } from "./check.ts";
import { type Customer, createCustomer, createStorage } from "./customer.ts";
import { type FaultProxy, startProxy } from "./proxy.ts";
import type { SeededRandom } from "./random.ts";
import { createTabChannel } from "./tab-channel.ts";
import { createWho, isVisitor, signOf, type Who } from "./who.ts";
import type { World } from "./world.ts";

const POLL_MS = 15;
const SETTLE_MS = 90_000;
const RETRY_MS = 200;
const PEOPLE = ["ann", "ben"] as const;
const A_DAY_MS = 24 * 60 * 60 * 1000;

const pause = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));

/** A tab. */
export interface Tab extends Customer {
  /** The person in front of it, as its page has reported. */
  named: string;
  /** The person who writes in it: whoever the site last reported, because nothing newer can be known. */
  as: string;
  /** The page reports its visitor's identity. */
  readonly identify: () => void;
  /** The browser freezes it for a while: it receives nothing, and its timers do not run. */
  readonly freeze: () => void;
  readonly thaw: () => void;
  /** It is closed without notifying the other tabs. */
  readonly kill: () => void;
}

/** One browser with tabs that share its storage, connected to the real product; people sign in and out at its site. */
export interface Browser {
  readonly world: World;
  readonly proxy: FaultProxy;
  readonly tabs: Tab[];
  /** Opens a tab with the browser's stored state. */
  readonly openTab: () => void;
  readonly closeTab: (at: number) => Promise<void>;
  /** The same without notifying the others, including those that share its connection. */
  readonly killTab: (at: number) => Promise<void>;
  /** Signs out: what was written until now belongs to somebody who has left. */
  readonly logout: (at: number) => Promise<void>;
  /** One of two people signs in, on the page of one tab; the others learn of it as tabs do. */
  readonly signIn: (at: number, choice: number) => void;
  /** Whether a tab may show this text. */
  readonly mayShow: (tab: Tab, body: string) => boolean;
  /** A team member takes the conversation of a tab, if it is waiting, and writes. */
  readonly replyAsHuman: (at: number) => Promise<void>;
  /** Lets everything recover; returns what did not. */
  readonly settle: () => Promise<string[]>;
  readonly dispose: () => Promise<void>;
}

export async function openBrowser(world: World, random: SeededRandom, name: string): Promise<Browser> {
  // A separate connection that ends where the world's own begins: the origin is the world's.
  const proxy = await startProxy(() => world.front.link.port, random.next);
  const channel = createTabChannel();
  const rooms = createRooms();
  const confirmed = new Set<string>();
  const storage: BrowserStorage = createStorage();
  const tabs: Tab[] = [];
  const gone: Tab[] = [];
  const taken = new Set<string>();
  const who = createWho();
  let opened = 0;
  let replies = 0;

  const openTab = () => {
    opened += 1;
    const tab = createTab({
      world,
      who,
      name: `${name}-t${opened}`,
      url: proxy.url,
      random: random.fork(`tab-${opened}`),
      storage,
      tabs: channel(),
      rooms,
      confirmed,
      clockShiftMs: random.between(-1, 1) * A_DAY_MS,
    });
    if (who.signedIn() !== undefined) tab.identify();
    tab.chat.open();
    tabs.push(tab);
  };
  const closeTab = async (at: number) => {
    gone.push(...tabs.splice(at, 1));
    await gone.at(-1)?.leave();
  };
  const faults = () => tabs.flatMap((tab) => (isEmpty(tab) ? [] : (screenFault(tab, world.ledger) ?? [])));

  return {
    world,
    proxy,
    tabs,
    openTab,
    closeTab,
    async killTab(at) {
      tabs[at]?.kill();
      await closeTab(at);
    },
    async logout(at) {
      who.signOut();
      const done = tabs[at]?.chat.identity.logout();
      // The others have been notified.
      for (const tab of tabs) tab.named = tab.as = who.now();
      await done;
    },
    signIn(at, choice) {
      who.signIn(PEOPLE[(choice >> 2) % PEOPLE.length] ?? "ann");
      tabs[at]?.identify();
    },
    mayShow: ({ named }, body) => who.mayRead(named, signOf(body) ?? named),
    async replyAsHuman(at) {
      const { conversation } = tabs[at]?.chat.conversation.log.value ?? {};
      if (conversation?.status !== "open" || !conversation.handoff) return;
      if (!taken.has(conversation.id)) await world.desk.take(conversation.id);
      taken.add(conversation.id);
      replies += 1;
      await world.desk.reply(conversation.id, `${name}-r${replies}`, `${name} hears ${replies}`);
    },
    async settle() {
      await proxy.cure();
      const deadline = performance.now() + SETTLE_MS;
      // A page that has not learned who is signed in learns it when it is reloaded.
      for (const tab of tabs.filter(({ named }) => named !== who.now())) {
        await closeTab(tabs.indexOf(tab));
        openTab();
      }
      for (const { chat } of tabs) chat.open();
      let nextRetry = 0;
      let quiet = 0;
      while (quiet < 3 && performance.now() < deadline) {
        if (performance.now() >= nextRetry) {
          for (const tab of tabs) {
            tab.retryAll();
            // If there is nothing to retry, a person presses what the panel offers instead.
            if (tab.chat.session.state.value.kind === "failed") tab.chat.wake();
          }
          nextRetry = performance.now() + RETRY_MS;
        }
        await pause(POLL_MS);
        quiet = faults().length === 0 ? quiet + 1 : 0;
      }
      const left = tabs
        .filter(({ named }) => named !== who.now())
        .map(({ name: tab }) => `${tab} has not heard`);
      return [
        ...left,
        ...faults(),
        ...storeFaults([...tabs, ...gone], world),
        ...ownerFaults(world.ledger.ownersOf(`${name}-t`), who),
      ];
    },
    async dispose() {
      for (const tab of tabs) await tab.leave();
      await proxy.close();
    },
  };
}

const personIn = (externalId: string) => /-(ann|ben)$/.exec(externalId)?.[1];

/**
 * Messages of one customer that the service stored for another: even queued messages must not be sent in another's
 * name.
 */
function ownerFaults(owned: ReturnType<World["ledger"]["ownersOf"]>, who: Who): string[] {
  return owned.flatMap(({ owner, body }) => {
    const sign = signOf(body);
    const person = personIn(owner);
    if (!sign || !person || who.mayRead(person, sign)) return [];
    return [`"${body}" is stored for ${person}`];
  });
}

interface TabOptions {
  readonly world: World;
  readonly who: Who;
  readonly name: string;
  readonly url: string;
  readonly random: SeededRandom;
  readonly storage: BrowserStorage;
  readonly tabs: Tabs;
  readonly rooms: ReturnType<typeof createRooms>;
  readonly clockShiftMs: number;
  readonly confirmed: Set<string>;
}

function createTab({ world, who, name, rooms, ...options }: TabOptions): Tab {
  let place: ReturnType<typeof rooms.enter> | undefined;
  const customer = createCustomer({
    ...options,
    enterRooms(setTimer) {
      place = rooms.enter(setTimer);
      return place.more;
    },
    name,
    origin: world.front.proxy.url,
    mark: () => tab.as,
  });
  const { site } = customer.chat.identity;
  let turn = 0;
  const hear = () => {
    // Until the service knows a person here, the visitor's messages belong to whoever the site names.
    const { session } = customer.chat;
    const isKnown = session.state.value.kind === "ready" && session.customer()?.identified === true;
    if (!isVisitor(who.now()) && !isKnown) who.link(who.visitor(), who.now());
    tab.named = who.now();
  };
  // The site's own page asks its server, which knows from its cookie who is there.
  site.connect((id) => {
    hear();
    tab.as = who.now();
    const person = who.signedIn();
    const run = name.replace(/-t\d+$/, "");
    if (person === undefined) site.answer(id, "null");
    else void world.site.sign(`${run}-${person}`).then((token) => site.answer(id, token));
  });
  const tab: Tab = {
    ...customer,
    freeze: () => place?.freeze(),
    thaw: () => place?.thaw(),
    kill: () => place?.kill(),
    // Until its page reports an identity.
    named: who.visitor(),
    as: who.visitor(),
    identify() {
      hear();
      turn += 1;
      customer.chat.identity.identify(turn);
    },
  };
  return tab;
}

/** Nothing was written here, and nothing may be shown. */
function isEmpty({ chat }: Customer): boolean {
  const { conversation, pending } = chat.conversation.log.value;
  return !conversation && pending.length === 0;
}

/** Differences between the store and what the panels said, including closed ones. */
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
