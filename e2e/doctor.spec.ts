import { expect, type Page, test } from "@playwright/test";
import { freePort } from "../bff/testing/free-port.ts";
import { startSite } from "./kit/pages.ts";
import { startProduct } from "./kit/product.ts";

const BLOCKING = "script-src http: 'unsafe-eval'; frame-src 'none'";
const PAGES = {
  "/blocked": {
    headers: { "content-security-policy": BLOCKING },
    html: '<!doctype html><title>Lamps</title><script async src="{{widget}}"></script>',
  },
  "/": { html: '<!doctype html><title>Lamps</title><script async src="{{widget}}"></script>' },
};

/** The result of `Parley('doctor')` on the page. */
function askDoctor(page: Page): Promise<unknown> {
  return page.evaluate(`Parley('doctor').then(() => "well", ({ code, message }) => ({ code, message }))`);
}

test("Parley('doctor') resolves when all is well, and reports faults in sentences", async ({ page }) => {
  const site = await startSite(PAGES);
  const well = await startProduct({ ["ALLOWED_ORIGINS"]: site.origin });
  site.embed(`http://127.0.0.1:${well.port}`);
  await page.goto(site.origin);
  await page.waitForFunction("window.Parley?.version");
  expect(await askDoctor(page)).toBe("well");
  // A page whose policy blocks the frame, and one that is not on the list: reported, with both places to look at.
  const unlisted = await startSite(PAGES);
  unlisted.embed(`http://127.0.0.1:${well.port}`);
  for (const url of [`${site.origin}/blocked`, unlisted.origin]) {
    await page.goto(url);
    await page.waitForFunction("window.Parley?.version");
    expect(await askDoctor(page)).toMatchObject({
      code: "unreachable",
      message: expect.stringContaining("blocked (frame-src, ALLOWED_ORIGINS)"),
    });
  }
  await unlisted.close();
  await well.dispose();

  // An address where nothing listens, and a credential that must not be printed.
  const credential = "sk_canary_2f9c1d7e";
  const ill = await startProduct(
    {
      ["ALLOWED_ORIGINS"]: site.origin,
      ["BASE_URL"]: `http://127.0.0.1:${await freePort()}`,
      ["APPLICATION_CREDENTIAL"]: credential,
    },
    "/livez",
  );
  site.embed(`http://127.0.0.1:${ill.port}`);
  await page.goto(site.origin);
  await page.waitForFunction("window.Parley?.version");
  const found = JSON.stringify(await askDoctor(page));
  expect(found).toContain('"code":"doctor"');
  expect(found).toMatch(/BASE_URL|address/i);
  expect(found).not.toContain(credential);
  await ill.dispose();
  await site.close();
});
