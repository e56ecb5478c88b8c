import { type Browser, expect, type Page, test } from "@playwright/test";
import { done, type ToolCall } from "../service/tools/testing/fake-mcp-server.ts";
import { setUpDesk } from "./kit/desk.ts";
import { panelOn } from "./kit/panel.ts";
import { openRefundShop, REFUND_INPUT, type RefundShop } from "./kit/refund-shop.ts";

const PAID = "EUR 12.50 of order 1001 was paid back.";
const DONE = "Done.";
const ADDRESS = /\/conversations\/[^/]+\/actions$/;

let shop: RefundShop;
test.beforeEach(async () => {
  shop = await openRefundShop();
});
test.afterEach(() => shop.dispose());

const newPage = async (browser: Browser): Promise<Page> => (await browser.newContext()).newPage();

/** A customer asks, the agent asks the team, and a person has the card before them. The tool's answer is held back. */
async function openDecision(browser: Browser) {
  const held: ToolCall[] = [];
  shop.tools.onCall = (call) => void held.push(call);
  const desk = await newPage(browser);
  await setUpDesk(desk, shop.product.setupLink());
  const page = await newPage(browser);
  await page.goto(shop.product.site);
  const panel = panelOn(page);
  await panel.open();
  await panel.say("Please refund order 1001.");
  await expect(panel.log).toContainText("Our AI agent asks our team for permission: Refund an order");
  await expect(panel.log).toContainText("Waiting for a person");
  // Words and buttons of the customer allow nothing.
  await expect(panel.button("Allow")).toHaveCount(0);
  const waiting = desk.getByRole("region", { name: "Decision needed" });
  await waiting.getByRole("listitem").getByRole("button").click();
  const card = desk.getByRole("log").getByRole("group", { name: /Refund an order/ });
  await expect(card).toContainText("1001");
  await expect(card).toContainText("12.5");
  return { desk, panel, card, held };
}

test("ACT1 DESK22 a person allows it, and the customer reads that it was done only after the tool's whole answer", async ({
  browser,
}) => {
  const { desk, panel, card, held } = await openDecision(browser);
  await card.getByRole("button", { name: "Allow", exact: true }).click();
  await expect(desk.getByRole("log")).toContainText("Allowed by the team");
  await expect.poll(() => held.length).toBe(1);
  expect(held[0]).toMatchObject({ name: "refund", input: REFUND_INPUT });
  await expect(panel.log).toContainText("In progress…");
  await expect(desk.getByRole("log")).toContainText("In progress…");
  await expect(panel.log).not.toContainText(DONE);
  await expect(desk.getByRole("log")).not.toContainText("Done");

  held[0]?.answer(done(PAID));
  await expect(panel.log).toContainText(DONE);
  await expect(panel.log).toContainText(PAID);
  await expect(desk.getByRole("log")).toContainText(`Done: ${PAID}`);
  await expect(desk.getByRole("region", { name: "Decision needed" })).toHaveCount(0);
  expect(held).toHaveLength(1);
});

test("ACT1 DESK22 a person refuses it: no tool is called, and the customer reads that it was not done", async ({
  browser,
}) => {
  const { desk, panel, card, held } = await openDecision(browser);
  await card.getByRole("button", { name: "Don't allow" }).click();
  await expect(desk.getByRole("log")).toContainText("Refused by the team");
  await expect(panel.log).toContainText("This wasn't done.");
  await expect(panel.log).not.toContainText(DONE);
  expect(held).toEqual([]);
});

test("ACT1 DESK22 a permission that never arrives is no permission: both wait, and it can be given again, once", async ({
  browser,
}) => {
  const { desk, panel, card, held } = await openDecision(browser);
  await desk.route(ADDRESS, (route) => route.abort(), { times: 1 });
  const allow = card.getByRole("button", { name: "Allow", exact: true });
  await allow.click();
  await expect(card.getByRole("alert")).toContainText("We couldn't confirm your answer.");
  await expect(desk.getByRole("log")).not.toContainText("Allowed by the team");
  expect(held).toEqual([]);

  // Now it arrives, and its answer is lost: only the log says what happened.
  await desk.route(
    ADDRESS,
    async (route) => {
      await route.fetch();
      await route.abort();
    },
    { times: 1 },
  );
  await allow.click();
  await expect(desk.getByRole("log")).toContainText("Allowed by the team");
  await expect(allow).toHaveCount(0);
  await expect.poll(() => held.length).toBe(1);
  await expect(panel.log).not.toContainText(DONE);
  // The outcome is unknown, and nobody reads that it was done.
  held[0]?.response.destroy();
  await expect(panel.log).toContainText("We don't know whether this happened.");
  await expect(panel.log).not.toContainText(DONE);
  await expect(desk.getByRole("log")).toContainText("We don't know whether this was done.");
  expect(held).toHaveLength(1);
});
