import type { CallToolResult } from "@modelcontextprotocol/client";
import { describe, expect, test } from "vitest";
import type { DoneSign } from "./mcp-config.ts";
import { outcomeOf } from "./tool-outcome.ts";

const json = (value: unknown): CallToolResult => ({
  content: [{ type: "text", text: JSON.stringify(value) }],
});

/** The outcome for a tool whose owner says that a field has some value. */
const statusWith = (result: unknown, refund: DoneSign = { id: "*" }) =>
  outcomeOf(json(result), true, { input: {} }, { refund }).status;

describe("ACT3 a tool whose owner says what its result has where it was done", () => {
  const sign = { order: { financial_status: ["voided", "refunded"] }, ok: true };
  const done = { ok: true, order: { id: 17, financial_status: "voided" }, fulfillment_status: "unfulfilled" };

  test.each([
    ["in a text", json(done)],
    ["as structured content", { content: [], structuredContent: done }],
    ["beside another text", { content: [{ type: "text", text: "Not shipped." }, ...json(done).content] }],
  ] satisfies [string, CallToolResult][])("has done it if the result has that, %s", (_where, result) => {
    expect(outcomeOf(result, true, { input: {} }, sign).status).toBe("completed");
  });

  test.each([
    ["another value", json({ ...done, order: { financial_status: "paid" } })],
    ["a value of another type", json({ ...done, ok: "true" })],
    ["a field less", json({ order: done.order })],
    ["a text in place of an object", json({ ...done, order: "voided" })],
    ["a list of such results", json([done])],
    ["only words", { content: [{ type: "text", text: "Done. The order was cancelled." }] }],
    ["nothing", { content: [] }],
    [
      "another value in a text than in its structure",
      { ...json({ ...done, ok: false }), structuredContent: done },
    ],
    [
      "another value in its structure than in a text",
      { ...json(done), structuredContent: { ...done, ok: false } },
    ],
    [
      "another value in one of two texts",
      { content: [...json(done).content, ...json({ ok: false }).content] },
    ],
    ["an error", { ...json(done), isError: true }],
  ] satisfies [string, CallToolResult][])("leaves it open if the result has %s", (_what, result) => {
    expect(outcomeOf(result, true, { input: {} }, sign).status).toBe("unknown");
  });

  test.each([
    ["completed", 200],
    ["unknown", "200"],
  ])("finds entries of a list, and names with a dot: %s", (status, code) => {
    expect(outcomeOf(json([{ "a.b": code }]), true, { input: {} }, { "0": { "a.b": 200 } }).status).toBe(
      status,
    );
  });

  test.each(["re_1", 5, true, ["re_1"], { id: "re_1" }])("has done it where a named field is %j", (id) => {
    expect(statusWith({ refund: { id } })).toBe("completed");
    expect(statusWith({ refund: [{ id }] }, { "0": { id: "*" } })).toBe("completed");
  });

  test.each([undefined, null, false, 0, "", " ", [], {}, [null], { id: null, errors: [] }])(
    "leaves it open where a named field is %j",
    (id) => {
      expect(statusWith({ refund: { id } })).toBe("unknown");
      expect(statusWith({ refund: [{ id }] }, { "0": { id: "*" } })).toBe("unknown");
    },
  );

  test.each([
    ["completed", []],
    ["unknown", [{ message: "The refund is too high." }]],
    ["unknown", null],
  ])("is %s where a list that has to be empty is %j", (status, userErrors) => {
    expect(statusWith({ refund: { id: "re_1", userErrors } }, { id: "*", userErrors: [] })).toBe(status);
  });

  test("leaves it open if the result is not whole", () => {
    expect(outcomeOf(json(done), false, { input: {} }, sign).status).toBe("unknown");
  });
});
