import { expect, type Page, test } from "@playwright/test";
import { lampPage, startSite } from "./kit/pages.ts";
import { frameOf } from "./kit/panel.ts";
import { openShop, type Shop } from "./kit/shop.ts";

/**
 * Counts the calls of each handler that a page gives to a former chat's API, over two starts, beside Parley's own events,
 * which say how often each was due.
 */

const EVENTS = ["open", "close", "unread", "message:sent", "message:received"] as const;

interface Vendor {
  readonly file: string;
  /** Starts the API after its file has loaded. */
  readonly run: string;
  /** Gives the handler `HANDLER` for an event of Parley. */
  readonly give: Readonly<Partial<Record<(typeof EVENTS)[number], string>>>;
  /** Ends the customer's session; then starts the API again for the next. */
  readonly end: string;
  readonly boot: string;
  /** The globals that a page deletes before it loads the file again. */
  readonly globals: readonly string[];
}

const onWindow = (type: string) => `addEventListener("chatwoot:${type}",HANDLER)`;
const VENDORS: readonly Vendor[] = [
  {
    file: "intercom",
    run: "Intercom('boot',{app_id:'abc12345'})",
    give: {
      open: "Intercom('onShow',HANDLER)",
      close: "Intercom('onHide',HANDLER)",
      unread: "Intercom('onUnreadCountChange',HANDLER)",
    },
    end: "Intercom('shutdown')",
    boot: "Intercom('boot',{app_id:'abc12345'})",
    globals: ["Intercom", "intercomSettings"],
  },
  {
    file: "crisp",
    run: "",
    give: {
      open: "$crisp.push(['on','chat:opened',HANDLER])",
      close: "$crisp.push(['on','chat:closed',HANDLER])",
      "message:sent": "$crisp.push(['on','message:sent',HANDLER])",
      "message:received": "$crisp.push(['on','message:received',HANDLER])",
    },
    end: "$crisp.push(['do','session:reset'])",
    boot: "",
    globals: ["$crisp"],
  },
  {
    file: "chatwoot",
    run: "chatwootSDK.run({websiteToken:'t'})",
    // The page's own listeners of its window: they are given once and stay.
    give: {},
    end: "$chatwoot.reset()",
    boot: "chatwootSDK.run({websiteToken:'t'})",
    globals: ["chatwootSDK", "$chatwoot"],
  },
  {
    file: "zendesk",
    run: "",
    give: {
      open: "zE('messenger:on','open',HANDLER)",
      close: "zE('messenger:on','close',HANDLER)",
      unread: "zE('messenger:on','unreadMessages',HANDLER)",
    },
    end: "zE('messenger','logoutUser')",
    boot: "",
    globals: ["zE"],
  },
];

const pageOf = ({ file, run }: Vendor) =>
  lampPage(
    `<script>calls={};count=(name)=>{calls[name]=(calls[name]??0)+1};${[
      ["opened", "given open"],
      ["closed", "given close"],
      ["on-unread-message-count-changed", "given unread"],
    ]
      .map(([type = "", name]) => onWindow(type).replace("HANDLER", `()=>count("${name}")`))
      .join(";")};addEventListener("chatwoot:on-message",()=>count("on-message"))</script>` +
      `<script id="chat" src="{{origin}}/compat/${file}.js"></script><script>${run};` +
      `for(const name of ${JSON.stringify(EVENTS)})Parley("on",name,()=>count(name))</script>`,
  );

const loadAgain = ({ globals, run }: Vendor) =>
  `new Promise((resolve)=>{${globals.map((name) => `delete window.${name};`).join("")}const old=document.getElementById("chat");const next=document.createElement("script");next.id="chat";next.src=old.src;old.remove();next.onload=resolve;document.head.append(next)}).then(()=>{${run}})`;

type Calls = Record<string, number>;
const callsIn = (tab: Page) => tab.evaluate(() => ({ ...(Reflect.get(window, "calls") as Calls) }));

/** Gives a handler for each event. Called again, it gives other functions of the same code, as a component does. */
const give = (tab: Page, vendor: Vendor) =>
  tab.evaluate(
    Object.entries(vendor.give)
      .map(([name, code]) => code.replace("HANDLER", `()=>count("given ${name}")`))
      .join(";"),
  );

