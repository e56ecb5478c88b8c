import { loadavg } from "node:os";
import { type Browser, chromium, type Locator, type Page } from "@playwright/test";
import { launchOptions } from "../e2e/browser.ts";
import { setUpDesk } from "../e2e/kit/desk.ts";
import { startProduct } from "../e2e/kit/product.ts";
import { issueCredential } from "../e2e/kit/service-client.ts";
import { addWaiting } from "../e2e/kit/waiting.ts";
import { openCustomer } from "../service/testing/test-customer.ts";
import { DESK_API } from "../shared/desk-operations.ts";

/**
 * The desk's queue while many customers wait, beside the same with few. Medians. Only reported: the times depend on what
 * else the machine does.
 */
const RUNS = Number(process.argv[2] ?? 7);
const WAITING = [10, 1000];
const ROWS_OF_A_PAGE = 100;

const browser = await chromium.launch(launchOptions);
try {
  for (const count of WAITING) await measure(browser, count);
} finally {
  await browser.close();
}

async function measure(browser: Browser, count: number): Promise<void> {
  const product = await startProduct({ ["LOG_LEVEL"]: "error" });
  try {
    await product.stop();
    await addWaiting(product.dataDir, count);
    await product.start();
    const page = await (await browser.newContext()).newPage();
    await setUpDesk(page, product.setupLink());
    const asked = await timesOf(() => page.evaluate(askForPage, `${DESK_API}/conversations`));
    const opened = await timesOf(async () => {
      await page.reload();
      await untilRows(page, Math.min(count, ROWS_OF_A_PAGE));
    });
    const listed = await timesOf(
      () => page.evaluate(showAll),
      async () => {
        await page.reload();
        await untilRows(page, Math.min(count, ROWS_OF_A_PAGE));
      },
    );

    await untilRows(page, count);

    const origin = `http://127.0.0.1:${product.port}`;
    const request = (path: string, init?: RequestInit) => fetch(origin + path, init);
    const credential = await issueCredential(product);
    let here = count;
    let conversationId = "";
    let customer: Awaited<ReturnType<typeof openCustomer>> | undefined;
    const told = await timesOf(
      async () => {
        await customer?.post("/v1/support/handoffs", { conversationId });
        here += 1;
        await page.waitForFunction((title) => document.title === title, `(${here}) Parley desk`);
      },
      async () => {
        customer = await openCustomer(request, credential, `late-${here}`);
        conversationId = await customer.start();
      },
    );
    const line = (name: string, ms: number) => console.log(`  ${name.padEnd(64)} ${ms.toFixed(0)} ms`);
    console.log(`${count} customers wait; ${RUNS} runs; load ${loadavg()[0]?.toFixed(1)}`);
    line("the answer with the first page of the list", asked);
    line("the desk is opened, until its first rows are there", opened);
    line("every row of the list, by Show more", listed);
    line("a customer asks for a person, until the desk's title counts them", told);
  } finally {
    await product.dispose();
  }
}

/** The median time of a step in ms, without that of its preparation. */
async function timesOf(step: () => Promise<unknown>, prepare?: () => Promise<unknown>): Promise<number> {
  const times: number[] = [];
  for (let run = 0; run < RUNS; run += 1) {
    await prepare?.();
    const began = performance.now();
    await step();
    times.push(performance.now() - began);
  }
  return times.toSorted((a, b) => a - b)[Math.floor(RUNS / 2)] ?? Number.NaN;
}

function rowsOf(page: Page): Locator {
  const waiting = page.getByRole("region", { name: "Waiting", exact: true });
  return waiting.getByRole("listitem").getByRole("button");
}

async function untilRows(page: Page, count: number): Promise<void> {
  await rowsOf(page)
    .nth(count - 1)
    .waitFor();
}

/** In the page, because a driver's own queries over a thousand rows take longer than what they wait for. */
async function showAll(): Promise<void> {
  const nextFrame = () => new Promise((resolve) => requestAnimationFrame(resolve));
  const rows = () => document.querySelectorAll("li button[data-unread]").length;
  const findMore = () =>
    [...document.querySelectorAll("button")].find(({ textContent }) => textContent === "Show more");
  for (let more = findMore(); more; more = findMore()) {
    const before = rows();
    more.click();
    // A full last page leaves a button that brings nothing, and goes.
    while (rows() === before && findMore()) await nextFrame();
    await nextFrame();
  }
}

/** In the page, which is signed in. */
async function askForPage(url: string): Promise<void> {
  await (await fetch(url)).arrayBuffer();
}
