import { expect, type Page, test } from "@playwright/test";
import { setUpDesk } from "./kit/desk.ts";
import { PAYLOADS, packed } from "./kit/hostile-payloads.ts";
import { expectTextAlone, watchHostile } from "./kit/hostile-watch.ts";
import { lampPage, startSite, TAG } from "./kit/pages.ts";
import { panelOn } from "./kit/panel.ts";
import { issueCredential, talkToService } from "./kit/service-client.ts";
import { openShop, type Shop } from "./kit/shop.ts";

let shop: Shop;
let call: ReturnType<typeof talkToService>;
test.beforeAll(async () => {
  shop = await openShop(await startSite({ "/": { html: lampPage(TAG) } }));
  call = talkToService(shop.chat, await issueCredential(shop.product));
});
test.afterAll(() => shop.dispose());

/** One waiting customer for each payload, which is in every field; returns how many. */
async function fillQueue(): Promise<void> {
  const make = async (text: string, index: number) => {
    const line = text.trim();
    const externalId = `${line} ${index}`;
    await call("POST", "/v1/customers/identify", {
      externalId,
      displayName: line,
      email: `o'x+${index}@evil.example`,
    });
    const attributes = { identified: true, note: line };
    const { token } = (await call("POST", "/v1/sdk/sessions", {
      externalId,
      displayName: line,
      attributes,
    })) as {
      token: string;
    };
    const { conversation } = (await call("POST", "/v1/support/conversations", { subject: line }, token)) as {
      conversation: { id: string };
    };
    const content = { body: text, format: "plain" };
    const turn = { clientMessageId: `m-${index}`, content, attachments: [] };
    await call("POST", `/v1/support/conversations/${conversation.id}/turns`, turn, token);
    const handoff = { conversationId: conversation.id, reason: text, currentIntent: text, transcript: text };
    await call("POST", "/v1/support/handoffs", handoff, token);
  };
  for (let at = 0; at < PAYLOADS.length; at += 10) {
    await Promise.all(PAYLOADS.slice(at, at + 10).map((text, index) => make(text, at + index)));
  }
}

/** Opens every row of the queue in turn; returns what was on the screen each time. Runs in the page, for speed. */
function openEveryRow(desk: Page): Promise<string[]> {
  return desk.evaluate(async () => {
    const shown: string[] = [];
    const rows = [...document.querySelectorAll<HTMLElement>("button.queue__row")];
    for (const row of rows) {
      const name = row.querySelector(".queue__row-name bdi")?.textContent ?? "";
      row.click();
      while (
        row.getAttribute("aria-current") !== "true" ||
        document.querySelector(".customer__customer h2")?.textContent !== name
      ) {
        await new Promise(requestAnimationFrame);
      }
      shown.push(document.body.querySelector(".layout__desk")?.textContent ?? "");
    }
    return shown;
  });
}

test("at the desk every field of every customer is text; so are the name and the messages of the person who answers", async ({
  browser,
  page: tab,
  context,
}) => {
  const name = "<img src=x onerror=pwned()>";
  await fillQueue();
  const deskContext = await browser.newContext({ viewport: { width: 1400, height: 900 } });
  const deskWatch = await watchHostile(deskContext, [new URL(shop.product.setupLink()).origin]);
  const desk = await deskContext.newPage();
  await setUpDesk(desk, shop.product.setupLink(), name);
  // A page of the queue has 100 rows of each state.
  await desk.getByRole("button", { name: "Show more" }).click();
  await expect.poll(() => desk.locator("button.queue__row").count()).toBeGreaterThanOrEqual(PAYLOADS.length);
  const shown = (await openEveryRow(desk)).join("\n");
  for (const payload of PAYLOADS) expect(shown).toContain(payload);
  await expectTextAlone(desk, deskWatch);

  // And what that person writes, on the customer's screen.
  const watch = await watchHostile(context, [shop.site.origin, shop.chat]);
  await tab.goto(`${shop.site.origin}/`);
  const panel = panelOn(tab);
  await panel.open();
  await panel.say("I need Maya");
  await expect(panel.log.getByText("Sent").first()).toBeVisible();
  await panel.button("Talk to a person").click();
  await desk
    .getByRole("button", { name: /I need Maya|visitor/i })
    .first()
    .click();
  await desk.getByRole("button", { name: "Take conversation" }).click();
  await expect(panel.frame.getByText(name).first()).toBeVisible();
  for (const message of packed()) {
    await desk.getByRole("textbox", { name: "Reply" }).fill(message);
    await desk.getByRole("button", { name: "Send reply" }).click();
    await expect(desk.getByRole("textbox", { name: "Reply" })).toHaveValue("");
  }
  await expect(panel.log.getByText(PAYLOADS.at(-1) ?? "").first()).toBeVisible();
  await expectTextAlone(tab, watch);
  await expectTextAlone(desk, deskWatch);
  await deskContext.close();
});

test("an e-mail address that is markup is refused at sign-up", async () => {
  for (const email of [
    "<img src=x onerror=pwned()>@evil.example",
    '"><script>pwned()</script>@evil.example',
  ]) {
    const refused = call("POST", "/v1/customers/identify", { externalId: "mail-1", email });
    await expect(refused).rejects.toThrow(/answered 4\d\d/);
  }
});
