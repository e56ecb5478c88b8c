import { chromium } from "@playwright/test";
import { launchOptions } from "../e2e/browser.ts";
import { startPanelStage } from "../e2e/kit/panel-stage.ts";
import type { Message } from "../shared/message.ts";

/**
 * What one more message costs the panel's main thread, in processor time, which others on the machine do not change; and
 * four times that, for a phone: docs/decisions/0023-log.md.
 */
const SLOWER = 4;
/** A message gets a frame of its own. */
const PAUSE_MS = 50;
const APPENDED = 40;
const LENGTHS = [10, 1_000, 5_000];

const message = (seq: number): Message => ({
  id: `m${seq}`,
  seq,
  role: seq % 2 ? "agent" : "customer",
  body: `Message ${seq}: some words, **some** of them bold, as many as people write in one go.`,
  at: new Date(Date.UTC(2026, 0, 1) + seq * 60_000).toISOString(),
  ...(seq % 2 ? {} : { clientMessageId: `k${seq}` }),
});

const stage = await startPanelStage();
const browser = await chromium.launch(launchOptions);
for (const length of LENGTHS) {
  stage.set(Array.from({ length }, (_, at) => message(at + 2)));
  const page = await browser.newPage({ viewport: { width: 400, height: 680 } });
  await page.goto(stage.frame);
  await page.getByText(`Message ${length + 1}:`).waitFor();
  await page.evaluate(() => new Promise((resolve) => requestIdleCallback(resolve, { timeout: 5_000 })));
  const client = await page.context().newCDPSession(page);
  await client.send("Performance.enable", { timeDomain: "threadTicks" });
  const before = await metricsOf(client);
  for (let count = 0; count < APPENDED; count += 1) {
    stage.say({ role: "agent", body: message(length + count).body, id: `new${count}` });
    await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
  }
  const after = await metricsOf(client);
  await page.locator(`#message-new${APPENDED - 1}`).waitFor();
  const cost = (name: string) => (((after[name] ?? 0) - (before[name] ?? 0)) * 1_000) / APPENDED;
  const [task, script, style, layout] = [
    cost("TaskDuration"),
    cost("ScriptDuration"),
    cost("RecalcStyleDuration"),
    cost("LayoutDuration"),
  ].map((ms) => ms.toFixed(2));
  console.log(
    `${String(length).padStart(5)} messages, one more: ${task} ms (script ${script}, style ${style}, layout ${layout}); ` +
      `script, style and layout ${SLOWER} times slower: ${((cost("ScriptDuration") + cost("RecalcStyleDuration") + cost("LayoutDuration")) * SLOWER).toFixed(1)} ms`,
  );
  await page.close();
}
await browser.close();
await stage.close();

async function metricsOf(client: {
  send(method: "Performance.getMetrics"): Promise<{ metrics: { name: string; value: number }[] }>;
}): Promise<Record<string, number>> {
  const { metrics } = await client.send("Performance.getMetrics");
  return Object.fromEntries(metrics.map(({ name, value }) => [name, value]));
}
