import { expect, type Page, test } from "@playwright/test";
import { complaintsOf } from "./kit/complaints.ts";
import { lampPage, startSite, TAG } from "./kit/pages.ts";
import { panelOn } from "./kit/panel.ts";
import { openShop, type Shop } from "./kit/shop.ts";

// The calls are those of the vendors' public documentation of the web chat; the texts are ours.

const LOG = "<script>heard=[];say=(name)=>(...given)=>heard.push([name,...given])</script>";
const from = (name: string) => `<script src="{{origin}}/compat/${name}.js" data-greeting="Moin!"></script>`;

const PAGES = {
  "/intercom": {
    html: lampPage(
      `${LOG}<script>window.intercomSettings={app_id:"abc12345",name:"Ada",email:"ada@example.com",created_at:1700000000,user_hash:"f00",alignment:"left",action_color:"#123456",company:{id:"6"}}</script><script>(function(){const w=window,i=function(){i.c(arguments)};i.q=[];i.c=(args)=>i.q.push(args);w.Intercom=w.Intercom||i})();Intercom("onUnreadCountChange",say("unread"));Intercom("onShow",say("show"));Intercom("onHide",say("hide"));Intercom("ready",say("ready"))</script>${from("intercom")}`,
    ),
  },
  "/chatwoot": {
    html: lampPage(
      `${LOG}<script>window.chatwootSettings={position:"left",locale:"pt_BR",darkMode:"auto",launcherTitle:"Chat with us",type:"expanded_bubble",showPopoutButton:false,showUnreadMessagesDialog:false,enableFileUpload:false,availableMessage:undefined,baseDomain:""};for(const n of ["ready","opened","closed","on-message","on-start-conversation"])addEventListener("chatwoot:"+n,(e)=>heard.push([n,e.detail]));(function(d,t){const g=d.createElement(t),s=d.getElementsByTagName(t)[0];g.src="{{origin}}/compat/chatwoot.js";g.defer=true;g.async=true;s.parentNode.insertBefore(g,s);g.onload=function(){window.chatwootSDK.run({websiteToken:"t",baseUrl:"https://old.example"})}})(document,"script")</script>`,
    ),
  },
  "/crisp": {
    html: lampPage(
      `${LOG}<script>window.$crisp=[];window.CRISP_WEBSITE_ID="e606";CRISP_READY_TRIGGER=say("trigger");$crisp.push(["safe",true]);$crisp.push(["set","user:email",["ada@example.com"]]);$crisp.push(["set","session:data",[[["plan","pro"],["seats",3]]]]);$crisp.push(["set","session:segments",[["help","customer"]]]);$crisp.push(["config","position:reverse",[true]]);$crisp.push(["on","chat:opened",say("opened")]);$crisp.push(["on","message:sent",say("sent")]);$crisp.push(["set","message:text",["Hi! I'd like to get help."]]);(function(){const d=document,s=d.createElement("script");s.src="{{origin}}/compat/crisp.js";s.async=1;d.getElementsByTagName("head")[0].appendChild(s)})()</script>`,
    ),
  },
  "/zendesk": {
    html: lampPage(
      `${LOG}<script>window.zESettings={webWidget:{position:{horizontal:"left"},color:{theme:"#123456"},offset:{vertical:"150px"}}}</script><script id="ze-snippet" src="{{origin}}/compat/zendesk.js"></script><script>stop=zE("messenger:on","open",say("open"));zE("messenger:on","close",say("close"));zE("messenger:on","unreadMessages",say("unread"));zE(()=>heard.push(["ready"]))</script>`,
    ),
  },
};

/** A page whose policy lets no script add another; with the chat's own tag above the file's. */
const trusting = (before = "") => ({
  headers: {
    "content-security-policy":
      "script-src {{origin}}; require-trusted-types-for 'script'; trusted-types 'none'",
  },
  html: lampPage(`${before}<script src="{{origin}}/compat/crisp.js"></script>`),
});
const TRUSTING = { "/trusted": trusting(), "/trusted-with-tag": trusting(TAG) };

let shop: Shop;
test.beforeAll(async () => {
  shop = await openShop(await startSite({ ...PAGES, ...TRUSTING }));
});
test.afterAll(() => shop.dispose());

