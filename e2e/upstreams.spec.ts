import { expect, test } from "@playwright/test";
import type { Kind } from "../service/testing/fake/kinds.ts";
import { endConversation, panelOn } from "./kit/panel.ts";
import { type Stage, startStage, type Visitor } from "./kit/stage.ts";

const KINDS = ["full", "turns", "seven", "provider-only"] as const;
const stages = new Map<Kind, Stage>();

test.beforeAll(async () => {
  for (const kind of KINDS) stages.set(kind, await startStage({ kind }));
});
test.afterAll(async () => {
  for (const stage of stages.values()) await stage.dispose();
});

function stageOf(kind: Kind): Stage {
  const stage = stages.get(kind);
  if (!stage) throw new Error(`no stage for ${kind}`);
  return stage;
}

async function endByPanel({ panel }: Visitor): Promise<void> {
  await endConversation(panel);
  await expect(panel.frame.getByText(/conversation has ended/i).first()).toBeVisible();
}

test("everything: question, answer, person, end", async ({ browser }) => {
  const { mock, visit } = stageOf("full");
  const visitor = await visit(browser);
  const { panel, leave } = visitor;
  await expect(panel.composer).toHaveAttribute("placeholder", "Write a message");
  await panel.say("How long does delivery take?");
  await expect(panel.log).toContainText("Delivery takes 2 to 4 business days.");
  await panel.button("Talk to a person").click();
  await expect(panel.frame.getByText("We've asked a teammate to join. You can keep writing.")).toBeVisible();
  const [id = ""] = [...mock.conversations.keys()];
  await mock.acceptHandoff(id, "Maya");
  await mock.say(id, "Maya", "Hello, this is Maya.");
  await expect(panel.log).toContainText("Hello, this is Maya.");
  await endByPanel(visitor);
  expect(mock.violations).toEqual([]);
  await leave();
});

test("turns without events: the whole chat, with everything that an agent may ask", async ({ browser }) => {
  const { mock, visit } = stageOf("turns");
  const visitor = await visit(browser);
  const { page, panel, leave } = visitor;
  await panel.say("How long does delivery take?");
  await expect(panel.log).toContainText("Delivery takes 2 to 4 business days.");
  await expect(panel.log.getByRole("link", { name: "Shipping" })).toBeVisible();

  // A second tab and a later visit read the same log.
  const tab = await page.context().newPage();
  await tab.goto(page.url());
  const other = panelOn(tab);
  await other.open();
  await expect(other.log).toContainText("Delivery takes 2 to 4 business days.");

  await panel.say("#clarify");
  await expect(panel.log).toContainText("Which order is it?");
  await expect(other.log).toContainText("Which order is it?");
  await panel.say("#cut");
  await expect(panel.log).toContainText("This answer was cut off.");
  await panel.say("#error");
  await expect(panel.log).toContainText("Our AI agent couldn't answer this.");
  await expect(panel.log).not.toContainText("UPSTREAM-TEXT");

  await panel.say("#action");
  const ask = panel.frame.getByRole("group", { name: "Our AI agent asks for your permission: cancel order" });
  await expect(ask).toBeVisible();
  mock.setFault("actionApprovals", "status-503", { times: 1 });
  await panel.button("Allow").click();
  await expect(ask).toContainText("We couldn't confirm your answer.");
  await mock.clearFaults();
  await panel.button("Allow").click();
  await expect(ask).toContainText("You allowed this.");
  await expect(other.log).toContainText("You allowed this.");

  await panel.say("#person");
  await expect(
    panel.frame.getByText("Our AI agent suggests talking to a person: The customer wants a person").first(),
  ).toBeVisible();
  await panel.button("Talk to a person").click();
  await expect(
    panel.frame.getByText("We've asked a teammate to join. Their replies won't appear here.").first(),
  ).toBeVisible();

  await page.reload();
  await panel.open();
  await expect(panel.log.getByText("Delivery takes 2 to 4 business days.")).toHaveCount(1);
  await expect(panel.log).toContainText("You allowed this.");
  await endByPanel(visitor);
  expect(mock.violations).toEqual([]);
  await leave();
});

test("turns without events: a message that the service did not store is not confirmed, and Retry sends it with the same key", async ({
  browser,
}) => {
  const { mock, visit } = stageOf("turns");
  const { panel, leave } = await visit(browser);
  await panel.say("#silent");
  await expect(panel.log).toContainText("Not confirmed");
  await expect(panel.log.getByText("Sent", { exact: true })).toHaveCount(0);
  await panel.button("Retry").click();
  await expect(panel.button("Retry")).toBeVisible();
  const sent = mock.requests.flatMap(({ endpoint, body }) => (endpoint === "turns" ? [body] : []));
  const keys = sent.flatMap((body) => {
    const { clientMessageId, content } = body as { clientMessageId: string; content: { body: string } };
    return content.body === "#silent" ? [clientMessageId] : [];
  });
  expect(keys.length).toBeGreaterThan(1);
  expect(new Set(keys).size).toBe(1);
  await leave();
});

test("turns without events: an answer continues while the browser is away", async ({ browser }) => {
  const { mock, visit } = stageOf("turns");
  const { page, panel, leave } = await visit(browser);
  await panel.say("#hold");
  await expect(panel.log).toContainText("Delivery takes");
  await page.goto("about:blank");
  mock.releaseTurns();
  await page.goBack();
  await panel.open();
  await expect(panel.log).toContainText("This answer was cut off.");
  await leave();
});

for (const kind of ["seven", "provider-only"] as const) {
  test(`LESS1 ${kind}: one message, a person, the end, and no claim beyond what is true`, async ({
    browser,
  }) => {
    const { mock, visit } = stageOf(kind);
    const visitor = await visit(browser);
    const { page, panel, leave } = visitor;
    await expect(panel.composer).toHaveAttribute("placeholder", "Write one message to support");
    await expect(panel.log).toContainText("Replies won't appear here.");

    await panel.say("How long does delivery take?");
    await expect(panel.log.getByText("Sent")).toBeVisible();
    await expect(panel.composer).toHaveAttribute("placeholder", "You can't send more messages here");
    await panel.say("And to the islands?");
    await expect(panel.log).toContainText("You can't send more messages here.");

    await panel.button("Talk to a person").click();
    await expect(
      panel.frame.getByText("We've asked a teammate to join. Their replies won't appear here.").first(),
    ).toBeVisible();
    await endByPanel(visitor);
    await panel.button("Retry").click();
    await expect(panel.composer).toHaveAttribute("placeholder", "You can't send more messages here");
    await page.reload();
    await panel.open();
    await expect(panel.log).toContainText("And to the islands?");

    const subjects = [...mock.conversations.values()].map(({ subject }) => subject);
    expect(subjects).toEqual(["How long does delivery take?", "And to the islands?"]);
    const asked = mock.requests.find(({ endpoint }) => endpoint === "handoffs")?.body;
    expect(asked).toMatchObject({ transcript: "Customer: How long does delivery take?" });
    expect(mock.violations).toEqual([]);
    await leave();
  });
}
