import { expect, test } from "@playwright/test";
import { openCustomer } from "../service/testing/test-customer.ts";
import { setUpDesk } from "./kit/desk.ts";
import { type Product, startProduct } from "./kit/product.ts";
import { issueCredential } from "./kit/service-client.ts";

let product: Product;
test.beforeEach(async () => {
  product = await startProduct();
});
test.afterEach(() => product.dispose());

test("DESK28 a reload of the desk keeps the text that a person is writing", async ({ page: desk }) => {
  await setUpDesk(desk, product.setupLink());
  const request = (path: string, init?: RequestInit) =>
    fetch(`http://127.0.0.1:${product.port}${path}`, init);
  const ann = await openCustomer(request, await issueCredential(product), "ann");
  const conversationId = await ann.start();
  await ann.say(conversationId, "My lamp is broken");
  await ann.post("/v1/support/handoffs", { conversationId });
  await desk.getByRole("button", { name: /lamp is broken/ }).click();
  await desk.getByRole("button", { name: "Take conversation" }).click();
  const reply = desk.getByRole("textbox", { name: "Reply" });
  await reply.pressSequentially("Which lamp");
  desk.on("dialog", (dialog) => dialog.accept());
  await desk.reload();
  await expect(reply).toHaveValue("Which lamp");
});
