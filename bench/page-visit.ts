import type { Browser, BrowserContext, CDPSession, Frame, Page, Request } from "@playwright/test";
import type { Variant } from "./page-variants.ts";

/** The visit that the budget of the first open measures: docs/decisions/0001-budgets.md. */
const ASSETS = new Set(["script", "stylesheet", "font"]);
const VIEWPORT = { width: 1280, height: 800 };
/** The middle of every variant's launcher: 56 px wide, 20 px from the corner. */
const LAUNCHER = { x: VIEWPORT.width - 48, y: VIEWPORT.height - 48 };

/** The results of one visit in which the chat was opened and used; times in ms, sizes in bytes. */
export interface Visit {
  readonly requestsBefore: number;
  readonly bytesBefore: number;
  readonly stored: number;
  readonly launcher: number;
  readonly requestsOpening: number;
  readonly bytesOpening: number;
  /** For the frame's document and the API calls until then. */
  readonly bytesBeside: number;
  readonly opening: number;
  readonly heap: number;
  readonly longTasks: number;
  /** Processor time of the page's main thread after the press. */
  readonly busy: number;
  readonly shift: number;
}

export interface Stage {
  readonly browser: Browser;
  readonly address: (variant: Variant) => string;
}

/** Runs in the host page and in every frame before any other script: records when things became visible. */
function watch(): void {
  const noted = { launcher: 0, pressed: 0, focused: 0, longTasks: 0, shift: 0 };
  Object.assign(window, { __noted: noted });
  const now = () => performance.timeOrigin + performance.now();
  addEventListener("focusin", ({ target }) => {
    if (target instanceof HTMLTextAreaElement && !noted.focused) noted.focused = now();
  });
  if (window !== top) return;
  addEventListener(
    "click",
    () => {
      noted.pressed ||= now();
    },
    true,
  );
  new PerformanceObserver((list) => {
    noted.longTasks += list.getEntries().length;
  }).observe({ type: "longtask", buffered: true });
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) noted.shift += (entry as unknown as { value: number }).value;
  }).observe({ type: "layout-shift", buffered: true });
  const look = () => {
    const own = document.querySelector("#launcher");
    const button = own ?? document.querySelector("parley-chat")?.shadowRoot?.querySelector("button");
    // An element is painted in the frame after the one in which it gets a size.
    if (button?.getBoundingClientRect().width)
      requestAnimationFrame(() => {
        noted.launcher = performance.now();
      });
    else requestAnimationFrame(look);
  };
  requestAnimationFrame(look);
}

interface Noted {
  readonly launcher: number;
  readonly pressed: number;
  readonly focused: number;
  readonly longTasks: number;
  readonly shift: number;
}

/** A page of the visitor's, and a connection to it that adds nothing to its heap. */
interface Visitor {
  readonly context: BrowserContext;
  readonly page: Page;
  readonly client: CDPSession;
}

/** A browser with an empty cache, on a page that has not loaded yet. */
async function newVisitor({ browser }: Stage): Promise<Visitor> {
  const context = await browser.newContext({ viewport: VIEWPORT });
  await context.addInitScript(watch);
  const page = await context.newPage();
  return { context, page, client: await context.newCDPSession(page) };
}

async function notedIn({ client }: Visitor): Promise<Noted> {
  const { result } = await client.send("Runtime.evaluate", { expression: "__noted", returnByValue: true });
  return result.value as Noted;
}

/** Resolves when the network is quiet and the launcher, if there is one, was painted. */
async function load(visitor: Visitor, { address }: Stage, variant: Variant): Promise<void> {
  await visitor.page.goto(address(variant), { waitUntil: "networkidle" });
  while (variant !== "nothing" && !(await notedIn(visitor)).launcher) await visitor.page.waitForTimeout(20);
}

async function bytesOf(requests: readonly Request[]): Promise<number> {
  const sizes = await Promise.all(requests.map((request) => request.sizes()));
  return sizes.reduce((sum, { responseBodySize }) => sum + responseBodySize, 0);
}

/** The page's memory after garbage collection. */
async function heapOf({ client }: Visitor): Promise<number> {
  await client.send("HeapProfiler.collectGarbage");
  const { usedSize } = await client.send("Runtime.getHeapUsage");
  return usedSize;
}

