import { expect, type Locator, type Page, test } from "@playwright/test";
import { lookViolationsOf, violationsOf } from "./kit/axe.ts";
import { type PanelStage, startPanelStage } from "./kit/panel-stage.ts";
import { type Product, startProduct } from "./kit/product.ts";
import { DESK_SCENES, type DeskScene, type FilledDesk, fillDesk, visitDesk } from "./screens/desk-scenes.ts";
import { visitTranscript } from "./screens/saved-transcript.ts";
import { SCENES } from "./screens/scenes.ts";
import { turnTo, type Variant, type Visit, visitScene } from "./screens/visit.ts";

/** Each state is produced by the script that draws it for docs/screens, so a new one is checked here as well. */
const DESKTOP: Variant = { device: "desktop", look: "light", language: "en" };
const PHONE: Variant = { device: "phone", look: "dark", language: "ar" };
const VARIANTS = [DESKTOP, PHONE];

/** The text in the frame, except announcements that are removed again. */
function shownIn({ frame }: Visit): Promise<string> {
  return frame.locator("body").evaluate((body) => {
    const copy = body.cloneNode(true) as HTMLElement;
    for (const said of copy.querySelectorAll("[role=status], [role=alert]")) said.remove();
    return copy.textContent ?? "";
  });
}

/** The customer's details: next to the conversation if there is room, otherwise in its place. */
const CUSTOMER: DeskScene = {
  name: "who the customer is",
  act: async (page) => {
    await DESK_SCENES.find(({ name }) => name === "desk-conversation")?.act(page);
    const button = page.getByRole("button", { name: "Customer details" });
    const isBeside = !(await button.isVisible());
    if (!isBeside) await button.click();
    await page.getByRole(isBeside ? "complementary" : "main", { name: "Customer", exact: true }).waitFor();
  },
};

/** The controls that are too small for a finger, with their sizes. */
function smallTargetsOf(page: Page): Promise<string[]> {
  const targets = page.locator("a[href], button, summary").filter({ visible: true });
  return targets.evaluateAll((all) =>
    all.flatMap((target) => {
      const { width, height } = target.getBoundingClientRect();
      const name = target.getAttribute("aria-label") ?? target.textContent;
      return Math.min(width, height) < 44 ? [`${name}: ${width} by ${height}`] : [];
    }),
  );
}

/** Presses Tab until `target` has the focus. */
async function tabTo(page: Page, target: Locator): Promise<void> {
  for (let stops = 0; stops < 30; stops += 1) {
    if (await target.evaluate((element) => element === document.activeElement)) return;
    await page.keyboard.press("Tab");
  }
  throw new Error("Tab does not lead there");
}

test.describe("the panel", () => {
  // Otherwise this file's forty scenes would be the last that a run waits for.
  test.describe.configure({ mode: "parallel" });

  let stage: PanelStage;
  test.beforeAll(async () => {
    stage = await startPanelStage();
  });
  test.afterAll(() => stage.close());

  for (const [index, scene] of SCENES.entries()) {
    // Every rule runs in one variant, which alternates. The rules about colours and sizes run again in the other, on that page.
    const [variant, other] = index % 2 === 0 ? [DESKTOP, PHONE] : [PHONE, DESKTOP];
    test(`axe finds nothing in the panel: ${scene.name}`, async ({ browser }) => {
      await visitScene(browser, stage, scene, variant, async (visit) => {
        await scene.hold?.(visit);
        const before = await shownIn(visit);
        expect(await violationsOf(visit.page)).toEqual([]);
        await turnTo(visit.page, other);
        expect(await lookViolationsOf(visit.page)).toEqual([]);
        // The state that was checked is still shown.
        expect(await shownIn(visit)).toBe(before);
      });
    });
  }

  test("axe finds nothing in a saved transcript", async ({ browser }) => {
    for (const variant of VARIANTS)
      expect(await visitTranscript(browser, stage, variant, violationsOf)).toEqual([]);
  });

  test("axe finds a fault in the page, the frame and the shadow root, and one of the other look (control)", async ({
    browser,
  }) => {
    const scene = SCENES.find(({ name }) => name === "teaser");
    if (!scene) throw new Error("nothing to look at");
    const found = await visitScene(browser, stage, scene, DESKTOP, async (visit) => {
      await scene.hold?.(visit);
      await visit.frame.locator(".teaser__close").evaluate((button) => button.removeAttribute("aria-label"));
      await visit.page.getByRole("button", { name: /^Open chat/ }).evaluate((button) => {
        button.removeAttribute("aria-label");
      });
      await visit.page.locator("h1").evaluate((heading) => heading.append(document.createElement("img")));
      await visit.frame.locator(".teaser__text").evaluate((text) => {
        const sheet = new CSSStyleSheet();
        sheet.replaceSync(
          "@media (prefers-color-scheme: dark) and (pointer: coarse) { body * { color: #444 !important } }",
        );
        text.ownerDocument.adoptedStyleSheets.push(sheet);
      });
      const first = await violationsOf(visit.page);
      await turnTo(visit.page, PHONE);
      return [...first, (await lookViolationsOf(visit.page)).map((fault) => fault.split(":")[0])];
    });
    expect(found).toEqual([
      expect.stringMatching(/^button-name: parley-chat,button/),
      expect.stringMatching(/^button-name: .*teaser__close/),
      expect.stringMatching(/^image-alt: /),
      expect.arrayContaining(["color-contrast"]),
    ]);
  });
});

