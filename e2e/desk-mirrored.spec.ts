import { expect, type Page, test } from "@playwright/test";
import { violationsOf } from "./kit/axe.ts";
import { type Product, startProduct } from "./kit/product.ts";
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