/** Opens one of the pages; collects all console complaints. */
async function visit(tab: Page, path: keyof typeof PAGES) {
  const complaints = complaintsOf(tab);
  await tab.goto(shop.site.origin + path);
  return { panel: panelOn(tab), complaints };
}
/** The calls that the console reports as having no counterpart, in order; other complaints are ignored. */
const lackingIn = (complaints: readonly string[]) =>
  complaints
    .filter((text) => !text.startsWith("console: Parley: a malformed call"))
    .map((text) => /^console: Parley: (.*?) has no/.exec(text)?.[1]);
const heardBy = (tab: Page, name: string) =>
  tab.evaluate(
    (wanted) => (Reflect.get(window, "heard") as unknown as unknown[][]).filter(([each]) => each === wanted),
    name,
  );
/** The fields that the panel's frame sends to the server when its session starts. */
const firstWords = async (tab: Page) => {
  const request = await tab.waitForRequest(
    (each) => each.url().endsWith("/api/session") && each.method() === "POST",
  );
  return request.postDataJSON() as { traits?: Record<string, unknown>; token?: string };
};
/** The calls of `Parley` that the page's code leads to; they are not carried out. */
const callsBy = (tab: Page, code: string) =>
  tab.evaluate(`(()=>{const own=Parley,calls=[];window.Parley=(...call)=>void calls.push(call);
    try{${code}}finally{window.Parley=own}
    return calls})()`);
const isLeft = async (tab: Page) => ((await panelOn(tab).launcher.boundingBox())?.x ?? 999) < 100;

test("COMPAT1 Intercom's calls: boot, update, show, hide, showNewMessage, events, shutdown; a hash proves nobody", async ({
  page: tab,
}) => {
  const { panel, complaints } = await visit(tab, "/intercom");
  await expect(panel.launcher).toHaveCSS("background-color", "rgb(18, 52, 86)");
  expect(await isLeft(tab)).toBe(true);
  await expect.poll(() => heardBy(tab, "ready")).toHaveLength(1);
  const words = firstWords(tab);
  await tab.evaluate("Intercom('showNewMessage','Where is my lamp?')");
  await expect(panel.composer).toHaveValue("Where is my lamp?");
  expect((await words).traits).toEqual({ name: "Ada", email: "ada@example.com", created_at: 1700000000 });
  expect((await words).token).toBeUndefined();
  await expect(panel.frame.getByText("Moin!")).toBeVisible();
  await tab.evaluate("Intercom('hide')");
  await expect(panel.launcher).toBeVisible();
  await tab.evaluate("Intercom('show')");
  await expect(panel.composer).toBeVisible();
  expect(await heardBy(tab, "show")).toHaveLength(2);
  expect(await heardBy(tab, "hide")).toHaveLength(1);
  await tab.evaluate("Intercom('hide');Intercom('update',{hide_default_launcher:true})");
  await expect(panel.launcher).toBeHidden();
  await tab.evaluate(
    "Intercom('update',{hide_default_launcher:false});Intercom('trackEvent','x');Intercom('trackEvent','y');Intercom('startTour',1)",
  );
  await expect(panel.launcher).toBeVisible();
  await tab.evaluate("Intercom('shutdown')");
  await expect(panel.launcher).toBeHidden();
  // As the vendor's packages do: each start gives its handlers again, with fields of their own.
  await tab.evaluate(
    "Intercom('boot',{app_id:'abc12345',installation_type:'npm'});Intercom('onShow',say('show again'));Intercom(null);Intercom('update',7)",
  );
  await expect(panel.launcher).toBeVisible();
  await tab.evaluate("Intercom('show')");
  await expect.poll(() => heardBy(tab, "show again")).toHaveLength(1);
  expect(await heardBy(tab, "show")).toHaveLength(2);
  // A token is for one use, and pages call a bare `update` after each of their navigations.
  expect(
    await callsBy(
      tab,
      "intercomSettings={intercom_user_jwt:'a'};for(const n of [1,2])Intercom('update');Intercom('update',{intercom_user_jwt:'b'});Intercom('shutdown');Intercom('boot',{intercom_user_jwt:'b'})",
    ),
  ).toEqual([
    ["identify", { token: "a" }],
    ["identify", { token: "b" }],
    ["logout"],
    ["hide"],
    ["identify", { token: "b" }],
    ["show"],
  ]);
  expect(lackingIn(complaints)).toEqual([
    "Intercom attribute company",
    "Intercom user_hash",
    "Intercom('trackEvent')",
    "Intercom('startTour')",
    "Intercom('null')",
  ]);
});