test.describe("the desk", () => {
  let product: Product;
  let desk: FilledDesk;
  test.beforeAll(async ({ browser }) => {
    product = await startProduct({ ["LOG_LEVEL"]: "error" });
    desk = await fillDesk({ browser, product }, async (customer, maya) => {
      expect([await violationsOf(customer), await violationsOf(maya)]).toEqual([[], []]);
    });
  });
  test.afterAll(async () => {
    await product.dispose();
  });

  test(`axe finds nothing in the desk, and on a phone links, folds and small buttons fit fingers: ${DESK_SCENES.map(({ name }) => name).join(", ")}`, async () => {
    for (const scene of [...DESK_SCENES, CUSTOMER]) {
      const found = VARIANTS.map((variant) =>
        visitDesk(desk, scene, variant, async (page) => [
          ...(variant.device === "phone" ? await smallTargetsOf(page) : []),
          ...(await violationsOf(page)),
        ]),
      );
      expect([scene.name, ...(await Promise.all(found))]).toEqual([scene.name, ...VARIANTS.map(() => [])]);
    }
  });

  test("right to left the desk is a mirror image that does not scroll sideways, and axe finds nothing", async () => {
    const scene = DESK_SCENES.find(({ name }) => name === "desk-conversation");
    if (!scene) throw new Error("no conversation");
    await visitDesk(desk, scene, { device: "desktop", look: "dark" }, async (page) => {
      const names = ["queue", "conversation", "customer"] as const;
      const placesOf = async () => {
        const boxes = await Promise.all(
          names.map((name) => page.locator(`[data-region="${name}"]`).boundingBox()),
        );
        return boxes.map((box) => [Math.round(box?.x ?? -1), Math.round(box?.width ?? -1)] as const);
      };
      const before = await placesOf();
      await page.evaluate("document.documentElement.dir = 'rtl'");
      const width = page.viewportSize()?.width ?? 0;
      expect(await placesOf()).toEqual(before.map(([x, size]) => [width - x - size, size]));
      const overflowing = await page.evaluate(() => {
        const { scrollWidth, clientWidth } = document.documentElement;
        return scrollWidth > clientWidth;
      });
      expect(overflowing).toBe(false);
      expect(await violationsOf(page)).toEqual([]);
    });
  });

  test("DESK23 a reload shows the open conversation again", async () => {
    const scene = DESK_SCENES.find(({ name }) => name === "desk-conversation");
    if (!scene) throw new Error("no conversation");
    await visitDesk(desk, scene, { device: "desktop", look: "light" }, async (page) => {
      await expect(page).toHaveURL(/\/desk#conversation=[\w-]+$/);
      const title = await page.locator('[data-region="customer"] h2').innerText();
      await page.reload();
      await expect(page.getByRole("log")).toBeVisible();
      await expect(page.locator('[data-region="customer"] h2')).toHaveText(title);
    });
  });

  test("with only the keyboard a team member reads what an answer was made of and what the customer asked before, and gets a draft (DESK18, DESK19, DESK20, DESK21)", async () => {
    const queue = DESK_SCENES.find(({ name }) => name === "desk-queue");
    if (!queue) throw new Error("no queue");
    await visitDesk(desk, queue, { device: "desktop", look: "light" }, async (page) => {
      const log = page.getByRole("log");
      const rows = page.getByRole("navigation", { name: "Queue" }).getByRole("listitem").getByRole("button");
      const press = async (target: Locator) => {
        await tabTo(page, target);
        await page.keyboard.press("Enter");
      };
      const openRow = async (row: Locator) => {
        await tabTo(page, page.locator('[data-region="queue"] li > button[tabindex="0"]'));
        await page.keyboard.press("Home");
        for (let steps = await rows.count(); steps > 0; steps -= 1) {
          if (await row.evaluate((element) => element === document.activeElement)) break;
          await page.keyboard.press("ArrowDown");
        }
        await expect(row).toBeFocused();
        await page.keyboard.press("Enter");
      };
      await openRow(page.getByRole("region", { name: "Ended" }).getByRole("listitem").getByRole("button"));
      await press(log.locator("summary").filter({ hasText: /^Made from/ }));
      await expect(log.getByText(/% likely to answer/).first()).toBeVisible();
      await press(log.locator("summary").filter({ hasText: "Answer this better" }));
      await expect(log.getByText("Change what it quoted:")).toBeVisible();

      await openRow(rows.filter({ hasText: "Can I return a lamp?" }));
      const customer = page.getByRole("complementary", { name: "Customer", exact: true });
      await expect(log).toContainText("Can I return a lamp?");
      await press(customer.getByRole("button", { name: /Do you repair old lamps/ }));
      await expect(log).toContainText("Quick and kind.");
      await press(page.getByRole("button", { name: "Back to the current one" }));
      await expect(log).toContainText("Can I return a lamp?");

      await openRow(page.getByRole("region", { name: "Assigned to you" }).getByRole("button"));
      await press(page.getByRole("button", { name: "Draft a reply" }));
      const draft = page.getByRole("region", { name: "Draft by the AI agent" });
      await expect(draft).toBeVisible();
      await press(draft.locator("summary"));
      await expect(draft.getByRole("blockquote")).toBeVisible();
      const reply = page.getByRole("textbox", { name: "Reply" });
      await expect(reply).not.toHaveValue("");
      await press(draft.getByRole("button", { name: "Dismiss" }));
      await expect(draft).toBeHidden();
      await tabTo(page, reply);
      await page.keyboard.press("End");
      await page.keyboard.type(" Bye");
      await expect(reply).toHaveValue(/ Bye/);
    });
  });

  test("with only the keyboard a team member finds the waiting customer, takes the conversation, replies and picks an emoji (DESK17)", async () => {
    const queue = DESK_SCENES.find(({ name }) => name === "desk-queue");
    if (!queue) throw new Error("no queue");
    await visitDesk(
      desk,
      { ...queue, act: async () => undefined },
      { device: "desktop", look: "light" },
      async (page) => {
        const row = page.getByRole("button", { name: /visitor/i }).first();
        await row.waitFor();
        await tabTo(page, row);
        const waiting = page.getByRole("region", { name: "Waiting" }).getByRole("listitem").first();
        while (!(await waiting.evaluate((element) => element.contains(document.activeElement))))
          await page.keyboard.press("ArrowDown");
        await page.keyboard.press("Enter");
        const take = page.getByRole("button", { name: "Take conversation" });
        await take.waitFor();
        await tabTo(page, take);
        await page.keyboard.press("Enter");
        const reply = page.getByRole("textbox", { name: "Reply" });
        await expect(reply).toBeFocused();
        await page.keyboard.type("Hello, here I am.");
        await page.keyboard.press("Enter");
        await expect(page.getByRole("log").getByText("Hello, here I am.")).toBeVisible();
        await expect(reply).toHaveValue("");
        await expect(reply).toBeFocused();
        await page.keyboard.type("Yours  soon");
        for (const _ of " soon") await page.keyboard.press("ArrowLeft");
        for (const _ of ["attach", "emoji"]) await page.keyboard.press("Tab");
        await page.keyboard.press("Enter");
        await expect(page.getByRole("searchbox", { name: "Find an emoji" })).toBeFocused();
        const grinning = page.getByRole("button", { name: "grinning face", exact: true });
        await expect(grinning).toBeVisible();
        await page.keyboard.press("ArrowDown");
        await expect(grinning).toBeFocused();
        await page.evaluate("document.documentElement.dir = 'rtl'");
        await page.keyboard.press("ArrowLeft");
        await expect(page.getByRole("button", { name: "grinning face with big eyes" })).toBeFocused();
        await page.keyboard.press("ArrowUp");
        await page.keyboard.type("package");
        await expect(grinning).toBeHidden();
        // With few of them, because axe looks at each for a long time.
        for (const colorScheme of ["light", "dark"] as const) {
          await page.emulateMedia({ colorScheme });
          expect(await violationsOf(page)).toEqual([]);
        }
        await page.keyboard.press("Enter");
        await expect(reply).toBeFocused();
        await page.keyboard.type("!");
        await expect(reply).toHaveValue("Yours 📦! soon");
      },
    );
  });
});
