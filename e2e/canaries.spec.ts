import { fileURLToPath } from "node:url";
import { type BrowserContext, expect, type Page, test } from "@playwright/test";
import { filesBelow, keepTraffic, secretsIn, spellingsOf, type Traffic } from "./kit/canaries.ts";
import { DESK_PASSWORD, setUpDesk } from "./kit/desk.ts";
import { endConversation, panelOn } from "./kit/panel.ts";
import { startProduct } from "./kit/product.ts";
import { type Stage, startStage, type Visitor } from "./kit/stage.ts";
import type { FaultName } from "./upstream/faults.ts";

const DIST = fileURLToPath(new URL("../dist", import.meta.url));
const TEXT = "canary-of-a-customer-4711";
const EMAIL = "canary.customer@harbour.example";
const METRICS_TOKEN = "a-token-of-the-monitoring";
const DEBUG = { ["LOG_LEVEL"]: "debug" };
/** Matches a session token of the service; nothing like it may reach a browser or a log. */
const JWT = /eyJ[\w-]{8,}\.[\w-]{8,}\./;

/** Console output and errors of a page and its frames, and the bearer tokens that they send. */
interface Heard {
  readonly said: string[];
  readonly tokens: Set<string>;
}

function listenTo(page: Page): Heard {
  const heard: Heard = { said: [], tokens: new Set() };
  page.on("console", (message) => heard.said.push(message.text()));
  page.on("pageerror", (error) => heard.said.push(String(error.stack ?? error)));
  page.on("request", (request) => {
    const [, token] = /^Bearer (.+)$/.exec(request.headers()["authorization"] ?? "") ?? [];
    if (token) heard.tokens.add(token);
  });
  return heard;
}

/** A customer whose browser traffic is recorded from the first page on. */
async function watched(stage: Stage, browser: Parameters<Stage["visit"]>[0]) {
  let traffic: Traffic | undefined;
  let heard: Heard | undefined;
  const visitor = await stage.visit(browser, async (context: BrowserContext) => {
    traffic = await keepTraffic(context);
    context.on("page", (page) => {
      heard = listenTo(page);
    });
  });
  if (!traffic || !heard) throw new Error("the context was not prepared");
  return { visitor, traffic, heard };
}

const ANSWER = "2 to 4 business days";
const AFTER_A_DOUBT: readonly FaultName[] = [
  "status-500",
  "status-401",
  "html-200",
  "object-200",
  "redirect-302",
];

