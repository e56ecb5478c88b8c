import { randomBytes } from "node:crypto";
import { describe, expect, it } from "vitest";
import { createScriptedService } from "../testing/scripted-service.ts";
import { createTestBff } from "../testing/test-bff.ts";
import { childOf, newTrace, parseTraceparent, traceparentOf } from "./trace.ts";

const TRACE = "0af7651916cd43dd8448eb211c80319c";
const SPAN = "b7ad6b7169203331";
const GOOD = `00-${TRACE}-${SPAN}-01`;

describe("a traceparent", () => {
  it.each([GOOD, `00-${TRACE}-${SPAN}-00`, `01-${TRACE}-${SPAN}-01-more`, `cc-${TRACE}-${SPAN}-ff`])(
    "%s is one",
    (header) => {
      expect(parseTraceparent(header)).toMatchObject({ traceId: TRACE, spanId: SPAN });
    },
  );

  it.each([
    undefined,
    "",
    `ff-${TRACE}-${SPAN}-01`,
    `00-${TRACE.toUpperCase()}-${SPAN}-01`,
    `00-${"0".repeat(32)}-${SPAN}-01`,
    `00-${TRACE}-${"0".repeat(16)}-01`,
    `${GOOD}-more`,
    `00-${TRACE}-${SPAN}`,
    `00-${TRACE.slice(1)}-${SPAN}-01`,
    ` ${GOOD}`,
    `${GOOD}\r\nx: y`,
    `01-${TRACE}-${SPAN}-01-${"m".repeat(300)}`,
    `00-${TRACE}-${SPAN}-0g`,
  ])("%s is invalid", (header) => {
    expect(parseTraceparent(header)).toBeUndefined();
  });

  it("our own span continues the same trace", () => {
    const trace = newTrace(randomBytes);
    expect(parseTraceparent(traceparentOf(trace))).toEqual(trace);
    const child = childOf(trace, randomBytes);
    expect(child.traceId).toBe(trace.traceId);
    expect(child.spanId).not.toBe(trace.spanId);
  });
});

describe("passed on to the service", () => {
  async function seenWith(headers: Record<string, string>) {
    const service = createScriptedService();
    const bff = createTestBff({ service });
    await bff.request("POST", "/api/session", {
      headers: { "content-type": "application/json", ...headers },
      body: "{}",
    });
    return { sent: service.seen.map((call) => call.headers["traceparent"]), lines: bff.lines };
  }

  it("the browser's trace reaches each call to the service and the log entry, with our own spans", async () => {
    const { sent, lines } = await seenWith({ traceparent: GOOD, tracestate: "vendor=canary" });
    expect(sent.length).toBeGreaterThan(2);
    for (const header of sent) expect(header).toMatch(new RegExp(`^00-${TRACE}-[0-9a-f]{16}-01$`));
    expect(new Set([...sent, GOOD]).size).toBe(sent.length + 1);
    expect(JSON.parse(lines.at(-1) ?? "")).toMatchObject({
      traceId: TRACE,
      calls: sent.length,
      outcome: "ok",
    });
  });

  it("an invalid one is replaced, and nothing of it is passed on", async () => {
    const { sent, lines } = await seenWith({ traceparent: "00-canary-canary-01" });
    expect(sent.every((header) => parseTraceparent(header) !== undefined)).toBe(true);
    expect([...sent, ...lines].join("")).not.toContain("canary");
  });
});
