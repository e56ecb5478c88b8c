import { type Browser, type BrowserContext, expect, type Page } from "@playwright/test";
import { isOpening, type Panel, panelOn } from "../kit/panel.ts";
import type { Product } from "../kit/product.ts";
import type { Ledger } from "./ledger.ts";
import { watchPages } from "./page-watch.ts";
import type { SiteSigner } from "./site-signer.ts";
import { createWho, isVisitor, signOf, type Who } from "./who.ts";

const SETTLE_MS = 40_000;
const POLL_MS = 50;
const PATIENCE_MS = 15_000;
const PEOPLE = ["ann", "ben"] as const;

/** One page of the shop with its panel open. */
export interface PageTab {
  readonly page: Page;
  readonly panel: Panel;
  /** The person in front of it, as the page has reported. */
  named: string;
  /** The person who writes in it: whoever the site last reported, because nothing newer can be known. */
  as: string;
}

/** A real browser with the product: what the model does to tabs, done to pages. */
export interface PageBrowser {
  readonly context: BrowserContext;
  readonly tabs: PageTab[];
  readonly product: Product;
  readonly openTab: () => Promise<void>;
  readonly closeTab: (at: number) => Promise<void>;
  readonly reload: (at: number) => Promise<void>;
  readonly write: (at: number) => Promise<void>;
  readonly retry: (at: number) => Promise<void>;
  readonly signIn: (at: number, choice: number) => Promise<void>;
  readonly logout: (at: number) => Promise<void>;
  /** Content that a screen must not show; undefined if there is none. */
  readonly look: () => Promise<string | undefined>;
  /** Lets everything recover; returns what did not. */
  readonly settle: () => Promise<string[]>;
  readonly dispose: () => Promise<void>;
}

export interface PageBrowserOptions {
  readonly browser: Browser;
  readonly product: Product;
  readonly ledger: Ledger;
  readonly site: SiteSigner;
  /** A unique name. */
  readonly name: string;
}

declare global {
  interface Window {
    /** The token of the person who is signed in at the shop, as its server would issue it. */
    shopToken?: () => Promise<string | null>;
  }
}

