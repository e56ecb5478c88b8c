import { existsSync } from "node:fs";
import { type Browser, test as base, chromium } from "@playwright/test";
import { launchOptions } from "../browser.ts";

/** The full browser, if it is installed: the headless shell has no back-forward cache at all. */
const WHOLE_BROWSER = "/usr/bin/chromium";
const options = existsSync(WHOLE_BROWSER) ? { executablePath: WHOLE_BROWSER } : launchOptions;

const HIDDEN_FEATURE = "ThirdPartyStoragePartitioning";
const NO_BACK_FORWARD_CACHE = "--disable-back-forward-cache";

/**
 * Chromium as visitors have it. The test runner starts it without storage partitioning and without the back-forward
 * cache, so tests of both would pass or fail for reasons that no visitor has.
 * @throws Error when the runner's switches are not the ones that this removes
 */
async function launchTrueBrowser(): Promise<Browser> {
  const server = await chromium.launchServer(options);
  const given = server.process().spawnargs;
  await server.close();
  const features = given.find((arg) => arg.startsWith("--disable-features=") && arg.includes(HIDDEN_FEATURE));
  if (!features || !given.includes(NO_BACK_FORWARD_CACHE))
    throw new Error(`other switches: ${given.join(" ")}`);
  const kept = features.split(/[=,]/).filter((name) => name !== HIDDEN_FEATURE);
  const [option, ...names] = kept;
  return chromium.launch({
    ...options,
    ignoreDefaultArgs: [features, NO_BACK_FORWARD_CACHE],
    args: [`${option}=${names.join(",")}`],
  });
}

/** Tests in a browser as visitors have it; engines other than Chromium are unchanged. */
export const test = base.extend<object, { readonly browser: Browser }>({
  browser: [
    async ({ browserName, playwright }, use) => {
      const browser =
        browserName === "chromium" ? await launchTrueBrowser() : await playwright[browserName].launch();
      await use(browser);
      await browser.close();
    },
    { scope: "worker" },
  ],
});