test("COMPAT1 Chatwoot's calls: run, toggle, setUser, attributes, setLocale, reset and the window's events", async ({
  page: tab,
}) => {
  const { panel, complaints } = await visit(tab, "/chatwoot");
  await expect.poll(() => heardBy(tab, "ready")).toHaveLength(1);
  expect(await isLeft(tab)).toBe(true);
  expect(await callsBy(tab, "delete window.$chatwoot;chatwootSDK.run()")).toContainEqual([
    "update",
    { position: "left", locale: "pt-BR", colorScheme: "auto", teaser: false },
  ]);
  await tab.evaluate(
    "$chatwoot.setUser('u-1',{email:'ada@example.com',name:'Ada',identifier_hash:'f00'});$chatwoot.setCustomAttributes({plan:'pro',seats:3});$chatwoot.deleteCustomAttribute('seats');$chatwoot.setLocale('en')",
  );
  const words = firstWords(tab);
  await tab.evaluate("$chatwoot.toggle('open')");
  await expect(panel.composer).toBeVisible();
  expect((await words).traits).toEqual({
    user_id: "u-1",
    email: "ada@example.com",
    name: "Ada",
    plan: "pro",
  });
  expect(await tab.evaluate("$chatwoot.isOpen")).toBe(true);
  await panel.say("How do I pay?");
  await expect.poll(() => heardBy(tab, "on-message")).not.toHaveLength(0);
  expect(JSON.stringify(await heardBy(tab, "on-message"))).not.toContain("How do I pay");
  await tab.evaluate("$chatwoot.toggle()");
  await expect(panel.launcher).toBeVisible();
  expect([await heardBy(tab, "opened"), await heardBy(tab, "closed")]).toEqual([
    [["opened", null]],
    [["closed", null]],
  ]);
  await tab.evaluate(
    "$chatwoot.toggleBubbleVisibility('hide');$chatwoot.popoutChatWindow();$chatwoot.setLabel('x')",
  );
  await expect(panel.launcher).toBeHidden();
  await tab.evaluate("$chatwoot.toggleBubbleVisibility('show');$chatwoot.reset()");
  await expect(panel.launcher).toBeVisible();
  expect(lackingIn(complaints)).toEqual([
    "chatwootSettings.launcherTitle",
    "chatwootSettings.type",
    "chatwootSettings.enableFileUpload",
    "$chatwoot.setUser identifier_hash",
    "$chatwoot.popoutChatWindow",
    "$chatwoot.setLabel",
  ]);
});

test("COMPAT1 the element that Chatwoot's Vue package watches: one, hidden, with a class that changes as the chat opens and closes", async ({
  page: tab,
}) => {
  await visit(tab, "/chatwoot");
  await expect.poll(() => heardBy(tab, "ready")).toHaveLength(1);
  // As the package does once it has heard `chatwoot:ready`.
  await tab.evaluate(() => {
    const holder = document.querySelector(".woot-widget-holder");
    if (!holder) throw new Error("There is no holder.");
    const seen: boolean[] = Reflect.set(window, "seen", []) && Reflect.get(window, "seen");
    new MutationObserver((records) => {
      for (const { type } of records)
        if (type === "attributes") seen.push(!holder.className.includes("hide"));
    }).observe(holder, { attributes: true });
  });
  const seen = () => tab.evaluate("seen");
  await tab.evaluate("$chatwoot.toggle('open')");
  await expect.poll(seen).toEqual([true]);
  await tab.evaluate("$chatwoot.toggle('close')");
  await expect.poll(seen).toEqual([true, false]);
  await tab.evaluate("$chatwoot.reset();chatwootSDK.run({websiteToken:'t'})");
  await expect(tab.locator(".woot-widget-holder")).toHaveCount(1);
  await expect(tab.locator(".woot-widget-holder")).toBeHidden();
});

