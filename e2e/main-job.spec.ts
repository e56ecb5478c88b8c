import { randomBytes } from "node:crypto";
import { type Browser, expect, test } from "@playwright/test";
import { startExampleAgent } from "../service/agents/http/testing/example-agent.ts";
import { startFakeModelServer } from "../service/agents/openai/testing/fake-model-server.ts";
import { errorsOf } from "./kit/complaints.ts";
import { setUpDesk } from "./kit/desk.ts";
import { endConversation, panelOn } from "./kit/panel.ts";
import { type Product, startProduct } from "./kit/product.ts";

// With animations, which the other files turn off.
test.use({ contextOptions: {} });

/** An agent that the owner can choose, and what it answers to the two questions about delivery and returns. */
interface Choice {
  readonly name: string;
  /** Starts what the agent needs beside the product: the product's environment, and how it ends. */
  readonly open: () => Promise<{ readonly env: Record<string, string>; readonly close: () => unknown }>;
  readonly answers: readonly [RegExp, RegExp];
}

const CHOICES: readonly Choice[] = [
  {
    name: "knowledge",
    open: async () => ({ env: {}, close: () => undefined }),
    answers: [/working days/i, /choose the order and press/],
  },
  {
    name: "openai, with the owner's own model",
    async open() {
      const model = await startFakeModelServer();
      const env = {
        ["AGENT_PROVIDERS"]: "openai",
        ["AGENT_OPENAI_BASE_URL"]: model.url,
        ["AGENT_OPENAI_MODEL"]: "fake-1",
      };
      return { env, close: () => model.close() };
    },
    answers: [/working days/i, /choose the order and press/],
  },
  {
    name: "http, the owner's own agent",
    async open() {
      const secret = `whsec_${randomBytes(32).toString("base64")}`;
      const agent = await startExampleAgent(secret);
      const env = {
        ["AGENT_PROVIDERS"]: "http",
        ["AGENT_HTTP_URL"]: agent.url,
        ["AGENT_HTTP_SECRET"]: secret,
      };
      return { env, close: () => agent.stop() };
    },
    answers: [/This is message 1 of our conversation/, /This is message [2-9] of our conversation/],
  },
];

for (const { name, open, answers } of CHOICES) {
  test(`the whole main job with the agent ${name}: ask, answer, person, end, and all of it survives SIGKILL`, async ({
    browser,
  }) => {
    const agent = await open();
    const product = await startProduct(agent.env);
    try {
      await doMainJob(browser, product, answers);
    } finally {
      await product.dispose();
      await agent.close();
    }
  });
}

async function doMainJob(
  browser: Browser,
  product: Product,
  [first, second]: Choice["answers"],
): Promise<void> {
  const customer = await (await browser.newContext()).newPage();
  const errors = errorsOf(customer);
  await customer.goto(product.site);
  const panel = panelOn(customer);
  await panel.open();

  // A question, and an answer from the articles, with its source.
  await panel.say("How long does delivery take?");
  await expect(panel.log).toContainText("How long does delivery take?");
  await expect(panel.log.getByText(first).first()).toBeVisible();
  await expect(panel.log.getByText("Sent").first()).toBeVisible();

  // A person is asked for; nothing claims that one has joined.
  await panel.button("Talk to a person").click();
  await expect(panel.frame.getByText(/we've asked a teammate/i).first()).toBeVisible();

  // The person, in another browser.
  const maya = await (await browser.newContext()).newPage();
  const errorsAtDesk = errorsOf(maya);
  await setUpDesk(maya, product.setupLink());
  await maya
    .getByRole("button", { name: /How long does delivery take|visitor/i })
    .first()
    .click();
  await maya.getByRole("button", { name: "Take conversation" }).click();
  await expect(panel.frame.getByText(/Maya Lindqvist/).first()).toBeVisible();
  await maya.getByRole("textbox", { name: "Reply" }).fill("Hello, this is Maya. Your parcel leaves today.");
  await maya.getByRole("button", { name: "Send reply" }).click();
  await expect(panel.log).toContainText("Your parcel leaves today.");

  // Live in the other direction too, and each sees when the other is typing.
  // Firefox has one active window: a covered page gets no keys.
  await customer.bringToFront();
  await panel.composer.pressSequentially("Tha");
  await expect(maya.getByText(/is typing/)).toBeVisible();
  await maya.getByRole("textbox", { name: "Reply" }).fill("You are");
  await expect(panel.frame.getByRole("img", { name: "Maya Lindqvist is typing" })).toBeVisible();
  await maya.getByRole("textbox", { name: "Reply" }).fill("");
  await panel.say("Thank you, Maya!");
  await expect(maya.getByText("Thank you, Maya!").first()).toBeVisible();

  // The process is killed. Everything acknowledged is still there.
  await product.crash();
  await customer.reload();
  await panel.open();
  for (const text of ["How long does delivery take?", "Your parcel leaves today.", "Thank you, Maya!"]) {
    await expect(panel.log.getByText(text)).toHaveCount(1);
  }

  // Desk sessions survive too; the agent gets the conversation back and answers again.
  await maya.reload();
  await maya
    .getByRole("button", { name: /Thank you, Maya|visitor/i })
    .first()
    .click();
  await maya.getByRole("button", { name: "Hand back to agent" }).click();
  await panel.say("How many days do I have to return an item?");
  await expect(panel.log.getByText(second).first()).toBeVisible();

  // The end needs a confirmation, so that a slip ends nothing.
  await endConversation(panel);
  await expect(panel.frame.getByText(/conversation has ended|you ended/i).first()).toBeVisible();
  expect([...errors, ...errorsAtDesk]).toEqual([]);
}
