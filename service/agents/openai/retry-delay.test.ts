import { describe, expect, test } from "vitest";
import { baseAddresses } from "./base-address.ts";
import { askedWait, isPassing, retryDelay } from "./retry-delay.ts";

const NOW = Date.parse("2026-11-23T10:00:00Z");

describe("how long to wait before a server is asked again", () => {
  test.each([
    [{ "retry-after-ms": "1500", "retry-after": "9" }, 1500],
    [{ "retry-after": "2" }, 2000],
    [{ "retry-after": "0.5" }, 500],
    [{ "retry-after": "Mon, 23 Nov 2026 10:00:03 GMT" }, 3000],
    [{ "retry-after": "Mon, 23 Nov 2026 09:00:00 GMT" }, 0],
    [{ "retry-after": "soon" }, undefined],
    [{}, undefined],
  ])("%j", (headers, wait) => {
    expect(askedWait(headers, NOW)).toBe(wait);
  });

  test("is the time that the server asks for, if it is under a minute", () => {
    expect(retryDelay(0, 59_999, 1)).toBe(59_999);
    expect(retryDelay(0, 60_000, 1)).toBeUndefined();
  });

  test("else it doubles from half a second to eight seconds, less up to a quarter", () => {
    expect([0, 1, 2, 5].map((attempt) => retryDelay(attempt, undefined, 0))).toEqual([500, 1000, 2000, 8000]);
    expect(retryDelay(0, undefined, 1)).toBe(375);
  });

  test.each([
    [408, {}, true],
    [409, {}, true],
    [429, {}, true],
    [500, {}, true],
    [400, {}, false],
    [404, {}, false],
    [400, { "x-should-retry": "true" }, true],
    [500, { "x-should-retry": "false" }, false],
  ])("%i with %j may pass: %s", (status, headers, passing) => {
    expect(isPassing(status, headers)).toBe(passing);
  });
});

test.each([
  ["http://localhost:11434", ["http://localhost:11434/v1", "http://localhost:11434"]],
  ["https://api.openai.com/v1/", ["https://api.openai.com/v1"]],
  ["https://api.openai.com/v1/chat/completions", ["https://api.openai.com/v1"]],
  ["https://x.openai.azure.com/openai/v1", ["https://x.openai.azure.com/openai/v1"]],
  ["https://g.example/v1beta/openai/", ["https://g.example/v1beta/openai"]],
  ["https://openrouter.ai/api", ["https://openrouter.ai/api", "https://openrouter.ai/api/v1"]],
])("the base address %s means %j", (given, meant) => {
  expect(baseAddresses(new URL(given))).toEqual(meant);
});
