import { defineConfig } from "@playwright/test";
import { firefox, launchOptions } from "./e2e/browser.ts";
import "./e2e/quick-stacks.ts";

/** The core that every engine runs: `npm run e2e:all`. Chromium alone runs the rest, which needs its own tools. */
const CORE = ["**/main-job.spec.ts", "**/host-pages.spec.ts", "**/identity.spec.ts", "**/follow.spec.ts"];

/** A setting of the browser itself that Chromium's headless shell does not have. */
const FIREFOX_ONLY = "**/blocked-storage.spec.ts";

/**
 * Without a graphics card, an animation is drawn up to 60 times a second, which took a tenth of the processor time. The
 * main job and LOOK14 turn it on.
 */
const STILL = { reducedMotion: "reduce" } as const;

/** They last longest, so they start first; the last of a run would keep one core only. */
const LONG = ["**/packages.spec.ts", "**/browser-faults.spec.ts", "**/support-day.spec.ts"];

const CHROMIUM = { browserName: "chromium", launchOptions, contextOptions: STILL } as const;

export default defineConfig({
  testDir: "e2e",
  testMatch: "**/*.spec.ts",
  outputDir: "test-results/traces",
  // More than the cores of a small machine: the tests also wait.
  workers: 6,
  fullyParallel: false,
  forbidOnly: true,
  retries: 0,
  // Limits that only a failing test reaches, however busy the machine is.
  timeout: 600_000,
  expect: { timeout: 30_000 },
  reporter: [["list"], ["json", { outputFile: "test-results/e2e.json" }]],
  projects: [
    { name: "long", use: CHROMIUM, testMatch: LONG },
    { name: "chromium", use: CHROMIUM, testIgnore: [FIREFOX_ONLY, ...LONG] },
    ...(process.env["ALL_ENGINES"]
      ? [{ name: "firefox", testMatch: [...CORE, FIREFOX_ONLY], use: firefox }]
      : []),
  ],
  use: {
    // A step that hangs names itself; without a limit the end of the test hides it.
    actionTimeout: 60_000,
    navigationTimeout: 60_000,
    // Even without snapshots it costs a tenth of the processor time: only a red test that is tried alone has one, and what
    // runs with `--trace on`.
    trace: "off",
    screenshot: "only-on-failure",
    video: "off",
  },
});
