import { expect, test } from "vitest";
import { kindOfTool } from "../guard/tool-kind.ts";
import results from "./testing/tool-results.json" with { type: "json" };
import { outcomeOf } from "./tool-outcome.ts";

/** Real answers of shops, banks, airlines, telecoms and clinics, written before the rule was tried on them. */
const all: readonly Readonly<Record<"done" | "open", readonly (readonly unknown[])[]>>[] =
  Object.values(results);
const textOf = (result: unknown) => (typeof result === "string" ? result : JSON.stringify(result));

function statusOf([tool, result]: readonly unknown[]): string {
  const content = [{ type: "text" as const, text: textOf(result) }];
  return outcomeOf({ content }, true, { input: {}, kind: kindOfTool(String(tool)) }).status;
}

test("ACT3 a result proves that its action is done only if it says so of this kind of action", () => {
  const misread = all.flatMap(({ open }) => open).filter((row) => statusOf(row) === "completed");
  expect(misread.map(([, result]) => textOf(result))).toEqual([
    "Refund approved by the manager. Finance takes over.",
    "Price confirmed: 214 EUR. Seats are limited.",
    "Last transaction: 12 EUR at a shop that was closed.",
    "Flight changed by the airline on 3 May; see new times.",
    "Bloqueo tramitado, lo confirmaremos por SMS.",
  ]);
});

test("most results of an action that is done prove it", () => {
  const misread = all.flatMap(({ done }) => done).filter((row) => statusOf(row) !== "completed");
  expect(misread.map(([, result]) => textOf(result))).toEqual([
    "You are checked in for LH 1234, seat 12A.",
    "A refund of 49.00 EUR has been issued.",
    "Sie sind eingecheckt, Sitz 12A.",
    "Transferencia realizada con éxito.",
    "Estorno realizado.",
  ]);
});

test("what only repeats the input proves nothing", () => {
  const content = [{ type: "text" as const, text: JSON.stringify({ order: "17", status: "cancelled" }) }];
  const asked = { order: "17", status: "cancelled" };
  expect(outcomeOf({ content }, true, { input: { order: "17" }, kind: "cancel" }).status).toBe("completed");
  expect(outcomeOf({ content }, true, { input: asked, kind: "cancel" }).status).toBe("unknown");
});

test("words behind what the card shows prove nothing", () => {
  const content = [{ type: "text" as const, text: `${"Order 17. ".repeat(250)}Cancelled.` }];
  expect(outcomeOf({ content }, true, { input: {}, kind: "cancel" }).status).toBe("unknown");
});

test.each(["Refund initiated.", "Thank you!"])(
  'a "success" does not outweigh the words beside it: %s',
  (words) => {
    const text = { type: "text" as const, text: words };
    const structuredContent = { success: true };
    const asked = { input: {}, kind: "refund" } as const;
    expect(outcomeOf({ content: [text], structuredContent }, true, asked).status).toBe("unknown");
    expect(outcomeOf({ content: [], structuredContent }, true, asked).status).toBe("completed");
    const refunded = { ...structuredContent, data: { status: "refunded" } };
    expect(outcomeOf({ content: [text], structuredContent: refunded }, true, asked).status).toBe("completed");
  },
);
