import { afterAll, beforeAll, it } from "vitest";
import { type Product, startProduct } from "../kit/product.ts";
import { createLook, type Look } from "./look.ts";
import { type Browser, type Found, startWebKit } from "./webdriver.ts";

let product: Product;
let browser: Browser;
let look: Look;
beforeAll(async () => {
  product = await startProduct();
  browser = await startWebKit();
  look = createLook(browser);
});
afterAll(async () => {
  await browser?.close();
  await product?.dispose();
});

const open = async () => {
  await look.visit(product.site);
  await look.open();
};

it("the main job in WebKit: ask, answer, person, reload, end", async () => {
  await open();
  await look.say("How long does delivery take?");
  await look.reads("working days");
  await look.reads("Sent");
  await look.press("Talk to a person");
  await look.reads("We've asked a teammate to join");

  await open();
  await look.reads("How long does delivery take?");
  // The question is also a suggestion, which shows until the conversation is there.
  await browser.until(
    'return document.querySelectorAll("[data-role=customer] .message__message").length === 1',
  );

  await look.press("End conversation");
  await look.reads("End this conversation?");
  await browser.click(
    (await browser.until(
      'return [...document.querySelectorAll("[role=alertdialog] button")].find((one) => one.textContent.includes("End"))',
    )) as Found,
  );
  await look.reads("This conversation has ended");
});
