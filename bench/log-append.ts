import { type CDPSession, chromium, type Page } from "@playwright/test";
import { launchOptions } from "../e2e/browser.ts";
import { startPanelStage } from "../e2e/kit/panel-stage.ts";
import type { Message } from "../shared/message.ts";

/**
 * Measures the cost of one more message on the panel's main thread, and of one frame of scrolling through a long log
 * while an answer is being written. In processor time, which other programs hardly change; times four for a phone. See
 * docs/decisions/0023-log.md.
 */
const SLOWER = 4;
/**
 * Receiving, drawing and following may cost this many times as much as the bare elements: docs/decisions/0023-log.md.
 */
const BY_HAND = 2;
/** Each message gets its own frame. */
const PAUSE_MS = 50;
const APPENDED = 40;
const SETTLED_MS = 300;
const LENGTHS = [10, 1_000, 5_000];
const SCROLLED = 1_000;
const FRAMES = 120;
const FRAME_MS = 1_000 / 60;
const PIECE_MS = 30;

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
  // The id exists once the message is drawn; before that a provisional version is shown and redrawn.
  const { id, clientMessageId = id } = message(length + 1);
  await page.locator(`#message-${clientMessageId}`).waitFor();
  await page.evaluate(() => new Promise((resolve) => requestIdleCallback(resolve, { timeout: 5_000 })));
  const client = await page.context().newCDPSession(page);
  await client.send("Performance.enable", { timeDomain: "threadTicks" });
  const ours = await append(page, client, length);
  if (length === SCROLLED) {
    const times = ours / (await appendByHand(page));
    if (times > BY_HAND) process.exitCode = 1;
    console.log(`${times > BY_HAND ? "OVER" : "ok  "} ${times.toFixed(2)} x by hand, budget ${BY_HAND} x`);
    await scrollAndStream(page, client);
  }
  await page.close();
}
await browser.close();
await stage.close();

/** Milliseconds of processor time for one more message. */
async function append(page: Page, client: CDPSession, length: number): Promise<number> {
  const before = await metricsOf(client);
  for (let count = 0; count < APPENDED; count += 1) {
    stage.say({ role: "agent", body: message(length + count).body, id: `new${count}` });
    await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
  }
  // Without a query in the page, which would be measured too.
  await new Promise((resolve) => setTimeout(resolve, SETTLED_MS));
  const after = await metricsOf(client);
  await page.locator(`#message-new${APPENDED - 1}`).waitFor();
  return print(`${String(length).padStart(5)} messages, one more`, costOf(before, after, APPENDED));
}

/** The control: a copy of the current page without scripts, to which the same elements are added by hand. */
async function appendByHand(panel: Page): Promise<number> {
  const html = await panel.evaluate(() => {
    const rules = [...document.styleSheets, ...document.adoptedStyleSheets].flatMap((sheet) =>
      [...sheet.cssRules].map((rule) => rule.cssText),
    );
    const copy = document.documentElement.cloneNode(true) as HTMLElement;
    for (const loaded of copy.querySelectorAll("script, link")) loaded.remove();
    copy
      .querySelector("head")
      ?.append(Object.assign(document.createElement("style"), { textContent: rules.join("\n") }));
    return `<!doctype html>${copy.outerHTML}`;
  });
  const page = await browser.newPage({ viewport: { width: 400, height: 680 } });
  await page.setContent(html);
  await page.getByRole("log").evaluate((log) => {
    const content = log.firstElementChild;
    if (!content) throw new Error("The log is empty.");
    new ResizeObserver(() => {
      log.scrollTop = log.scrollHeight;
    }).observe(content);
  });
  await page.waitForTimeout(SETTLED_MS);
  const client = await page.context().newCDPSession(page);
  await client.send("Performance.enable", { timeDomain: "threadTicks" });
  const before = await metricsOf(client);
  await page.getByRole("log").evaluate(
    (log, { count, pauseMs, settledMs }) =>
      new Promise<void>((resolve) => {
        const rows = log.querySelectorAll(".message__message");
        const last = rows[rows.length - 1];
        if (!last?.parentElement) throw new Error("There is no message to copy.");
        const group = last.parentElement;
        let added = 0;
        const timer = setInterval(() => {
          const row = last.cloneNode(true) as HTMLElement;
          row.id = `by-hand-${added}`;
          group.append(row);
          added += 1;
          if (added < count) return;
          clearInterval(timer);
          setTimeout(resolve, settledMs);
        }, pauseMs);
      }),
    { count: APPENDED, pauseMs: PAUSE_MS, settledMs: SETTLED_MS },
  );
  const cost = costOf(before, await metricsOf(client), APPENDED);
  await page.close();
  return print("      the same elements, by hand", cost);
}

/** Prints the cost; returns script, style and layout together. */
function print(what: string, { task, script, style, layout }: ReturnType<typeof costOf>): number {
  const whole = script + style + layout;
  console.log(
    `${what}: ${task.toFixed(2)} ms (script ${script.toFixed(2)}, style ${style.toFixed(2)}, ` +
      `layout ${layout.toFixed(2)}); script, style and layout ${SLOWER} times slower: ${(whole * SLOWER).toFixed(1)} ms`,
  );
  return whole;
}

/** Scrolls back at most a third of a screen per frame, while an answer is written below. */
async function scrollAndStream(page: Page, client: CDPSession): Promise<void> {
  const before = await metricsOf(client);
  const pieces = setInterval(() => {
    stage.signal({ type: "response.delta", messageId: "answer", delta: "some **more** words, " });
  }, PIECE_MS);
  const gaps = await page.getByRole("log").evaluate(async (log, frames) => {
    const gaps: number[] = [];
    const nextFrame = () => new Promise<number>((resolve) => requestAnimationFrame(resolve));
    let last = await nextFrame();
    for (let count = 0; count < frames; count += 1) {
      log.scrollTop -= 200 * Math.sin((Math.PI * count) / frames);
      const now = await nextFrame();
      gaps.push(now - last);
      last = now;
    }
    return gaps;
  }, FRAMES);
  clearInterval(pieces);
  const shown = gaps.reduce((sum, gap) => sum + Math.max(1, Math.round(gap / FRAME_MS)), 0);
  const { task, script, style, layout } = costOf(before, await metricsOf(client), FRAMES);
  console.log(
    `${SCROLLED} messages, scrolled while an answer is written: ${shown - FRAMES} of ${shown} frames missed; a frame ` +
      `${task.toFixed(2)} ms (script ${script.toFixed(2)}, style ${style.toFixed(2)}, layout ${layout.toFixed(2)}); ` +
      `${SLOWER} times slower ${(task * SLOWER).toFixed(1)} of ${FRAME_MS.toFixed(1)} ms`,
  );
}

/** Milliseconds of processor time for one of `count`. */
function costOf(before: Metrics, after: Metrics, count: number) {
  const cost = (name: string) => (((after[name] ?? 0) - (before[name] ?? 0)) * 1_000) / count;
  return {
    task: cost("TaskDuration"),
    script: cost("ScriptDuration"),
    style: cost("RecalcStyleDuration"),
    layout: cost("LayoutDuration"),
  };
}

type Metrics = Readonly<Record<string, number>>;

async function metricsOf(client: CDPSession): Promise<Metrics> {
  const { metrics } = await client.send("Performance.getMetrics");
  return Object.fromEntries(metrics.map(({ name, value }) => [name, value]));
}
