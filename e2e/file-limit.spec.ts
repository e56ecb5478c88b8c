import { expect, type Page, test } from "@playwright/test";
import { MAX_CONVERSATION_BYTES } from "../service/store/attachments.ts";
import { MAX_ATTACHMENT_BYTES } from "../shared/limits.ts";
import { type Panel, panelOn } from "./kit/panel.ts";
import { type Product, startProduct } from "./kit/product.ts";

const UPLOADS = "/api/conversation/attachments";

/** A PDF of exactly this many bytes. */
function pdf(size: number): Buffer<ArrayBuffer> {
  const file = Buffer.alloc(size, " ");
  file.write("%PDF-1.7\n");
  file.write("\n%%EOF\n", size - 7);
  return file;
}
const LAST = pdf(100);

let product: Product;
test.beforeAll(async () => {
  product = await startProduct();
});
test.afterAll(() => product.dispose());

async function choose(page: Page, panel: Panel, name: string) {
  const chooser = page.waitForEvent("filechooser");
  const answer = page.waitForResponse((each) => each.url().endsWith(UPLOADS));
  await panel.button("Attach a file").click();
  await (await chooser).setFiles([{ name, mimeType: "application/pdf", buffer: LAST }]);
  return (await answer).status();
}

test("ATT6 a conversation takes 100 MB to the byte; then the person reads that the limit is reached, and can still write", async ({
  page,
}) => {
  await page.goto(product.site);
  const panel = panelOn(page);
  await panel.open();
  const sent = page.waitForRequest(
    (each) => each.method() === "POST" && /\/api\/conversation(\/messages)?$/.test(each.url()),
  );
  await panel.say("Here come my files.");
  await expect(panel.log.getByText("Sent").first()).toBeVisible();
  const request = await sent;
  const { origin } = new URL(request.url());
  const authorization = (await request.headerValue("authorization")) ?? "";
  const upload = (file: Buffer<ArrayBuffer>, key: string) =>
    fetch(`${origin}${UPLOADS}`, {
      method: "POST",
      headers: { authorization, origin, "x-file-name": "scan.pdf", "idempotency-key": key },
      body: file,
    }).then(({ status }) => status);
  let left = MAX_CONVERSATION_BYTES - LAST.length;
  while (left > 0) {
    const size = Math.min(left, MAX_ATTACHMENT_BYTES);
    expect(await upload(pdf(size), `scan-${left}`)).toBe(201);
    left -= size;
  }

  expect(await choose(page, panel, "last.pdf")).toBe(201);
  await expect(panel.button("Remove last.pdf")).toBeVisible();
  expect(await choose(page, panel, "beyond.pdf")).toBe(409);
  await expect(
    panel.frame.getByText("You've reached the file limit for this conversation.").first(),
  ).toBeVisible();
  await panel.button("Remove beyond.pdf").click();
  await panel.say("That was all.");
  await expect(panel.log.getByText("That was all.")).toBeVisible();
  await expect(panel.log.getByRole("button", { name: /^last\.pdf/ })).toBeVisible();
  await expect(panel.log.getByText("beyond.pdf")).toHaveCount(0);
});
