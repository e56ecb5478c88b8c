import type { Browser, BrowserContext, Page } from "@playwright/test";
import { type MockOptions, type MockUpstream, startMockUpstream } from "../upstream/mock.ts";
import { recordTexts } from "./claims.ts";
import { lampPage, startSite, TAG } from "./pages.ts";
import { type Panel, panelOn } from "./panel.ts";
import { type Product, startProduct } from "./product.ts";

/** A customer's page on one origin, the product on another, and a mock upstream. */
export interface Stage {
  /** The origin of the customer's page. */
  readonly origin: string;
  readonly mock: MockUpstream;
  readonly product: Product;
  /**
   * A new customer with the panel open, in a separate browser context, which is passed to `prepare` before its first
   * page.
   */
  readonly visit: (
    browser: Browser,
    prepare?: (context: BrowserContext) => Promise<void>,
  ) => Promise<Visitor>;
  readonly dispose: () => Promise<void>;
}

export interface Visitor {
  readonly page: Page;
  readonly panel: Panel;
  /**
   * Resolves once the BFF has answered that the visitor's session exists; faults set afterwards do not affect the
   * start.
   */
  readonly started: () => Promise<void>;
  /** Uses another client address from now on, so that tests do not share limits. */
  readonly moveAddress: () => Promise<void>;
  readonly leave: () => Promise<void>;
}

/** Starts the whole stage; every variable of the product is a real one, and `env` adds to them. */
export async function startStage(
  options: MockOptions,
  env: Readonly<Record<string, string>> = {},
): Promise<Stage> {
  const mock = await startMockUpstream(options);
  const site = await startSite({ "/": { html: lampPage(TAG) } });
  const product = await startProduct({
    ["BASE_URL"]: mock.url,
    ["APPLICATION_CREDENTIAL"]: mock.secrets.credential,
    ["APPLICATION_PUBLIC_KEY"]: mock.secrets.publicKey,
    ["HANDOFF_SECRET"]: mock.secrets.handoffSecret,
    ["ALLOWED_ORIGINS"]: site.origin,
    ["TRUSTED_PROXIES"]: "1",
    ...env,
  });
  site.embed(`http://127.0.0.1:${product.port}`);
  let addresses = 0;
  const nextAddress = () => {
    addresses += 1;
    return { "x-forwarded-for": `10.1.${addresses >> 8}.${addresses & 255}` };
  };

  return {
    origin: site.origin,
    mock,
    product,
    visit: async (browser, prepare) => {
      const context = await browser.newContext({ extraHTTPHeaders: nextAddress() });
      await recordTexts(context);
      await prepare?.(context);
      const page = await context.newPage();
      await page.goto(`${site.origin}/`);
      const panel = panelOn(page);
      const session = firstSession(page);
      await panel.open();
      const moveAddress = () => context.setExtraHTTPHeaders(nextAddress());
      return { page, panel, moveAddress, started: session, leave: () => context.close() };
    },
    dispose: async () => {
      await product.dispose();
      await site.close();
      await mock.close();
    },
  };
}

/** Watches from now on for a session that the BFF reports as created; the returned function waits for it. */
function firstSession(page: Page): () => Promise<void> {
  const made = page.waitForResponse(
    (answer) => new URL(answer.url()).pathname === "/api/session" && answer.ok(),
    { timeout: 0 },
  );
  // No test waits for a visitor who never gets one, or leaves before.
  const settled = made.then(
    () => undefined,
    (cause: unknown) => ({ cause }),
  );
  return async () => {
    const failed = await settled;
    if (failed) throw failed.cause;
  };
}