/** Processor time of the page's main thread so far, in ms, which other programs do not lengthen. */
async function busyOf({ client }: Visitor): Promise<number> {
  const { metrics } = await client.send("Performance.getMetrics");
  return (metrics.find(({ name }) => name === "TaskDuration")?.value ?? 0) * 1_000;
}

/** The chat's frame: it belongs to another site, so it has its own process. */
async function frameOn(page: Page): Promise<Frame> {
  const isChat = (frame: Frame) => frame !== page.mainFrame() && frame.url().startsWith("http");
  return page.frames().find(isChat) ?? page.waitForEvent("framenavigated", isChat);
}

/**
 * Opens the chat after hovering `hoverMs` over its launcher, and waits for the focused composer; returns the time of
 * that, and ms since the press.
 */
async function open(visitor: Visitor, hoverMs: number): Promise<{ focused: number; ms: number }> {
  const { page } = visitor;
  if (hoverMs > 0) {
    await page.mouse.move(LAUNCHER.x, LAUNCHER.y);
    // This measures what hovering this long gains.
    await page.waitForTimeout(hoverMs);
  }
  await page.mouse.click(LAUNCHER.x, LAUNCHER.y);
  const frame = await frameOn(page);
  await frame.waitForFunction(() => (window as unknown as { __noted: Noted }).__noted.focused > 0);
  const { focused } = await frame.evaluate(() => (window as unknown as { __noted: Noted }).__noted);
  return { focused, ms: focused - (await notedIn(visitor)).pressed };
}

async function chat(page: Page): Promise<void> {
  const panel = await frameOn(page);
  const composer = panel.getByRole("textbox", { name: "Message" });
  await composer.fill("Can I return a lamp?");
  await composer.press("Enter");
  await panel.locator('[data-role="agent"] [data-state="message"]').last().waitFor();
}

/** One whole visit: load, open by a press without hovering, write, read the answer. */
export async function visit(stage: Stage, variant: Variant): Promise<Visit> {
  const visitor = await newVisitor(stage);
  const { context, page } = visitor;
  const seen: Request[] = [];
  context.on("request", (request) => seen.push(request));
  await load(visitor, stage, variant);
  const before = seen.slice(1);
  const bytesBefore = await bytesOf(before);
  const { cookies, origins } = await context.storageState();
  await visitor.client.send("Performance.enable", { timeDomain: "threadTicks" });
  const busyBefore = await busyOf(visitor);
  const opened = variant === "nothing" ? { focused: 0, ms: 0 } : await open(visitor, 0);
  const during = seen
    .slice(before.length + 1)
    .filter((request) => request.timing().startTime <= opened.focused);
  const assets = during.filter((request) => ASSETS.has(request.resourceType()));
  const bytesOpening = await bytesOf(assets);
  const bytesBeside = (await bytesOf(during)) - bytesOpening;
  if (variant === "parley") await chat(page);
  const busy = (await busyOf(visitor)) - busyBefore;
  const { launcher, longTasks, shift } = await notedIn(visitor);
  const heap = await heapOf(visitor);
  await context.close();
  return {
    requestsBefore: before.length,
    bytesBefore,
    stored: cookies.length + origins.length,
    launcher,
    requestsOpening: during.length,
    bytesOpening,
    bytesBeside,
    opening: opened.ms,
    heap,
    longTasks,
    busy,
    shift,
  };
}

/** From press to focused composer after a pause over the launcher, in ms. */
export async function warmOpening(stage: Stage, variant: Variant, hoverMs: number): Promise<number> {
  const visitor = await newVisitor(stage);
  await load(visitor, stage, variant);
  const { ms } = await open(visitor, hoverMs);
  await visitor.context.close();
  return ms;
}

/** Long tasks of the host page while it loads on a processor that is slowed down by this factor. */
export async function longTasksSlowed(stage: Stage, variant: Variant, times: number): Promise<number> {
  const visitor = await newVisitor(stage);
  await visitor.client.send("Emulation.setCPUThrottlingRate", { rate: times });
  await load(visitor, stage, variant);
  const { longTasks } = await notedIn(visitor);
  await visitor.context.close();
  return longTasks;
}
