import type { CDPSession } from "@playwright/test";

/**
 * Drags fingers from these places down by `distance` pixels in a fifth of a second, and lifts them after they came to
 * rest.
 */
export async function pull(
  cdp: CDPSession,
  xs: readonly number[],
  from: number,
  distance: number,
): Promise<void> {
  const began = Date.now() / 1000 - 0.5;
  const touch = (type: "touchStart" | "touchMove" | "touchEnd", after: number, y: number) =>
    cdp.send("Input.dispatchTouchEvent", {
      type,
      touchPoints: type === "touchEnd" ? [] : xs.map((x, id) => ({ x, y, id })),
      timestamp: began + after,
    });
  await touch("touchStart", 0, from);
  for (let step = 1; step <= 10; step += 1) {
    await touch("touchMove", step * 0.02, from + (distance * step) / 10);
  }
  // A flung log keeps scrolling, and a tap meanwhile only stops it.
  for (let rest = 1; rest <= 10; rest += 1) await touch("touchMove", 0.2 + rest * 0.02, from + distance);
  await touch("touchEnd", 0.4, from + distance);
}
