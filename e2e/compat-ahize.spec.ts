import { expect, type Page, test } from "@playwright/test";
import { complaintsOf } from "./kit/complaints.ts";
import { lampPage, startSite } from "./kit/pages.ts";
import { panelOn } from "./kit/panel.ts";
import { openShop, type Shop } from "./kit/shop.ts";

/**
 * The package ahize (0.2) wraps the APIs of all four chats, and npm no longer has it. These are the calls that its public
 * source makes, in its order, with its addresses replaced as docs/switching.md says.
 */

interface Provider {
  readonly name: string;
  /** The address after the replacement. */
  readonly src: string;
  /** The globals that it sets before it adds the script, and the calls that it makes once the script has loaded. */
  readonly before: string;
  readonly loaded: string;
  readonly identify: string;
  readonly others: string;
  readonly show: string;
  readonly hide: string;
  readonly shutdown: string;
  readonly globals: readonly string[];
  readonly traits: Readonly<Record<string, unknown>>;
  readonly refused: readonly string[];
}

const PERSON = { email: "ada@example.com", name: "Ada", plan: "pro" };

const PROVIDERS: readonly Provider[] = [
  {
    name: "intercom",
    src: "/compat/intercom.js?abc12345",
    before:
      "window.intercomSettings={app_id:'abc12345'};if(!window.Intercom){const q=[];window.Intercom=Object.assign((...given)=>void q.push(given),{q})}Intercom('boot',{app_id:'abc12345'})",
    loaded: "Intercom('onUnreadCountChange',()=>{});isLoaded=true",
    identify:
      "Intercom('update',{app_id:'abc12345',user_id:'u-1',email:'ada@example.com',name:'Ada',phone:undefined,created_at:undefined,user_hash:undefined,intercom_user_jwt:undefined,plan:'pro'})",
    others:
      "Intercom('update',{last_request_at:1700000000,current_page:'/lamps'});Intercom('trackEvent','seen',{lamp:1})",
    show: "Intercom('show')",
    hide: "Intercom('hide')",
    shutdown: "Intercom('shutdown');Intercom('boot',{app_id:'abc12345'})",
    globals: ["Intercom", "intercomSettings"],
    traits: { user_id: "u-1", ...PERSON },
    refused: ["Intercom('trackEvent')"],
  },
  {
    name: "crisp",
    src: "/compat/crisp.js",
    before: "window.$crisp??=[];window.CRISP_WEBSITE_ID='e606'",
    loaded:
      "$crisp.push(['on','session:loaded',()=>{isLoaded=true}]);$crisp.push(['on','message:received',()=>{}]);$crisp.push(['on','chat:closed',()=>{}]);$crisp.push(['on','session:unread',()=>{}])",
    identify:
      "$crisp.push(['set','user:email',['ada@example.com']]);$crisp.push(['set','user:nickname',['Ada']]);$crisp.push(['set','session:data',[[['plan','pro']]]])",
    others: "$crisp.push(['set','session:event',[[['seen',{lamp:1}]]]])",
    show: "$crisp.push(['do','chat:show']);$crisp.push(['do','chat:open'])",
    hide: "$crisp.push(['do','chat:hide'])",
    shutdown: "$crisp.push(['do','session:reset'])",
    globals: ["$crisp", "CRISP_WEBSITE_ID", "CRISP_TOKEN_ID", "CRISP_RUNTIME_CONFIG"],
    traits: PERSON,
    refused: ["$crisp on session:unread", "$crisp set session:event"],
  },
  {
    name: "chatwoot",
    src: "/compat/chatwoot.js",
    before: "addEventListener('chatwoot:ready',()=>{isLoaded=true},{once:true})",
    loaded: "chatwootSDK.run({websiteToken:'t',baseUrl:'https://chat.example.com'})",
    identify: "$chatwoot.setUser('u-1',{email:'ada@example.com',name:'Ada',plan:'pro'})",
    others:
      "$chatwoot.setCustomAttributes({path:'/lamps'});$chatwoot.setLabel('x');$chatwoot.removeLabel('x')",
    show: "$chatwoot.toggle('open')",
    hide: "$chatwoot.toggle('close')",
    shutdown: "if($chatwoot.isOpen)$chatwoot.toggle('close');$chatwoot.reset()",
    globals: ["chatwootSDK", "$chatwoot", "chatwootSettings"],
    traits: { user_id: "u-1", ...PERSON, path: "/lamps" },
    refused: ["$chatwoot.setLabel", "$chatwoot.setUser as a proof"],
  },
  {
    name: "zendesk",
    src: "/compat/zendesk.js?key=k",
    before: "",
    loaded: "zE('messenger:on','unreadMessages',()=>{});isLoaded=true",
    // It has no names: a token identifies the customer.
    identify: "",
    others:
      "zE('messenger','locale','en');zE('messenger:set','conversationFields',[{id:'path',value:'/lamps'}]);zE('messenger','conversationFields',[{id:'seen',value:1}])",
    show: "zE('messenger','show');zE('messenger','open')",
    hide: "zE('messenger','close');zE('messenger','hide')",
    shutdown: "zE('messenger','logoutUser')",
    globals: ["zE", "zESettings"],
    traits: {},
    refused: [
      "zE('messenger', 'conversationFields')",
      "zE('messenger', 'locale')",
      "zE('messenger:set', 'conversationFields')",
    ],
  },
];