/** Opens the chat, asks, reads the agent's answer and closes it; returns how often each function was called meanwhile. */
async function visit(tab: Page): Promise<Calls> {
  const before = await callsIn(tab);
  const since = async (name: string) => ((await callsIn(tab))[name] ?? 0) - (before[name] ?? 0);
  await tab.evaluate("Parley('open')");
  const box = frameOf(tab).getByRole("textbox").first();
  await expect(box).toBeVisible();
  await box.fill("How do I pay?");
  await box.press("Enter");
  for (const name of ["message:sent", "message:received"])
    await expect.poll(() => since(name)).toBeGreaterThan(0);
  await tab.evaluate("Parley('close')");
  await expect.poll(() => since("close")).toBeGreaterThan(0);
  const after = await callsIn(tab);
  return Object.fromEntries(Object.entries(after).map(([name, n]) => [name, n - (before[name] ?? 0)]));
}

/** How often each handler that the vendor has was called, for each time that it was due. */
const timesEach = (vendor: Vendor, calls: Calls) =>
  Object.fromEntries(
    EVENTS.filter((name) => (vendor.file === "chatwoot" ? /^(open|close)$/.test(name) : name in vendor.give))
      .filter((name) => (calls[name] ?? 0) > 0)
      .map((name) => [name, (calls[`given ${name}`] ?? 0) / (calls[name] ?? 0)]),
  );
const everywhere = (vendor: Vendor, times: number) => ({
  open: times,
  close: times,
  ...("message:sent" in vendor.give ? { "message:sent": times, "message:received": times } : {}),
});

let shop: Shop;
test.beforeAll(async () => {
  const pages = VENDORS.map((vendor) => [`/${vendor.file}`, { html: pageOf(vendor) }] as const);
  shop = await openShop(await startSite(Object.fromEntries(pages)));
});
test.afterAll(() => shop.dispose());

async function open(tab: Page, { file }: Vendor) {
  await tab.goto(`${shop.site.origin}/${file}`);
  await expect(tab.locator("parley-chat")).toBeAttached();
}

for (const vendor of VENDORS) {
  test(`COMPAT3 ${vendor.file}: after its end and its next start each handler is called once, given again or not`, async ({
    page: tab,
  }) => {
    await open(tab, vendor);
    await give(tab, vendor);
    // A handler that the page gives only once, as the package ahize does.
    const forever = vendor.give.open?.replace("HANDLER", "function everSince(){count('ever since')}") ?? "";
    await tab.evaluate(forever);
    const first = await visit(tab);
    expect(timesEach(vendor, first)).toMatchObject(everywhere(vendor, 1));
    await tab.evaluate(vendor.end);
    await tab.evaluate(vendor.boot);
    await give(tab, vendor);
    const second = await visit(tab);
    for (const [name, times] of Object.entries(timesEach(vendor, second))) expect(times, name).toBe(1);
    expect(timesEach(vendor, second)).toMatchObject(everywhere(vendor, 1));
    if (forever) expect(second["ever since"]).toBe(second["open"]);
    else expect(second["on-message"]).toBe((second["message:sent"] ?? 0) + (second["message:received"] ?? 0));
  });

  test(`COMPAT3 ${vendor.file}: after its file has loaded again each handler is called once`, async ({
    page: tab,
  }) => {
    await open(tab, vendor);
    await give(tab, vendor);
    await visit(tab);
    await tab.evaluate(vendor.end);
    await tab.evaluate(loadAgain(vendor));
    await give(tab, vendor);
    const second = await visit(tab);
    for (const [name, times] of Object.entries(timesEach(vendor, second))) expect(times, name).toBe(1);
    expect(timesEach(vendor, second)).toMatchObject(everywhere(vendor, 1));
    if (vendor.file === "chatwoot") await expect(tab.locator(".woot-widget-holder")).toHaveCount(1);
  });

  if (vendor.give.open)
    test(`COMPAT3 ${vendor.file}: a handler that is given twice for one customer is called twice (control)`, async ({
      page: tab,
    }) => {
      await open(tab, vendor);
      await give(tab, vendor);
      await give(tab, vendor);
      expect(timesEach(vendor, await visit(tab))).toMatchObject(everywhere(vendor, 2));
    });
}
