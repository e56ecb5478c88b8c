import { expect, test } from "@playwright/test";
import { violationsOf } from "./kit/axe.ts";
import { type PanelStage, startPanelStage } from "./kit/panel-stage.ts";
import { withFiles } from "./screens/file-scenes.ts";
import { visitScene } from "./screens/visit.ts";

let stage: PanelStage;
test.beforeAll(async () => {
  stage = await startPanelStage();
});
test.afterAll(() => stage.close());

for (const variant of [
  { device: "desktop", look: "light", language: "en" },
  { device: "phone", look: "dark", language: "ar" },
] as const)
  test(`ATT10 a picture opens over the panel, is described, saved and closed on a ${variant.device}`, async ({
    browser,
  }) => {
    await visitScene(browser, stage, withFiles, variant, async ({ page, frame, names, words }) => {
      const requests: string[] = [];
      const thumb = frame.getByRole("button", { name: words.invoice });
      await expect(thumb.locator("img")).toBeVisible();
      page.on("request", (request) => requests.push(request.url()));
      if (variant.device === "phone") await thumb.tap();
      else await thumb.click();
      const dialog = frame.getByRole("dialog", { name: words.invoice });
      const picture = dialog.getByRole("img", {
        name: `${names.says.replace("{author}", names.you)} ${words.invoice}`,
      });
      await expect(picture).toBeVisible();
      await expect(dialog.getByRole("button", { name: names.closeTeaser, exact: true })).toBeFocused();
      // From memory: showing it makes no request.
      expect(await picture.getAttribute("src")).toMatch(/^blob:/);
      expect(requests.filter((url) => !url.startsWith("blob:"))).toEqual([]);

      // It fits, and is as large as it is when wanted; fingers zoom as everywhere.
      const width = () => picture.evaluate((image) => image.clientWidth);
      const room = await dialog.evaluate((box) => box.clientWidth);
      expect(await width()).toBeLessThanOrEqual(room);
      const whole = dialog.getByRole("button", { name: /100|١٠٠/ });
      await whole.click();
      await expect(whole).toHaveAttribute("aria-pressed", "true");
      expect(await width()).toBe(480);
      await picture.click();
      expect(await width()).toBeLessThanOrEqual(room);
      expect(await picture.evaluate((image) => getComputedStyle(image).touchAction)).toBe("auto");
      expect(await violationsOf(page)).toEqual([]);

      const saved = page.waitForEvent("download");
      await dialog.getByRole("link", { name: names.download.replace("{name}", words.invoice) }).click();
      expect((await saved).suggestedFilename()).toBe(words.invoice);

      // Escape closes the picture and not the panel, and the focus is where it was.
      await page.keyboard.press("Escape");
      await expect(dialog).toHaveCount(0);
      await expect(thumb).toBeFocused();
      expect(await page.evaluate("Parley.isOpen")).toBe(true);
      await thumb.press("Enter");
      await dialog.getByRole("button", { name: names.closeTeaser, exact: true }).press("Enter");
      await expect(dialog).toHaveCount(0);
      await expect(thumb).toBeFocused();
    });
  });
