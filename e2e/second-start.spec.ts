import { expect, type Page, test } from "@playwright/test";
import { setUpDesk } from "./kit/desk.ts";
import { lampPage, startSite } from "./kit/pages.ts";
import { frameOf, panelOn } from "./kit/panel.ts";
import { openShop, type Shop } from "./kit/shop.ts";

// Each API of the compat files is started, used by Ada, ended, and started again for Bob: as single-page sites do.

const LOG = "<script>heard=[];opened=()=>void heard.push('opened')</script>";
const from = (name: string) => `<script src="{{origin}}/compat/${name}.js"></script>`;

const PAGES = {
  "/intercom": {
    html: lampPage(
      `${LOG}<script>window.intercomSettings={user_id:new URLSearchParams(location.search).get("user")??undefined}</script>${from("intercom")}`,
    ),
  },
  "/signed-out": { html: lampPage(`${from("intercom")}<script>Intercom("shutdown")</script>`) },
  "/chatwoot": {
    html: lampPage(
      `${LOG}<script>addEventListener("chatwoot:opened",opened)</script>${from("chatwoot")}<script>chatwootSDK.run({websiteToken:"t"})</script>`,
    ),
  },
  "/crisp": { html: lampPage(`${LOG}<script>window.$crisp=[]</script>${from("crisp")}`) },
  "/zendesk": {
    html: lampPage(`${LOG}<script id="ze-snippet" src="{{origin}}/compat/zendesk.js"></script>`),
  },
};

interface Start {
  readonly path: keyof typeof PAGES;
  /** How the page starts it for Ada, and later for Bob. */
  readonly ada: string;
  readonly bob: string;
  readonly end: string;
}

/** As react-use-zendesk does when it is mounted again. */
const RELOAD_ZENDESK = `new Promise((resolve)=>{const old=document.getElementById("ze-snippet");const next=document.createElement("script");next.id=old.id;next.src=old.src;delete window.zE;old.remove();next.onload=resolve;document.head.append(next)})`;
const listenZendesk = "zE('messenger:on','open',opened)";
const crispIs = (name: string, email: string) =>
  `$crisp.push(["off","chat:opened"],["on","chat:opened",opened],["set","user:nickname",["${name}"]],["set","user:email",["${email}"]])`;

const STARTS: readonly Start[] = [
  {
    path: "/intercom",
    ada: "Intercom('onShow',opened);Intercom('update',{name:'Ada',email:'ada@example.com',plan:'Ada-plan',language_override:'de'})",
    end: "Intercom('shutdown')",
    bob: "Intercom('boot',{name:'Bob',email:'bob@example.com',app_id:'abc12345',installation_type:'npm',session_duration:86400000});Intercom('onShow',opened)",
  },
  {
    path: "/chatwoot",
    ada: "$chatwoot.setUser('ada',{name:'Ada',email:'ada@example.com'});$chatwoot.setCustomAttributes({plan:'Ada-plan'});$chatwoot.setLocale('de')",
    end: "$chatwoot.reset()",
    bob: "chatwootSDK.run({websiteToken:'t'});$chatwoot.setUser('bob',{name:'Bob',email:'bob@example.com'})",
  },
  {
    path: "/crisp",
    ada: `${crispIs("Ada", "ada@example.com")};$crisp.push(["set","session:data",[[["plan","Ada-plan"]]]]);Parley('setLocale','de')`,
    end: '$crisp.push(["do","session:reset"])',
    bob: crispIs("Bob", "bob@example.com"),
  },
  ...["logoutUser", "resetWidget"].map(
    (end): Start => ({
      path: "/zendesk",
      ada: `${listenZendesk};zE('webWidget','identify',{name:'Ada',email:'ada@example.com'});zE('webWidget','prefill',{plan:{value:'Ada-plan'}});zE('messenger:set','locale','de')`,
      end: `zE('messenger','${end}')`,
      bob: `${RELOAD_ZENDESK}.then(()=>{${listenZendesk};zE('webWidget','identify',{name:'Bob',email:'bob@example.com'})})`,
    }),
  ),
];

/** Opens the chat, asks for a person, then writes; returns how often the page's handler of the opening was called. */
async function write(tab: Page, text: string): Promise<number> {
  await tab.evaluate("heard.length=0;Parley('open')");
  const box = frameOf(tab).getByRole("textbox").first();
  await expect(box).toBeVisible();
  const send = async (body: string) => {
    const sent = tab.evaluate("new Promise((resolve)=>Parley('once','message:sent',()=>resolve(true)))");
    await box.fill(body);
    await box.press("Enter");
    await sent;
  };
  await send("Hello");
  await tab.evaluate("Parley('requestHuman')");
  // Nothing is written after it, so the desk's row shows it.
  await send(text);
  return tab.evaluate(() => (Reflect.get(window, "heard") as unknown as unknown[]).length);
}

let shop: Shop;
test.beforeAll(async () => {
  shop = await openShop(await startSite(PAGES));
});
test.afterAll(() => shop.dispose());