test("COMPAT1 Crisp's calls: the queue, do, set, on, off, get, is, config; nothing is sent in the customer's name", async ({
  page: tab,
}) => {
  const { panel, complaints } = await visit(tab, "/crisp");
  await expect.poll(() => heardBy(tab, "trigger")).toHaveLength(1);
  await expect(panel.launcher).toBeVisible();
  expect(await isLeft(tab)).toBe(true);
  // Nothing is connected before the customer opens the chat, and nothing is wrong either.
  expect(await tab.evaluate('$crisp.is("website:available")')).toBe(true);
  const words = firstWords(tab);
  await tab.evaluate('$crisp.push(["do","chat:open"])');
  await expect(panel.composer).toHaveValue("Hi! I'd like to get help.");
  expect((await words).traits).toEqual({
    email: "ada@example.com",
    plan: "pro",
    seats: 3,
    segments: "help, customer",
  });
  expect(await heardBy(tab, "opened")).toHaveLength(1);
  expect(
    await tab.evaluate(
      '[$crisp.is("chat:opened"),$crisp.is("chat:visible"),$crisp.get("chat:unread:count"),$crisp.get("user:email")]',
    ),
  ).toEqual([true, true, 0, "ada@example.com"]);
  await tab.evaluate('$crisp.push(["do","message:send",["text","Where is my lamp?"]])');
  await expect(panel.composer).toHaveValue("Where is my lamp?");
  await expect(panel.log.getByText("Where is my lamp?")).toHaveCount(0);
  await panel.button("Send").click();
  await expect.poll(() => heardBy(tab, "sent")).toHaveLength(1);
  await tab.evaluate(
    '$crisp.push(["on","chat:opened",say("opened")],["on","chat:initiated",say("initiated")],["off","chat:opened"],undefined,7);$crisp.push(["do","chat:close"],["do","chat:hide"])',
  );
  await expect(panel.launcher).toBeHidden();
  await tab.evaluate('$crisp.push(["do","chat:show"],["do","chat:toggle"])');
  await expect(panel.composer).toBeVisible();
  await tab.evaluate('$crisp.push(["do","chat:toggle"],["do","chat:toggle"])');
  await expect.poll(() => heardBy(tab, "initiated")).toHaveLength(1);
  // `off` removes every handler of the event, also that of the page's head.
  expect(await heardBy(tab, "opened")).toHaveLength(1);
  await tab.evaluate('$crisp.push(["do","session:reset"],["do","helpdesk:search"],["do","helpdesk:search"])');
  await expect(panel.launcher).toBeVisible();
  expect(lackingIn(complaints)).toEqual(["$crisp message:send", "$crisp do helpdesk:search"]);
});