/** Messages, some of them unconfirmed for a while, a person, the end. */
async function mainJob({ mock }: Stage, { page, panel }: Visitor): Promise<void> {
  await panel.say("How long does delivery take?");
  await expect(panel.log.getByText(ANSWER).first()).toBeVisible();
  const taken = page.waitForResponse((answer) => answer.url().endsWith("/api/conversation/messages"));
  await panel.say(`${TEXT} ${EMAIL}`);
  expect((await taken).status()).toBe(201);
  await expect(panel.log.getByText(TEXT).first()).toBeVisible();
  for (const [index, fault] of AFTER_A_DOUBT.entries()) {
    mock.setFault("turns", fault, { done: false });
    const failed = panel.frame.getByText(/not confirmed|couldn't confirm|(?:can't|couldn't) reach support/i);
    // The text of the attempt before may still be there.
    const refused = page.waitForResponse((answer) => answer.url().endsWith("/api/conversation/messages"));
    if (index === 0) await panel.say("And to the islands?");
    else await panel.button("Retry").click();
    expect((await refused).ok()).toBe(false);
    await expect(failed.first()).toBeVisible();
    await expect(panel.button("Retry")).toBeEnabled();
    await mock.clearFaults();
  }
  await panel.button("Retry").click();
  await expect(panel.button("Retry")).toHaveCount(0);
  await panel.button("Talk to a person").click();
  await expect(panel.frame.getByText(/we've asked a teammate/i).first()).toBeVisible();
  await endConversation(panel);
  await expect(panel.frame.getByText(/conversation has ended/i).first()).toBeVisible();
}

function expectCleanAddresses(traffic: Traffic, tokens: Iterable<string>, texts: readonly string[]): void {
  const addresses = traffic.addresses();
  expect(addresses.length).toBeGreaterThan(10);
  const wanted = [...tokens, ...texts].flatMap(spellingsOf);
  expect(addresses.filter((address) => wanted.some((secret) => address.includes(secret)))).toEqual([]);
  expect(addresses.filter((address) => JWT.test(address))).toEqual([]);
}

for (const kind of ["full", "turns"] as const) {
  test(`${kind}: credential, hand-off secret and service tokens reach no browser, log, error or file; addresses contain no text and no token`, async ({
    browser,
  }) => {
    const stage = await startStage({ kind }, DEBUG);
    try {
      const { visitor, traffic, heard } = await watched(stage, browser);
      await mainJob(stage, visitor);
      await visitor.page.reload();
      await visitor.panel.open();
      const received = await traffic.received();
      const state = await visitor.page.context().storageState({ indexedDB: true });
      const secrets = {
        credential: stage.mock.secrets.credential,
        handoffSecret: stage.mock.secrets.handoffSecret,
        ...Object.fromEntries([...stage.mock.tokens.keys()].map((token, n) => [`token ${n}`, token])),
      };
      expect(Object.keys(secrets).length).toBeGreaterThan(2);
      const places: (readonly [string, string])[] = [
        ...received,
        ["the browser's storage", JSON.stringify(state)],
        ["console and errors", heard.said.join("\n")],
        ["what the process printed", stage.product.output()],
        ...filesBelow(DIST),
      ];
      const found = places.flatMap(([from, text]) =>
        secretsIn(text, secrets).map((name) => `${name} in ${from}`),
      );
      expect(found).toEqual([]);

      // Nor does the log contain what the customer wrote, or anything that lets somebody in as them.
      const printed = stage.product.output();
      for (const secret of [TEXT, EMAIL, ...heard.tokens]) expect(printed).not.toContain(secret);
      expectCleanAddresses(traffic, heard.tokens, [TEXT, EMAIL]);

      // Control: the same search finds what was legitimately sent, in the answers, in the streams and in the log.
      expect(heard.tokens.size).toBeGreaterThan(0);
      const all = received.map(([, text]) => text).join("\n");
      for (const token of heard.tokens) expect(secretsIn(all, { token })).toEqual(["token"]);
      expect(all).toContain("response.delta");
      expect(all).toContain(ANSWER);
      expect(printed).toContain("/api/conversation");
      expect(stage.mock.violations).toEqual([]);
      await visitor.leave();
    } finally {
      await stage.dispose();
    }
  });
}

/** The browser's storage for a customer, in the page and in the frame. */
async function storedBy(page: Page): Promise<string> {
  const state = await page.context().storageState({ indexedDB: true });
  const ofTabs = await Promise.all(
    page.frames().map((frame) => frame.evaluate(() => JSON.stringify(sessionStorage))),
  );
  return [JSON.stringify(state), ...ofTabs].join("\n");
}

test("CONTACT2 the embedded service and its desk: no service token, no password and no set-up key in an answer, an address or the log; the address that a customer left reaches only the desk", async ({
  browser,
}) => {
  const product = await startProduct({ ...DEBUG, ["METRICS_TOKEN"]: METRICS_TOKEN });
  try {
    const neighbour = await browser.newContext();
    const neighbourTraffic = await keepTraffic(neighbour);
    const other = await neighbour.newPage();
    await other.goto(product.site);
    const otherPanel = panelOn(other);
    await otherPanel.open();
    await otherPanel.say("How long does delivery take?");
    await expect(otherPanel.log.getByText(/business days|working days/i).first()).toBeVisible();

    const customer = await browser.newContext();
    const customerTraffic = await keepTraffic(customer);
    const page = await customer.newPage();
    const heard = listenTo(page);
    await page.goto(product.site);
    const panel = panelOn(page);
    await panel.open();
    await panel.say("How long does delivery take?");
    await expect(panel.log.getByText(/business days|working days/i).first()).toBeVisible();
    await panel.say(TEXT);
    await expect(panel.log.getByText(TEXT)).toBeVisible();
    await panel.button("Talk to a person").click();
    await expect(panel.frame.getByText(/we've asked a teammate/i).first()).toBeVisible();
    const offer = "Leave your e-mail address so our team can write to you.";
    await panel.button(offer).click();
    await panel.frame.getByRole("textbox", { name: offer }).fill(EMAIL);
    await page.keyboard.press("Enter");
    await expect(panel.frame.getByText(/Our team can write to you at/).first()).toBeVisible();
    await page.reload();
    await expect(panel.frame.getByText(/Our team can write to you at/).first()).toBeVisible();
    const stored = await storedBy(page);

    const team = await browser.newContext();
    const deskTraffic = await keepTraffic(team);
    const maya = await team.newPage();
    const link = product.setupLink();
    const setupKey = /#setup=([\w-]+)/.exec(link)?.[1] ?? "no key";
    await setUpDesk(maya, link);
    await maya
      .getByRole("button", { name: new RegExp(`${TEXT}|visitor`, "i") })
      .first()
      .click();
    await maya.getByRole("button", { name: "Take conversation" }).click();
    await expect(panel.frame.getByText(/Maya Lindqvist/).first()).toBeVisible();
    await expect(maya.getByRole("complementary", { name: "Customer" })).toContainText(EMAIL);

    const received = [...(await customerTraffic.received()), ...(await deskTraffic.received())];
    expect(received.filter(([, text]) => JWT.test(text)).map(([from]) => from)).toEqual([]);
    const secrets = { password: DESK_PASSWORD, setupKey };
    expect(received.flatMap(([from, text]) => secretsIn(text, secrets).map((name) => [name, from]))).toEqual(
      [],
    );
    // The link is printed once, for the operator; nothing else in the log contains it.
    const printed = product.output().replaceAll(setupKey, "");
    expect(printed).not.toMatch(JWT);
    for (const secret of [DESK_PASSWORD, TEXT, EMAIL, ...heard.tokens]) expect(printed).not.toContain(secret);
    expectCleanAddresses(customerTraffic, heard.tokens, [TEXT, EMAIL]);
    // The page's address has the set-up key in its fragment, which requests never carry.
    const sent = deskTraffic.addresses().map((address) => address.split("#")[0] ?? "");
    const wanted = [setupKey, TEXT, EMAIL].flatMap(spellingsOf);
    expect(sent.filter((address) => wanted.some((spelling) => address.includes(spelling)))).toEqual([]);
    expect(received.some(([, text]) => text.includes(TEXT))).toBe(true);

    // The address that the customer left is with them and at the desk, and nowhere else.
    const metrics = await fetch(new URL("/metrics", product.site), {
      headers: { authorization: `Bearer ${METRICS_TOKEN}` },
    }).then((answer) => answer.text());
    const others = (await neighbourTraffic.received()).map(([, text]) => text).join("\n");
    const elsewhere = { metrics, others, stored, said: heard.said.join("\n") };
    for (const [place, text] of Object.entries(elsewhere))
      expect(secretsIn(text, { address: EMAIL }), place).toEqual([]);

    // Control: each of these places has content, and the address was received where it belongs.
    expect(metrics).toContain("parley_");
    expect(others).toContain("response.delta");
    expect([...heard.tokens].some((token) => stored.includes(token))).toBe(true);
    for (const traffic of [customerTraffic, deskTraffic]) {
      const text = (await traffic.received()).map(([, each]) => each).join("\n");
      expect(secretsIn(text, { address: EMAIL })).toEqual(["address"]);
    }
    for (const context of [customer, neighbour, team]) await context.close();
  } finally {
    await product.dispose();
  }
});

test("a secret is found in each of its encodings (control)", () => {
  const secret = "app-credential-canary-0123456789abcdef";
  const bytes = Buffer.from(secret);
  for (const spelling of [
    secret,
    bytes.toString("hex"),
    bytes.toString("base64"),
    Buffer.from(`Bearer ${secret}!`).toString("base64url"),
    Buffer.from(`a ${secret}`).toString("base64"),
    secret.split("").reverse().join(""),
  ]) {
    expect(secretsIn(`x${spelling}y`, { secret }), spelling).toEqual(["secret"]);
  }
  expect(secretsIn("app-credential", { secret })).toEqual([]);
});
