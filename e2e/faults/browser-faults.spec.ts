import { join } from "node:path";
import { expect, test } from "@playwright/test";
import { WIDE_LIMITS } from "../../bff/testing/wide-limits.ts";
import { type Product, startProduct } from "../kit/product.ts";
import { BROWSER_OPTIONS } from "./browser-campaign.ts";
import { BROWSER_KINDS, type BrowserKind } from "./browser-kinds.ts";
import { runInBrowser } from "./browser-run.ts";
import { type Ledger, openLedger } from "./ledger.ts";

/** Each kind three times. What a kind prepares lasts for a whole visit. */
const countsOf = ({ prepare }: BrowserKind) =>
  prepare ? { visits: 3, rounds: 1 } : { visits: 1, rounds: 3 };

test.use({ launchOptions: BROWSER_OPTIONS });

let product: Product;
let ledger: Ledger;
test.beforeAll(async () => {
  product = await startProduct(WIDE_LIMITS);
  ledger = openLedger(join(product.dataDir, "service.sqlite"));
});
test.afterAll(async () => {
  ledger.close();
  await product.dispose();
});

for (const kind of BROWSER_KINDS) {
  const { visits, rounds } = countsOf(kind);
  test(`${kind.name}, ${visits * rounds} times: the screen shows what is stored, once and in order, and nothing was called sent too early`, async ({
    browser,
  }) => {
    for (let run = 0; run < visits; run += 1) {
      const name = `${kind.name}-${run}`;
      const found = await runInBrowser({ browser, ledger, url: product.site, kind, run, name, rounds });
      expect(found).toMatchObject({ lost: 0, doubled: 0, disordered: 0, falseSent: 0, other: [] });
    }
  });
}
