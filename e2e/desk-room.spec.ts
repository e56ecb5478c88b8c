import { expect, test } from "@playwright/test";
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