test.describe("COMPAT3 the second start of a compat file", () => {
  let desk: Page;
  test.beforeAll(async ({ browser }) => {
    desk = await browser.newPage();
    await setUpDesk(desk, shop.product.setupLink());
  });
  test.afterAll(() => desk.close());

  /** The desk's text about the customer who wrote this: their row and their details. */
  async function atDesk(text: string): Promise<string> {
    const row = desk.getByRole("listitem").getByRole("button").filter({ hasText: text });
    const said = await row.innerText();
    await row.click();
    const customer = desk.getByRole("complementary", { name: "Customer" });
    await expect(customer).toContainText("@example.com");
    return `${said}\n${await customer.innerText()}`;
  }

  for (const [index, { path, ada, end, bob }] of STARTS.entries())
    test(`${path}, ${end}: nothing of the first customer is at the desk, and handlers are called once`, async ({
      page: tab,
    }) => {
      await tab.goto(shop.site.origin + path);
      await expect(tab.locator("parley-chat")).toBeAttached();
      await tab.evaluate(ada);
      expect(await write(tab, `First question ${index}`)).toBe(1);
      // Control: the desk shows what the second customer's details must not contain.
      const first = await atDesk(`First question ${index}`);
      for (const word of ["Ada", "ada@example.com", "Ada-plan", "German"]) expect(first).toContain(word);

      await tab.evaluate(end);
      await expect(tab.locator('parley-chat button[aria-expanded="true"]')).toHaveCount(0);
      await tab.evaluate(bob);
      expect(await write(tab, `Second question ${index}`)).toBe(1);
      const second = await atDesk(`Second question ${index}`);
      for (const word of ["Bob", "bob@example.com", "English"]) expect(second).toContain(word);
      expect(second).not.toMatch(/ada|plan|german/i);
      // A vendor's package's data about itself is not a trait.
      expect(second).not.toMatch(/app_id|installation|duration/);
    });
});

test.describe("COMPAT3 a page load that names another customer, after a sign-out that the chat was not told of", () => {
  for (const [path, nameCustomer] of [
    // The page itself names them in `intercomSettings`; other types of the same id are the same customer.
    ["/intercom", "Intercom('update',{user_id:USER})"],
    ["/chatwoot", "$chatwoot.setUser('USER',{});$chatwoot.setUser(USER,{})"],
  ] as const)
    test(`${path}: shows nothing of the previous customer`, async ({ page: tab }) => {
      const load = async (user: string) => {
        await tab.goto(`${shop.site.origin}${path}?user=${user}`);
        await tab.evaluate(nameCustomer.replaceAll("USER", user));
      };
      const words = panelOn(tab).log.getByText("Where is my lamp?");
      await load("17");
      await write(tab, "Where is my lamp?");
      // Control: the same customer's next page load.
      await load("17");
      await tab.evaluate("Parley('open')");
      await expect(words).toBeVisible();

      await load("18");
      await tab.evaluate("Parley('open')");
      await expect(panelOn(tab).composer).toBeVisible();
      await expect(words).toHaveCount(0);
      expect(await tab.evaluate("localStorage['parley.customer']")).toBe("18");

      // Meanwhile another tab has named the next one: saying the same again takes nothing from them.
      await tab.evaluate("localStorage['parley.customer'] = '19'");
      await tab.evaluate(nameCustomer.replaceAll("USER", "18"));
      expect(await tab.evaluate("localStorage['parley.customer']")).toBe("19");
    });

  test("also if the chat could not be reached on the page that named the next one first", async ({
    page: tab,
  }) => {
    const words = panelOn(tab).log.getByText("Where is my lamp?");
    const load = async (user: string) => {
      await tab.goto(`${shop.site.origin}/chatwoot`);
      await tab.evaluate(`$chatwoot.setUser('${user}',{})`);
    };
    await load("17");
    await write(tab, "Where is my lamp?");
    await tab.route("**/frame", (route) => route.abort());
    await load("18");
    await tab.unroute("**/frame");
    await load("18");
    await tab.evaluate("Parley('open')");
    await expect(panelOn(tab).composer).toBeVisible();
    await expect(words).toHaveCount(0);
  });

  test("a file that loads again beside an open panel stores the customer that it is told of", async ({
    page: tab,
  }) => {
    await tab.goto(`${shop.site.origin}/intercom?user=17`);
    await write(tab, "Where is my lamp?");
    await tab.evaluate(
      "new Promise((done)=>{const next=document.createElement('script');next.src=document.querySelector('[src*=intercom]').src;next.onload=done;document.head.append(next)})",
    );
    await tab.evaluate("Intercom('update',{user_id:18})");
    await expect.poll(() => tab.evaluate("localStorage['parley.customer']")).toBe("18");
  });

  test("a panel that loads late leaves the customer that another tab has named since", async ({
    page: tab,
  }) => {
    await tab.goto(`${shop.site.origin}/chatwoot`);
    await tab.evaluate("$chatwoot.setUser('17',{})");
    await tab.evaluate("localStorage['parley.customer'] = '19'");
    await tab.evaluate("Parley('open')");
    await expect(panelOn(tab).composer).toBeVisible();
    expect(await tab.evaluate("localStorage['parley.customer']")).toBe("19");
  });
});

test("COMPAT3 a page that only shuts Intercom down ends the session of the page before", async ({
  page: tab,
}) => {
  await tab.goto(`${shop.site.origin}/intercom`);
  await write(tab, "Where is my lamp?");
  const isEnd = (method: string, url: string) => method === "DELETE" && url.endsWith("/api/session");
  const ended = tab.waitForResponse((answer) => isEnd(answer.request().method(), answer.url()));
  await tab.goto(`${shop.site.origin}/signed-out`);
  expect((await ended).status()).toBe(200);
  await expect(tab.locator("parley-chat button")).toBeHidden();
});
