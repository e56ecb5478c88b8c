import { chromium, expect, type Locator, type Page, test } from "@playwright/test";
import { launchOptions } from "./browser.ts";
import { violationsOf } from "./kit/axe.ts";
import { type Product, startProduct } from "./kit/product.ts";
import { issueCredential, talkToService } from "./kit/service-client.ts";
import { DESK_SCENES, type FilledDesk, fillDesk, visitDesk } from "./screens/desk-scenes.ts";
import { WORDS } from "./screens/words.ts";

let product: Product;
let desk: FilledDesk;
test.beforeAll(async ({ browser }) => {
  product = await startProduct({ ["LOG_LEVEL"]: "error" });
  desk = await fillDesk({ browser, product }, async () => undefined);
});
test.afterAll(() => product.dispose());

const [QUESTION = ""] = WORDS.ar.suggestions.split("\n");

/** Opens the conversation of a customer who writes Arabic. The desk's own words stay English. */
async function openArabic(page: Page): Promise<void> {
  await page.getByRole("listitem").getByRole("button").filter({ hasText: QUESTION }).click();
  await page.getByRole("log").getByText(QUESTION).first().waitFor();
}

/** Texts that are cut without a sign of it: neither scrolled nor ended by an ellipsis. */
const clippedOf = (page: Page): Promise<string[]> =>
  page.evaluate(() => {
    const cuts = (element: Element) => {
      const { overflowX, textOverflow, clipPath } = getComputedStyle(element);
      const isCut = element.scrollWidth > element.clientWidth + 1 && overflowX !== "visible";
      return isCut && overflowX !== "auto" && textOverflow !== "ellipsis" && clipPath === "none";
    };
    const all = [...document.querySelectorAll("#desk *")].filter((element) => element.clientWidth > 0);
    return all.filter(cuts).map((element) => `${element.className}: ${element.textContent?.slice(0, 40)}`);
  });

for (const look of ["light", "dark"] as const) {
  for (const device of ["desktop", "phone"] as const) {
    test(`right to left with Arabic, ${device}, ${look}: bubbles and icons are mirrored, no text is cut, and axe finds nothing`, async () => {
      const queue = DESK_SCENES.find(({ name }) => name === "desk-queue");
      if (!queue) throw new Error("no queue");
      await visitDesk(desk, queue, { device, look }, async (page) => {
        await openArabic(page);
        const edges = async (side: string) => {
          const bubble = page.locator(`[role=log] li[data-side="${side}"] [data-state]`).first();
          const box = await bubble.boundingBox();
          return { left: box?.x ?? -1, right: (box?.x ?? -1) + (box?.width ?? 0) };
        };
        const exit = page.locator(`[data-region="conversation"] header svg`).first();
        const turned = () => exit.evaluate((svg) => getComputedStyle(svg).transform);
        // Left to right it is the other way round.
        const [start, end] = [await edges("start"), await edges("end")];
        expect(start.left).toBeLessThan(end.left);
        expect(await turned()).toBe("none");
        await page.evaluate("document.documentElement.dir = 'rtl'");
        expect((await edges("start")).right).toBeGreaterThan((await edges("end")).right);
        const text = page.getByRole("log").getByText(QUESTION).first();
        expect(await text.evaluate((element) => getComputedStyle(element).direction)).toBe("rtl");
        if (device === "phone") expect(await turned()).toContain("-1");
        expect(await clippedOf(page)).toEqual([]);
        expect(await violationsOf(page)).toEqual([]);
        // A text that is cut would be found (control).
        await page.locator("[data-region=conversation] footer p").evaluate((hint) => {
          Object.assign(hint.style, { inlineSize: "9px", overflow: "hidden", whiteSpace: "nowrap" });
        });
        expect(await clippedOf(page)).toHaveLength(1);
      });
    });
  }
}

const SIZES = [
  { device: "desktop", width: 1280, height: 800 },
  { device: "phone", width: 390, height: 844 },
  { device: "phone", width: 390, height: 800 },
] as const;

