import type { BrowserContext, Page } from "@playwright/test";
import { type Panel, panelOn } from "../kit/panel.ts";

const A_DAY_MS = 24 * 60 * 60 * 1000;

/** A customer's browser in which something goes wrong. */
export interface Visit {
  readonly context: BrowserContext;
  /** The active tab. */
  page: Page;
  panel: Panel;
  /** Writes one unique message, without waiting for anything. */
  readonly write: () => Promise<void>;
  /** Another tab on the same page, with its panel open. */
  readonly openTab: () => Promise<{ page: Page; panel: Panel }>;
}

export interface BrowserKind {
  readonly name: string;
  /** Runs before the first page. */
  readonly prepare?: (context: BrowserContext, run: number) => Promise<void>;
  /** The fault starts and ends while the customer writes. */
  readonly act: (visit: Visit) => Promise<void>;
}

/** Runs in the page and in its frames before any other script. */
const shiftClock = (shiftMs: number) => {
  const { now } = Date;
  Date.now = () => now() + shiftMs;
};
const refuseStorage = () => {
  for (const name of ["localStorage", "sessionStorage"]) {
    Object.defineProperty(window, name, {
      get() {
        throw new DOMException("refused", "SecurityError");
      },
    });
  }
};

async function several(visit: Visit, count: number): Promise<void> {
  for (let at = 0; at < count; at += 1) await visit.write();
}

/** The eight kinds of faults in a browser. */
export const BROWSER_KINDS: readonly BrowserKind[] = [
  {
    name: "offline-online",
    async act(visit) {
      await several(visit, 2);
      await visit.context.setOffline(true);
      await several(visit, 3);
      await visit.context.setOffline(false);
      await several(visit, 2);
    },
  },
  {
    name: "reload-mid-send",
    async act(visit) {
      await several(visit, 3);
      await visit.page.reload();
      await visit.panel.open();
      await several(visit, 3);
    },
  },
  {
    name: "two-tabs",
    async act(visit) {
      await several(visit, 1);
      const first = visit.panel;
      const second = await visit.openTab();
      for (const panel of [second.panel, first, second.panel]) {
        visit.panel = panel;
        await several(visit, 2);
      }
      visit.page = second.page;
    },
  },
  {
    name: "leader-tab-killed",
    async act(visit) {
      await several(visit, 2);
      const leader = visit.page;
      const second = await visit.openTab();
      visit.page = second.page;
      visit.panel = second.panel;
      await several(visit, 1);
      await leader.close({ runBeforeUnload: false });
      await several(visit, 3);
    },
  },
  {
    name: "bfcache",
    async act(visit) {
      await several(visit, 2);
      await visit.page.goto("about:blank");
      await visit.page.goBack();
      visit.panel = panelOn(visit.page);
      if (!(await visit.panel.composer.isVisible())) await visit.panel.open();
      await several(visit, 3);
    },
  },
  {
    name: "freeze",
    async act(visit) {
      await several(visit, 2);
      const tools = await visit.context.newCDPSession(visit.page);
      // For a moment, with two messages under way. `Page.setWebLifecycleState` stops nothing here: timers go on.
      await tools.send("Debugger.enable");
      const stopped = new Promise((resolve) => tools.once("Debugger.paused", resolve));
      await tools.send("Debugger.pause");
      await stopped;
      await tools.send("Debugger.resume");
      await tools.send("Debugger.disable");
      await several(visit, 3);
    },
  },
  {
    name: "storage-throws",
    async prepare(context) {
      await context.addInitScript(refuseStorage);
    },
    act: (visit) => several(visit, 5),
  },
  {
    name: "device-clock",
    async prepare(context, run) {
      await context.addInitScript(shiftClock, run % 2 === 0 ? A_DAY_MS : -A_DAY_MS);
    },
    act: (visit) => several(visit, 5),
  },
];

export interface VisitOptions {
  /** A browser without an open page. */
  readonly context: BrowserContext;
  readonly url: string;
  readonly kind: BrowserKind;
  readonly run: number;
  /** The beginning of every text. */
  readonly name: string;
  /** How often the fault starts and ends. */
  readonly rounds: number;
}

/** Opens the panel, and runs the fault of the kind. */
export async function visitWith({ context, url, kind, run, name, rounds }: VisitOptions): Promise<Visit> {
  await kind.prepare?.(context, run);
  let written = 0;
  const openTab = async () => {
    const page = await context.newPage();
    await page.goto(url);
    const panel = panelOn(page);
    await panel.open();
    return { page, panel };
  };
  const visit: Visit = {
    context,
    ...(await openTab()),
    openTab,
    async write() {
      written += 1;
      await visit.panel.say(`${name} writes ${written}.`);
    },
  };
  for (let round = 0; round < rounds; round += 1) await kind.act(visit);
  return visit;
}
