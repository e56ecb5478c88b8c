import { expect, type Locator, type Page, test } from "@playwright/test";
import { violationsOf } from "./kit/axe.ts";
import { type Product, startProduct } from "./kit/product.ts";
import { DESK_SCENES, type FilledDesk, fillDesk, visitDesk } from "./screens/desk-scenes.ts";

let product: Product;
let desk: FilledDesk;
test.beforeAll(async ({ browser }) => {
  product = await startProduct({ ["LOG_LEVEL"]: "error" });
  desk = await fillDesk({ browser, product }, async () => undefined);
});
test.afterAll(() => product.dispose());

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
      expect(await violationsOf(page)).toEqual([]);

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
        await page
          .getByRole("button", { name: /visitor/i })
          .first()
          .click();
        await page.getByRole("button", { name: "Take conversation" }).click();
        await page.getByRole("button", { name: "Resolve" }).click();
      },
    };
    await visitDesk(desk, scene, { device, look: "light" }, async (page) => {
      const main = page.getByRole("main");
      await expect(main.getByText("This conversation has ended.")).toBeInViewport({ ratio: 1 });
      await expect(main.getByRole("button", { name: "Reopen" })).toBeInViewport({ ratio: 1 });
      // A reader at the end of the log stays there.
      await expect(main.getByRole("log").getByText("Resolved")).toBeInViewport({ ratio: 1 });
      const boxOf = (part: Locator) => part.evaluate((element) => element.getBoundingClientRect().toJSON());
      for (const part of [page.getByText("You resolved"), page.getByRole("button", { name: "Undo" })]) {
        await expect(part).toBeInViewport({ ratio: 1 });
        const { top } = await boxOf(part);
        for (const region of await page.locator("[data-region]:visible").all())
          expect((await boxOf(region)).bottom).toBeLessThanOrEqual(top);
      }
      expect(await violationsOf(page)).toEqual([]);
    });
  });
}