for (const { device, width, height } of SIZES) {
  test(`DESK20 beside a summary and a draft the log keeps half of the height: ${width} by ${height}`, async () => {
    const scene = DESK_SCENES.find(({ name }) => name === "desk-draft");
    if (!scene) throw new Error("no draft");
    await visitDesk(desk, scene, { device, look: "light" }, async (page) => {
      await page.setViewportSize({ width, height });
      const region = page.getByRole("main");
      const heightOf = async (name: string) => {
        const part = name === "main" ? region : region.locator(name);
        return (await part.boundingBox())?.height ?? 0;
      };
      await expect(region.getByRole("group").filter({ hasText: "Summary by the customer" })).toBeVisible();
      await expect(region.getByRole("region", { name: "Draft by the AI agent" })).toBeVisible();
      // The longest state, whenever the customer's page was last seen.
      await region.locator("[class*=conversation-state]").evaluate((state) => {
        state.textContent = "Assigned to you · Last seen less than a minute ago";
      });
      expect(await heightOf("[role=log]")).toBeGreaterThanOrEqual((await heightOf("main")) / 2);
      const reply = page.getByRole("textbox", { name: "Reply" });
      await reply.press("End");
      for (const part of [reply, page.getByRole("button", { name: "Send reply" })])
        await expect(part).toBeInViewport({ ratio: 1 });
      // Two whole lines of the reply are seen.
      const roomOf = (box: HTMLElement) => {
        const { paddingBlockStart, paddingBlockEnd, lineHeight } = getComputedStyle(box);
        const [start, end, line] = [paddingBlockStart, paddingBlockEnd, lineHeight].map(Number.parseFloat);
        return (box.clientHeight - (start ?? 0) - (end ?? 0)) / (line ?? 1);
      };
      expect(await reply.evaluate(roomOf)).toBeGreaterThanOrEqual(2);
      expect(await violationsOf(page)).toEqual([]);

      if (device === "desktop") {
        // On a tablet the actions leave room for the name, and the bar is one line.
        await page.setViewportSize({ width: 820, height: 1180 });
        const name = region.getByRole("heading", { level: 1 }).locator("bdi");
        await expect.poll(() => name.evaluate((it) => it.scrollWidth - it.clientWidth)).toBe(0);
        const bar = page.getByRole("banner").filter({ has: page.getByRole("button", { name: "Sign out" }) });
        expect((await bar.boundingBox())?.height).toBeLessThan(80);
        await page.setViewportSize({ width, height });
      }

      // Once the person took over the draft, their reply has more room.
      const before = await heightOf("textarea");
      await page.getByRole("button", { name: "Dismiss" }).click();
      await expect.poll(() => heightOf("textarea")).toBeGreaterThan(before);
    });
  });
}

for (const device of ["desktop", "phone"] as const) {
  test(`DESK15 Undo covers neither the list nor the conversation: ${device}`, async () => {
    const scene = {
      name: "desk-undo",
      async act(page: Page) {
        await page.getByRole("region", { name: "Waiting" }).getByRole("button").first().click();
        await page.getByRole("button", { name: "Take conversation" }).click();
        await page.getByRole("button", { name: "Resolve" }).click();
      },
    };
    await visitDesk(desk, scene, { device, look: "light" }, async (page) => {
      const main = page.getByRole("main");
      // First, because Undo is offered for ten seconds only.
      const boxOf = (part: Locator) => part.evaluate((element) => element.getBoundingClientRect().toJSON());
      for (const part of [page.getByText("You resolved"), page.getByRole("button", { name: "Undo" })]) {
        await expect(part).toBeInViewport({ ratio: 1 });
        const { top } = await boxOf(part);
        for (const region of await page.locator("[data-region]:visible").all())
          expect((await boxOf(region)).bottom).toBeLessThanOrEqual(top);
      }
      await expect(main.getByText("This conversation has ended.")).toBeInViewport({ ratio: 1 });
      await expect(main.getByRole("button", { name: "Reopen" })).toBeInViewport({ ratio: 1 });
      // A reader at the end of the log stays there.
      await expect(main.getByRole("log").getByText("Resolved")).toBeInViewport({ ratio: 1 });
      expect(await violationsOf(page)).toEqual([]);
    });
  });
}

/** Opens the conversation that this person has. */
const openOwn = (page: Page) =>
  page
    .getByRole("button", { name: /visitor/i })
    .filter({ hasText: WORDS.en.question })
    .first()
    .click();

test("DESK11 customers who wait are in sight below more conversations of one's own than the list has room for", async () => {
  const scene = { name: "desk-own", act: openOwn };
  await visitDesk(desk, scene, { device: "desktop", look: "light" }, async (page) => {
    await page.setViewportSize({ width: 1280, height: 170 });
    const list = page.getByRole("navigation", { name: "Queue" });
    await list.evaluate((element) => element.scrollTo(0, 0));
    await expect(list.getByRole("region", { name: "Waiting" }).getByRole("heading")).toBeInViewport({
      ratio: 1,
    });
  });
});

test("on a phone the buttons of a conversation fit fingers", async () => {
  const scene = { name: "desk-fingers", act: openOwn };
  await visitDesk(desk, scene, { device: "phone", look: "light" }, async (page) => {
    const main = page.getByRole("main");
    await expect(main.getByRole("button", { name: "Send reply" })).toBeVisible();
    for (const name of ["Hand back", "Resolve", "Draft a reply", "Send reply"]) {
      const box = await main.getByRole("button", { name }).boundingBox();
      expect(Math.min(box?.width ?? 0, box?.height ?? 0), name).toBeGreaterThanOrEqual(44);
    }
  });
});