export async function openPageBrowser(options: PageBrowserOptions): Promise<PageBrowser> {
  const { browser, product, ledger, site, name } = options;
  const context = await browser.newContext();
  context.setDefaultTimeout(PATIENCE_MS);
  const watch = await watchPages(context, ledger);
  const who = createWho();
  const tabs: PageTab[] = [];
  let written = 0;

  // The panel does not show whether it has learned of the first of two people: a visitor's messages belong to whoever
  // the site names until the next logout.
  const hear = (tab: PageTab) => {
    if (!isVisitor(who.now())) who.link(who.visitor(), who.now());
    tab.named = who.now();
  };
  await context.exposeBinding("shopToken", async ({ page }) => {
    const tab = tabs.find((each) => each.page === page);
    if (tab) {
      hear(tab);
      tab.as = who.now();
    }
    const person = who.signedIn();
    return person === undefined ? null : site.sign(`${name}-${person}`);
  });
  const identify = async (tab: PageTab) => {
    hear(tab);
    await tab.page.evaluate(() => {
      const { Parley } = window as unknown as { Parley: (...args: unknown[]) => unknown };
      // The panel reports its failure itself.
      void Promise.resolve(Parley("identify", { getToken: () => window.shopToken?.() })).catch(
        () => undefined,
      );
    });
  };
  const begin = async (tab: PageTab) => {
    if (who.signedIn() !== undefined) await identify(tab);
    await expect(tab.page.locator("parley-chat")).toBeAttached();
    if (!(await isOpening(tab.page))) await tab.panel.launcher.click();
  };
  const openTab = async () => {
    const page = await context.newPage();
    const tab: PageTab = { page, panel: panelOn(page), named: who.visitor(), as: who.visitor() };
    tabs.push(tab);
    await page.goto(product.site);
    await begin(tab);
  };
  const closeTab = async (at: number) => {
    for (const { page } of tabs.splice(at, 1)) await page.close();
  };
  const foreignOn = async (tab: PageTab) =>
    (await shownOn(tab, name)).find((body) => !who.mayRead(tab.named, signOf(body) ?? tab.named));
  const faults = async () => (await Promise.all(tabs.map((tab) => tabFault(tab, who, ledger, name)))).flat();

  return {
    context,
    tabs,
    product,
    openTab,
    closeTab,
    async reload(at) {
      const tab = tabs[at];
      if (!tab) return;
      await tab.page.reload();
      await begin(tab);
    },
    async write(at) {
      const tab = tabs[at];
      if (!tab || !(await isWritable(tab))) return;
      written += 1;
      try {
        await tab.panel.say(`${name} ${tab.as} writes ${written}.`);
      } catch (error) {
        // A logout, here or in another tab, closes the panel a moment later; nobody can write in it then.
        if (await isOpening(tab.page)) throw error;
      }
    },
    async retry(at) {
      const tab = tabs[at];
      if (tab) await pressAll(tab, "Retry");
    },
    async signIn(at, choice) {
      who.signIn(PEOPLE[(choice >> 2) % PEOPLE.length] ?? "ann");
      const tab = tabs[at];
      if (tab) await identify(tab);
    },
    async logout(at) {
      who.signOut();
      await tabs[at]?.page.evaluate(() => {
        const { Parley } = window as unknown as { Parley: (...args: unknown[]) => unknown };
        void Promise.resolve(Parley("logout")).catch(() => undefined);
      });
      for (const tab of tabs) tab.named = tab.as = who.now();
      // The other tabs hear of it a moment later.
      for (const tab of tabs.filter((_, index) => index !== at))
        await expect.poll(() => foreignOn(tab)).toBeUndefined();
    },
    async look() {
      for (const tab of tabs) {
        const foreign = await foreignOn(tab);
        if (foreign) return `"${foreign}" is shown to ${tab.named}`;
        const shown = await shownOn(tab, name);
        if (new Set(shown).size < shown.length) return `a text is shown twice to ${tab.named}`;
      }
      return undefined;
    },
    async settle() {
      await context.setOffline(false);
      for (const tab of tabs.filter(({ named }) => named !== who.now())) {
        await closeTab(tabs.indexOf(tab));
        await openTab();
      }
      const deadline = performance.now() + SETTLE_MS;
      let left = await faults();
      while (left.length > 0 && performance.now() < deadline) {
        for (const tab of tabs) for (const button of ["Retry", "Try again"]) await pressAll(tab, button);
        await new Promise((resolve) => setTimeout(resolve, POLL_MS));
        left = await faults();
      }
      const bodies = ledger.bodiesWith(`${name} `);
      if (new Set(bodies).size < bodies.length) left.push("a text is stored twice");
      for (const id of watch.told)
        if (!ledger.hasMessage(id)) left.push(`${id} was called sent and is not stored`);
      for (const id of watch.falselyTold) left.push(`${id} was called sent before it was stored`);
      return [...left, ...watch.errors];
    },
    dispose: () => context.close(),
  };
}

async function isWritable({ page, panel }: PageTab): Promise<boolean> {
  return (await isOpening(page)) && (await panel.composer.isVisible()) && (await panel.composer.isEditable());
}

async function pressAll({ panel }: PageTab, name: string): Promise<void> {
  for (const button of await panel.button(name).all()) {
    // A button that disappeared meanwhile needs no click.
    await button.click({ timeout: 1000 }).catch(() => undefined);
  }
}

/** Texts of this run on one screen; none if the panel is covered or has no conversation. */
async function shownOn({ panel }: PageTab, name: string): Promise<string[]> {
  const logs = await panel.log.allTextContents();
  return [...logs.join("\n").matchAll(new RegExp(`${name} \\w+ writes \\d+\\.`, "g"))].map(([body]) => body);
}

async function tabFault(tab: PageTab, who: Who, ledger: Ledger, name: string): Promise<string[]> {
  const shown = await shownOn(tab, name);
  const waiting = await tab.panel.button("Retry").count();
  if (waiting > 0) return [`${waiting} not confirmed`];
  // A visitor created by a logout has written nothing; an identified person sees whole conversations of theirs.
  const owned = ledger.ownersOf(`${name} `);
  const bodies = new Set(owned.map(({ body }) => body));
  const unstored = shown.filter((body) => !bodies.has(body));
  if (unstored.length > 0) return [`"${unstored[0]}" is shown and not stored`];
  const wrong = owned.find(({ owner, body }) => {
    const person = /-(ann|ben)$/.exec(owner)?.[1];
    return person !== undefined && !who.mayRead(person, signOf(body) ?? person);
  });
  return wrong ? [`"${wrong.body}" is stored for ${wrong.owner}`] : [];
}
