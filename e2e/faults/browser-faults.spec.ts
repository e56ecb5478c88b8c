import { join } from "node:path";
import { expect, test } from "@playwright/test";
import { launchOptions } from "../browser.ts";
import { type Product, startProduct } from "../kit/product.ts";
import { BROWSER_KINDS, visitWith } from "./browser-kinds.ts";
import { type Ledger, openLedger } from "./ledger.ts";

const RUNS = 3;
const SETTLE_MS = 40_000;
const LIMITS = ["SENDS_PER_ADDRESS", "SESSIONS_PER_ADDRESS", "SESSIONS_PER_NETWORK"];

// The browser keeps pages in its back-forward cache as it does for people; the tests' own flags forbid it.
test.use({ launchOptions: { ...launchOptions, ignoreDefaultArgs: ["--disable-back-forward-cache"] } });
test.setTimeout(180_000);

let product: Product;
let ledger: Ledger;
test.beforeAll(async () => {
  product = await startProduct(Object.fromEntries(LIMITS.map((name) => [`LIMIT_${name}`, "100000"])));
  ledger = openLedger(join(product.dataDir, "service.sqlite"));
});
test.afterAll(async () => {
  ledger.close();
  await product.dispose();
});

for (const kind of BROWSER_KINDS) {
  test(`R56 R60 R61 R62 ${kind.name}, ${RUNS} times: the screen shows what is stored, each once, in order`, async ({
    browser,
  }) => {
    for (let run = 0; run < RUNS; run += 1) {
      const name = `${kind.name}-${run}`;
      const errors: string[] = [];
      const onError = (error: string) => errors.push(error);
      const visit = await visitWith({ browser, url: product.site, kind, run, name, onError });
      const shown = async () => {
        // Not what is drawn: the browser leaves out what is scrolled away.
        const text = (await visit.panel.log.textContent()) ?? "";
        return [...text.matchAll(new RegExp(`${name} writes \\d+\\.`, "g"))].map(([body]) => body);
      };
      await expect(async () => {
        for (const retry of await visit.panel.button("Retry").all()) await retry.click({ timeout: 1000 });
        const stored = ledger.bodiesWith(`${name} writes`);
        expect(await shown()).toEqual(stored);
        expect(new Set(stored).size).toBe(stored.length);
        await expect(visit.panel.button("Retry")).toHaveCount(0, { timeout: 100 });
      }).toPass({ timeout: SETTLE_MS });
      // The last one was written when all was well again: there it must be.
      expect((await shown()).length).toBeGreaterThanOrEqual(3);
      expect(errors).toEqual([]);
      await visit.context.close();
    }
  });
}