test("COMPAT1 Zendesk's calls: messenger, webWidget and their events; a login that fails is reported, and only a verified one counts as success", async ({
  page: tab,
}) => {
  const { panel, complaints } = await visit(tab, "/zendesk");
  await expect.poll(() => heardBy(tab, "ready")).toHaveLength(1);
  await expect(panel.launcher).toHaveCSS("background-color", "rgb(18, 52, 86)");
  expect(await isLeft(tab)).toBe(true);
  await tab.evaluate(
    "zE('webWidget','prefill',{name:{value:'Ada',readOnly:true},email:{value:'ada@example.com'}})",
  );
  const words = firstWords(tab);
  await tab.evaluate("zE('messenger','open')");
  expect((await words).traits).toEqual({ name: "Ada", email: "ada@example.com" });
  await expect(panel.composer).toBeVisible();
  expect(await heardBy(tab, "open")).toEqual([
    ["open", { id: expect.any(String), createdAt: expect.any(Number), type: "messagingOpened" }],
  ]);
  expect(await heardBy(tab, "unread")).toContainEqual(["unread", 0]);
  await tab.evaluate("stop();zE('messenger','close');zE('webWidget','toggle')");
  await expect(panel.composer).toBeVisible();
  expect(await heardBy(tab, "open")).toHaveLength(1);
  await tab.evaluate(
    "zE('messenger:set','zIndex',77);zE('messenger:set','locale','en');zE('messenger:set','conversationTags',['a'])",
  );
  await expect(tab.locator("parley-chat")).toHaveCSS("z-index", "77");
  await tab.evaluate("zE('messenger','loginUser',(give)=>give('not.a.token'),say('login'))");
  await expect
    .poll(() => heardBy(tab, "login"))
    .toEqual([["login", expect.objectContaining({ type: "LoginFailedError" })]]);
  await tab.evaluate("zE('messenger','loginUser');zE();zE('webWidget','prefill',null)");
  await tab.evaluate("zE('messenger','loginUser',()=>{},say('pending'))");
  await tab.evaluate("zE('messenger','resetWidget',say('reset'))");
  await expect.poll(() => heardBy(tab, "reset")).toHaveLength(1);
  await tab.evaluate(
    "Parley('on','identity:failed',say('refused'));Parley('identify',{getToken:async()=>'not.a.token'});Parley('open')",
  );
  await expect.poll(async () => (await heardBy(tab, "refused")).length).toBeGreaterThan(0);
  expect(await heardBy(tab, "login")).toHaveLength(1);
  expect(await heardBy(tab, "pending")).toEqual([]);
  await tab.evaluate("zE.hide();zE('messenger','loginUser','a.b.c')");
  await expect(panel.launcher).toBeHidden();
  await tab.evaluate("zE('messenger','show')");
  await expect(panel.launcher).toBeVisible();
  // The browser itself names the login that was refused.
  expect(lackingIn(complaints.filter((text) => !text.includes(" 401 ")))).toEqual([
    "zESettings offset",
    "zE('messenger:set', 'conversationTags')",
    "zE loginUser's callback on success",
    "zE loginUser without a function",
    "zE('undefined', 'undefined')",
  ]);
});

for (const [path, call, name] of [
  ["/intercom", "Intercom('update',{get name(){throw 1}})", "Intercom"],
  ["/chatwoot", "$chatwoot.setUser('u',{get name(){throw 1}})", "$chatwoot.setUser"],
  ["/crisp", "$crisp.push(7)", "$crisp.push"],
  ["/zendesk", "zE('webWidget','prefill',{get name(){throw 1}})", "zE"],
] as const)
  test(`COMPAT1 ${path}: a malformed call throws nothing into the page, and the console names it`, async ({
    page: tab,
  }) => {
    const { complaints } = await visit(tab, path);
    await expect(tab.locator("parley-chat")).toBeAttached();
    await tab.evaluate(call);
    await expect.poll(() => complaints.join("\n")).toContain(`a malformed call of ${name} did nothing`);
  });

for (const name of ["intercom", "chatwoot", "crisp", "zendesk"] as const)
  test(`COMPAT1 ${name}: a page that loads the file once more gets no error`, async ({ page: tab }) => {
    const { complaints } = await visit(tab, `/${name}`);
    await expect(tab.locator("parley-chat")).toBeAttached();
    const address = await tab.locator(`script[src*="/compat/${name}.js"]`).getAttribute("src");
    await tab.addScriptTag({ url: address ?? "" });
    expect(complaints.filter((text) => text.startsWith("error:"))).toEqual([]);
  });

test("COMPAT1 a page with Trusted Types gets no error of the file, which names the tag to add; with that tag the calls work", async ({
  page: tab,
}) => {
  const complaints = complaintsOf(tab);
  await tab.goto(`${shop.site.origin}/trusted`);
  expect(complaints.filter((text) => text.startsWith("error:"))).toEqual([]);
  expect(complaints.join("\n")).toContain("Parley: the chat could not be added (TypeError: ");
  expect(complaints.join("\n")).toContain(`put <script async src="${shop.chat}/widget.js"></script> above`);
  complaints.length = 0;
  await tab.goto(`${shop.site.origin}/trusted-with-tag`);
  await tab.evaluate('$crisp.push(["do","chat:open"])');
  await expect(panelOn(tab).composer).toBeVisible();
  // The browser itself names what the policy blocked.
  expect(complaints.filter((text) => /^error:|Parley/.test(text))).toEqual([]);
});