test("at twice the text size the name and the state of a conversation are not squeezed out", async () => {
  const args = ["--blink-settings=defaultFontSize=32"];
  const browser = await chromium.launch({ ...launchOptions, args });
  try {
    await visitDesk(
      { ...desk, browser },
      { name: "desk-enlarged", act: openOwn },
      { device: "desktop", look: "light" },
      async (page) => {
        const main = page.getByRole("main");
        await expect(main.getByRole("button", { name: "Resolve" })).toBeInViewport({ ratio: 1 });
        const cut = await main
          .locator("[class*=conversation-state]")
          .evaluate((state) => state.scrollWidth - state.clientWidth);
        expect(cut).toBeLessThanOrEqual(0);
      },
    );
  } finally {
    await browser.close();
  }
});

const LONG_NAME = `${"Maximiliana ".repeat(8)}${"Wolfeschlegelstein".repeat(4)}`;

/** A customer with a long name who waits, and one who asked for a person and left without a word. */
async function addCustomers(): Promise<void> {
  const call = talkToService(new URL(desk.address).origin, await issueCredential(product));
  const begin = async (externalId: string, displayName: string) => {
    await call("POST", "/v1/customers/identify", { externalId, displayName });
    const session = { externalId, displayName, attributes: { identified: true } };
    const { token } = (await call("POST", "/v1/sdk/sessions", session)) as { token: string };
    const started = await call("POST", "/v1/support/conversations", {}, token);
    return { token, conversationId: (started as { conversation: { id: string } }).conversation.id };
  };
  const long = await begin("long", LONG_NAME);
  const content = { body: "Where is my lamp?", format: "plain" };
  const turn = { clientMessageId: "m-1", content, attachments: [] };
  await call("POST", `/v1/support/conversations/${long.conversationId}/turns`, turn, long.token);
  await call("POST", "/v1/support/handoffs", { conversationId: long.conversationId }, long.token);
  const silent = await begin("silent", "Silent Sam");
  await call("POST", "/v1/support/handoffs", { conversationId: silent.conversationId }, silent.token);
  await call("DELETE", `/v1/support/conversations/${silent.conversationId}`, {}, silent.token);
}

test("a long name, a row without a text and a small window cover nothing", async () => {
  await addCustomers();
  // In this locale a time has a space.
  const context = await desk.browser.newContext({ locale: "en-US", viewport: { width: 1280, height: 800 } });
  await context.addCookies(desk.cookies);
  const page = await context.newPage();
  await page.goto(desk.address);

  const silent = page.getByRole("listitem").filter({ hasText: "Silent Sam" });
  const bottomOf = (part: Locator) => part.evaluate((element) => element.getBoundingClientRect().bottom);
  await page.getByRole("button", { name: /^Ended/ }).click();
  expect(await bottomOf(silent.getByRole("link"))).toBeLessThanOrEqual(
    await bottomOf(silent.getByRole("button")),
  );

  const main = page.getByRole("main");
  await page.getByRole("button", { name: /^Maximiliana/ }).click();
  await page.getByRole("button", { name: "Take conversation" }).click();
  const reply = main.getByRole("textbox", { name: "Reply" });
  await reply.fill("A long reply. ".repeat(100));
  for (const [width, height] of [
    [1280, 800],
    [320, 400],
  ] as const) {
    await page.setViewportSize({ width, height });
    const linesOf = (part: Locator) =>
      part.evaluate((element) => {
        const range = document.createRange();
        range.selectNodeContents(element);
        return new Set([...range.getClientRects()].map(({ top }) => Math.round(top))).size;
      });
    const heading = main.getByRole("heading", { level: 1 });
    await expect(heading).toHaveAttribute("title", LONG_NAME);
    expect(await linesOf(heading)).toBe(1);
    for (const time of await main.getByRole("log").getByRole("time").all())
      expect(await linesOf(time)).toBe(1);
    for (const name of ["Resolve", "Hand back", "Send reply"]) {
      const button = main.getByRole("button", { name });
      await expect(button).toBeInViewport({ ratio: 1 });
      // Without `force`, the trial fails if anything covers the button.
      await button.click({ trial: true });
    }
    expect(await bottomOf(main.getByRole("button", { name: "Resolve" }))).toBeLessThanOrEqual(
      await main.getByRole("log").evaluate((log) => log.getBoundingClientRect().top),
    );
  }
  await context.close();
});
