import { afterAll, beforeAll, expect, it } from "vitest";
import { type Product, startProduct } from "../kit/product.ts";
import { type Browser, type Found, startWebKit } from "./webdriver.ts";

let product: Product;
let browser: Browser;
beforeAll(async () => {
  product = await startProduct();
  browser = await startWebKit();
});
afterAll(async () => {
  await browser?.close();
  await product?.dispose();
});

/** A button or box of this document or of an open shadow root in it, by its accessible name as far as these tests need it. */
const BY_NAME = `
  const all = (root) => [...root.querySelectorAll("*")].flatMap((one) => [one, ...(one.shadowRoot ? all(one.shadowRoot) : [])]);
  const name = (one) => one.getAttribute("aria-label") ?? one.textContent.trim();
  return all(document).find((one) => one.matches("button, textarea, iframe, [role]")
    && (name(one).startsWith(arguments[0]) || one.title === arguments[0]) && one.checkVisibility());`;

const named = async (name: string) => (await browser.until(BY_NAME, name)) as Found;
const press = async (name: string) => browser.click(await named(name));
const reads = (text: string) =>
  browser.until("return document.body.textContent.includes(arguments[0])", text);
const open = async () => {
  await browser.goto(product.site);
  await press("Open chat");
  await browser.lookInto(await named("Chat"));
  await named("Message");
};
const say = async (text: string) => {
  await browser.type(text);
  await browser.enter();
};

it("the main job in WebKit: ask, answer, person, reload, end", async () => {
  await open();
  await say("How long does delivery take?");
  await reads("working days");
  await reads("Sent");
  await press("Talk to a person");
  await reads("We've asked a teammate to join");

  await browser.lookInto(null);
  await open();
  await reads("How long does delivery take?");
  expect(
    await browser.run('return document.querySelectorAll("[data-role=customer] .message__message").length'),
  ).toBe(1);

  await press("End conversation");
  await reads("End this conversation?");
  await browser.click(
    (await browser.until(
      'return [...document.querySelectorAll("[role=alertdialog] button")].find((one) => one.textContent.includes("End"))',
    )) as Found,
  );
  await reads("This conversation has ended");
});
