import { defineConfig } from "@playwright/test";
import { launchOptions } from "./e2e/browser.ts";

export default defineConfig({
  testDir: "e2e",
  testMatch: "**/*.spec.ts",
  outputDir: "test-results/traces",
  workers: 2,
  fullyParallel: false,
  forbidOnly: true,
  retries: 0,
  timeout: 60_000,
  expect: { timeout: 10_000 },
  reporter: [["list"], ["json", { outputFile: "test-results/e2e.json" }]],
  use: { browserName: "chromium", launchOptions, trace: "retain-on-failure", video: "off" },
});
