import { test } from "@playwright/test";
import { WIDE_LIMITS } from "../../bff/testing/wide-limits.ts";
import { startProduct } from "../kit/product.ts";
import { BROWSER_OPTIONS } from "./browser-campaign.ts";
import { runPagesOf } from "./page-model.ts";
import { createSiteSigner } from "./site-signer.ts";

const RUNS = 5;
const SEED = 20261121;

test.use({ launchOptions: BROWSER_OPTIONS });

test(`IDENT5 IDENT7 ${RUNS} runs in pages: whatever tabs, networks, people and kills do, each screen shows its own person's messages as stored`, async ({
  browser,
}) => {
  const site = await createSiteSigner();
  const product = await startProduct({ ...WIDE_LIMITS, IDENTITY_KEYS: site.keySet });
  try {
    await runPagesOf({ browser, product, site, runs: RUNS, seed: SEED });
  } finally {
    await product.dispose();
  }
});