let shop: Shop;
test.beforeAll(async () => {
  shop = await openShop(await startSite({ "/": { html: lampPage("") } }));
});
test.afterAll(() => shop.dispose());

/** Loads the chat as the package does, and waits until the package would call itself ready. */
async function load(tab: Page, { before, src, loaded }: Provider) {
  await tab.evaluate(
    `isLoaded=false;${before};new Promise((resolve)=>{const tag=Object.assign(document.createElement("script"),{id:"ahize",src:"${shop.chat}${src}"});tag.onload=resolve;document.head.append(tag)}).then(()=>{${loaded}})`,
  );
  await tab.waitForFunction("isLoaded");
  await expect(tab.locator("parley-chat")).toBeAttached();
}
const sessionOf = async (tab: Page) => {
  const request = await tab.waitForRequest(
    (each) => each.url().endsWith("/api/session") && each.method() === "POST",
  );
  return request.postDataJSON() as { traits?: Record<string, unknown> };
};

for (const provider of PROVIDERS)
  test(`COMPAT2 ahize's ${provider.name}: its calls work or are named in the console, also after it has loaded again`, async ({
    page: tab,
  }) => {
    const { identify, others, show, hide, shutdown, globals, traits, refused } = provider;
    const complaints = complaintsOf(tab);
    const panel = panelOn(tab);
    await tab.goto(`${shop.site.origin}/`);
    await load(tab, provider);
    await tab.evaluate(`${identify};${others}`);
    const first = sessionOf(tab);
    await tab.evaluate(show);
    await expect(panel.composer).toBeVisible();
    expect((await first).traits ?? {}).toEqual(traits);
    await tab.evaluate(hide);
    await expect(panel.composer).toBeHidden();
    await tab.evaluate(shutdown);

    await tab.evaluate(
      `${globals.map((name) => `delete window.${name}`).join(";")};document.getElementById("ahize").remove()`,
    );
    await load(tab, provider);
    const second = sessionOf(tab);
    await tab.evaluate(show);
    await expect(panel.composer).toBeVisible();
    // Nothing of the first customer.
    expect((await second).traits ?? {}).toEqual({});
    await tab.evaluate(hide);
    await expect(panel.composer).toBeHidden();
    const named = complaints.flatMap((text) => /^console: Parley: (.*?) has no/.exec(text)?.[1] ?? []);
    expect([...new Set(named)].sort()).toEqual(refused);
    expect(complaints.filter((text) => !text.startsWith("console: Parley: "))).toEqual([]);
  });
