import { globSync, readFileSync } from "node:fs";
import { availableParallelism } from "node:os";
import { fileURLToPath } from "node:url";
import { defineConfig, type Plugin } from "vitest/config";
import { jsx } from "./widget/jsx.ts";

// Node reads .ts as it is; vitest compiles the .tsx files for Preact, as the build does.
const oxc = { jsx };

const APP = fileURLToPath(new URL("service/app.ts", import.meta.url));
const WATCHED_APP = fileURLToPath(new URL("service/testing/watched-app.ts", import.meta.url));

/** Each answer of each service that a test makes is compared with `/v1/openapi.json` (docs/decisions/0064). */
const watchedService: Plugin = {
  name: "watched-service",
  enforce: "pre",
  async resolveId(source, importer, options) {
    if (!source.endsWith("/app.ts")) return null;
    const found = await this.resolve(source, importer, { ...options, skipSelf: true });
    return found?.id === APP ? WATCHED_APP : found;
  },
};
const WATCHED = { plugins: [watchedService] };
const REQUIRE_DESCRIBED = ["service/testing/require-described.ts"];

/** Suites that need a listening service or many seconds run by their own command. */
const SLOW = ["**/*.contract.test.ts", "**/*.slow.test.ts", "e2e/**/*.spec.ts"];

/** Controls that put another module in a module's place, and counts of what ran, need a worker of their own. */
const APART = ["**/*.control.test.ts"];

/** Temporary folders of tests that look at no disk lie in memory. */
const SCRATCH = ".ci/scratch.ts";

/** Ends a test that hangs; far more than any needs, so that a busy machine makes none red. */
const TEST_TIMEOUT_MS = 120_000;

/** The same for a value that a test waits for, and for what a file prepares. */
const WAIT_MS = 60_000;
const PATIENCE = { hookTimeout: WAIT_MS, expect: { poll: { timeout: WAIT_MS } } };

const BROWSER_TESTS = globSync("{widget,packages}/**/*.test.{ts,tsx}");

/** Tests that say so in their first line. Mixed with the others, a worker ended whenever one of the other kind followed. */
const isWithoutDom = (file: string) => readFileSync(file, "utf8").startsWith("// @vitest-environment node");

const BROWSER_CODE = {
  oxc,
  css: { modules: { localsConvention: "camelCaseOnly" } },
  define: { __PARLEY_EMOJI__: JSON.stringify("assets/emoji.json") },
  test: {
    // A class has the name that its file gives it.
    css: { modules: { classNameStrategy: "non-scoped" } },
    exclude: SLOW,
    testTimeout: TEST_TIMEOUT_MS,
    ...PATIENCE,
    // Files share a worker, which is half the time.
    isolate: false,
  },
} as const;

export default defineConfig({
  test: {
    // More than the cores: a third of a worker's time is waits, mostly for SQLite's writes to reach the disk.
    maxWorkers: Math.ceil(availableParallelism() * 1.5),
    // Projects run in the order of their groups: mixed, a worker ends whenever a file of another project follows.
    projects: [
      {
        oxc,
        ...WATCHED,
        test: {
          name: "node",
          sequence: { groupOrder: 0 },
          environment: "node",
          setupFiles: REQUIRE_DESCRIBED,
          include: ["{bff,service,shared,start,tools,demo,bench,e2e}/**/*.test.ts", ".ci/*.test.ts"],
          exclude: [...SLOW, ...APART],
          globalSetup: SCRATCH,
          testTimeout: TEST_TIMEOUT_MS,
          ...PATIENCE,
          // State of one's own comes in as a parameter everywhere, so files can share a worker: half the time.
          isolate: false,
        },
      },
      {
        oxc,
        ...WATCHED,
        test: {
          name: "apart",
          sequence: { groupOrder: 1 },
          environment: "node",
          setupFiles: REQUIRE_DESCRIBED,
          include: APART,
          globalSetup: SCRATCH,
          testTimeout: TEST_TIMEOUT_MS,
          ...PATIENCE,
        },
      },
      {
        ...BROWSER_CODE,
        test: {
          ...BROWSER_CODE.test,
          name: "dom",
          sequence: { groupOrder: 2 },
          environment: "happy-dom",
          setupFiles: ["widget/ui/testing-document.ts"],
          include: BROWSER_TESTS.filter((file) => !isWithoutDom(file)),
        },
      },
      {
        ...BROWSER_CODE,
        test: {
          ...BROWSER_CODE.test,
          name: "without-dom",
          sequence: { groupOrder: 3 },
          include: BROWSER_TESTS.filter(isWithoutDom),
        },
      },
      {
        oxc,
        ...WATCHED,
        test: {
          name: "contract",
          environment: "node",
          setupFiles: REQUIRE_DESCRIBED,
          include: ["**/*.contract.test.ts"],
          // Inside tests BASE_URL is vitest's own ("/"): the service under test comes in under another name.
          env: { CONTRACT_BASE_URL: process.env["BASE_URL"] ?? "" },
          testTimeout: TEST_TIMEOUT_MS,
          ...PATIENCE,
        },
      },
      {
        oxc,
        test: {
          name: "webkit",
          environment: "node",
          include: ["e2e/webkit/*.webkit.ts"],
          // The whole product and a browser start before the first test.
          testTimeout: 300_000,
          hookTimeout: 300_000,
        },
      },
      {
        oxc,
        ...WATCHED,
        test: {
          name: "slow",
          environment: "node",
          setupFiles: REQUIRE_DESCRIBED,
          include: ["{bff,service,shared,start,tools,demo,bench,e2e}/**/*.slow.test.ts"],
          testTimeout: 300_000,
          ...PATIENCE,
          // Some build the whole product before their first test.
          hookTimeout: 300_000,
        },
      },
    ],
  },
});
