import { afterEach, expect, it, vi } from "vitest";
import { afterPaint } from "./after-paint.ts";

afterEach(() => {
  vi.unstubAllGlobals();
  vi.useRealTimers();
});

it.each([
  ["a page that is drawn", true],
  ["a hidden page", false],
])("runs once in %s", (_, isDrawn) => {
  vi.useFakeTimers({ toFake: ["setTimeout", "requestAnimationFrame"] });
  if (!isDrawn) vi.stubGlobal("requestAnimationFrame", () => 0);
  const run = vi.fn();
  afterPaint(run);
  vi.advanceTimersByTime(1000);
  expect(run).toHaveBeenCalledOnce();
});
