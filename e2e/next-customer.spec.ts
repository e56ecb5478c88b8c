import { expect, type Page, test } from "@playwright/test";
import { type IdentitySite, startIdentitySite } from "./kit/identity-site.ts";
import { identify } from "./kit/moments.ts";
import { lampPage, startSite, TAG } from "./kit/pages.ts";
import { frameOf, panelOn } from "./kit/panel.ts";
import { openShop, type Shop } from "./kit/shop.ts";

// Two customers, one after the other, in one page: nothing that the page said of the first reaches the second.

const compat = (name: string, before = "", after = "") => ({
  html: lampPage(`${before}<script src="{{origin}}/compat/${name}.js"></script>${after}`),
});

const PAGES = {
  "/plain": { html: lampPage(TAG) },
  "/intercom": compat(
    "intercom",
    "<script>window.intercomSettings={name:'Ada',email:'ada@example.com',language_override:'de'}</script>",
  ),
  "/crisp": compat("crisp", "<script>window.$crisp=[]</script>"),
  "/chatwoot": compat("chatwoot", "", "<script>chatwootSDK.run({})</script>"),
  "/zendesk": compat("zendesk"),
};

/** How each API names the first customer, and how it says that another is there. */
const APIS = [
  {
    path: "/plain",
    first:
      "Parley.setTraits({name:'Ada',email:'ada@example.com'});Parley.setLocale('de');Parley.update({greeting:'Hello Ada'})",
    next: "Parley.logout()",
  },
  {
    path: "/intercom",
    first: "Intercom('update',{plan:'Ada-plan'})",
    next: "Intercom('shutdown');Intercom('boot',{})",
  },
  {
    path: "/crisp",
    first:
      '$crisp.push(["set","user:nickname",["Ada"]],["set","user:email",["ada@example.com"]],["set","message:text",["I am Ada"]])',
    next: '$crisp.push(["do","session:reset"])',
  },
  {
    path: "/chatwoot",
    first: "$chatwoot.setUser('ada',{name:'Ada',email:'ada@example.com'});$chatwoot.setLocale('de')",
    next: "$chatwoot.reset()",
  },
  {
    path: "/chatwoot",
    first: "$chatwoot.setUser('ada',{name:'Ada',email:'ada@example.com'});$chatwoot.setLocale('de')",
    next: "$chatwoot.setUser('bob',{})",
  },
  {
    path: "/zendesk",
    first:
      "zE('webWidget','identify',{name:'Ada',email:'ada@example.com'});zE('messenger:set','locale','de')",
    next: "zE('messenger','logoutUser')",
  },
] as const;

/** The bodies that the panel's frame sends when sessions start, and the sessions that it ended. */
function listenTo(tab: Page) {
  const said: string[] = [];
  const ended: (string | undefined)[] = [];
  tab.on("request", (request) => {
    if (!request.url().endsWith("/api/session")) return;
    if (request.method() === "POST") said.push(request.postData() ?? "");
    if (request.method() === "DELETE") ended.push(request.headers()["authorization"]);
  });
  return { said, ended };
}

/** The customer that a request's token names. */
function subjectIn(text: string): string | undefined {
  const { token } = JSON.parse(text) as { token?: string };
  const claims = token?.split(".")[1];
  return claims && (JSON.parse(Buffer.from(claims, "base64url").toString()) as { sub: string }).sub;
}

const localeIn = (text = "{}") => (JSON.parse(text) as { locale?: string }).locale;

test.describe("IDENT10 the next customer of one page", () => {
  let shop: Shop;
  test.beforeAll(async () => {
    shop = await openShop(await startSite(PAGES));
  });
  test.afterAll(() => shop.dispose());

  for (const { path, first, next } of APIS)
    test(`${path} ${next}: takes over nothing that the page said of the first`, async ({ page: tab }) => {
      const { said, ended } = listenTo(tab);
      const panel = panelOn(tab);
      await tab.goto(shop.site.origin + path);
      await expect(panel.launcher).toBeVisible();
      await tab.evaluate(first);
      await tab.evaluate("Parley.open()");
      await expect(frameOf(tab).getByRole("textbox").first()).toBeVisible();
      await expect.poll(() => said.at(-1)).toContain("Ada");
      await frameOf(tab).getByRole("textbox").first().fill("Ada's half thought");
      await tab.evaluate(next);
      await expect.poll(() => ended.length).toBe(1);
      const before = said.length;
      await tab.evaluate("Parley.open()");
      await expect.poll(() => said.length).toBeGreaterThan(before);
      await expect(panel.composer).toHaveValue("");
      expect(said.slice(before).join()).not.toMatch(/ada/i);
      expect(JSON.parse(said.at(-1) ?? "{}")).toMatchObject({ locale: "en-US" });
      expect(await frameOf(tab).evaluate(() => document.body.innerText)).not.toContain("Ada");
      // One session, one request: the second would be a 401 in the site's console.
      expect(ended).toHaveLength(1);
    });
});

test.describe("IDENT10 another customer whom the site identifies without a logout", () => {
  let shop: Shop<IdentitySite>;
  test.beforeAll(async () => {
    const site = await startIdentitySite();
    shop = await openShop(site, { ["IDENTITY_KEYS"]: site.keySet });
  });
  test.afterAll(() => shop.dispose());

  test("takes over nothing that the page said of the first; the same one keeps it (control)", async ({
    page: tab,
  }) => {
    const { said } = listenTo(tab);
    const panel = panelOn(tab);
    await tab.goto(`${shop.site.origin}/`);
    await identify(tab, () => shop.site.sign("ada"));
    await tab.evaluate("Parley.setTraits({name:'Ada'});Parley.update({greeting:'Hello Ada'})");
    await panel.open();
    await expect.poll(() => said.at(-1)).toContain('"name":"Ada"');
    await expect(panel.frame.getByText("Hello Ada")).toBeVisible();
    await tab.evaluate("Parley.setLocale('de')");
    const language = () => frameOf(tab).evaluate(() => document.documentElement.lang);
    await expect.poll(language).toBe("de");

    await identify(tab, () => shop.site.sign("ada"));
    await expect.poll(() => said.length).toBeGreaterThan(1);
    expect(said.at(-1)).toContain('"name":"Ada"');
    expect(localeIn(said.at(-1))).toBe("de");

    await identify(tab, () => shop.site.sign("bob"));
    await expect.poll(() => said.map(subjectIn)).toContain("bob");
    await expect(panel.composer).toBeVisible();
    await expect(panel.frame.getByText("Hello Ada")).toHaveCount(0);
    const sent = said.slice(said.map(subjectIn).indexOf("bob"));
    expect(sent.join()).not.toContain('"name":"Ada"');
    expect(sent.map(localeIn)).toEqual(sent.map(() => "en-US"));
    await expect.poll(language).toBe("en-US");
  });
});
