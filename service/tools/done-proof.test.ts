import { describe, expect, test } from "vitest";
import { kindOfTool } from "../guard/tool-kind.ts";
import services from "./testing/service-answers.json" with { type: "json" };
import results from "./testing/tool-results.json" with { type: "json" };
import { outcomeOf } from "./tool-outcome.ts";

/** Results as tools of shops, banks, airlines, telecoms and clinics return them (docs/decisions/0070). */
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

describe("the answers of well-known services", () => {
  const answered = (which: "happened" | "open", isSigned: boolean) =>
    services.flatMap(({ service, tool, done, ...answers }) => {
      const asked = { input: {}, kind: kindOfTool(tool) };
      return answers[which].map((structuredContent, at) => {
        const result = { content: [], structuredContent };
        return [
          `${service} ${at}`,
          outcomeOf(result, true, asked, isSigned ? done : undefined).status,
        ] as const;
      });
    });
  const withStatus = (status: string, which: "happened" | "open", isSigned: boolean) =>
    answered(which, isSigned).flatMap(([name, said]) => (said === status ? name : []));

  test("ACT3 are never taken for done where nothing was done, with an owner's sign or without", () => {
    expect(withStatus("completed", "open", true)).toEqual([]);
    expect(withStatus("completed", "open", false)).toEqual([]);
  });

  test("are all understood with an owner's sign, and most without", () => {
    expect(withStatus("unknown", "happened", true)).toEqual([]);
    expect(withStatus("unknown", "happened", false)).toEqual([
      "Stripe, refund 1",
      "Shopify, refund 0",
      "Zendesk, ticket 1",
      "HubSpot, ticket 0",
      "Calendly, event 0",
      "Google Calendar, event 0",
      "Jira, issue 0",
    ]);
  });
});

test("a text that repeats a sentence of the input neither proves nor denies anything by it", () => {
  const statusOfText = (text: string, title: string) =>
    outcomeOf({ content: [{ type: "text", text }] }, true, { input: { title }, kind: "create" }).status;
  expect(statusOfText("Created issue A-1: My order did not arrive", "My order did not arrive")).toBe(
    "completed",
  );
  expect(statusOfText("Title: A ticket was created", "A ticket was created")).toBe("unknown");
  expect(statusOfText("Issue created, pending", "pending")).toBe("unknown");
});

test.each([
  { updated: 1_795_000_000 },
  { updated_by: 5 },
  { last_updated_at: "2026-11-27" },
  { created_by: 5 },
])("when and by whom a record was written proves nothing: %j", (structuredContent) => {
  for (const kind of ["change", "create"] as const)
    expect(outcomeOf({ content: [], structuredContent }, true, { input: {}, kind }).status).toBe("unknown");
});

test.each([
  ["unknown", { refunded: true, accepted: false }],
  ["unknown", { refunded: true, succeeded: false }],
  ["unknown", { success: true, refund_error: "insufficient funds" }],
  ["unknown", { refunded: true, userError: { message: "The refund is too high." } }],
  ["completed", { refunded: true, livemode: false, last_payment_error: null, userErrors: false }],
])("is %s beside what a field says of the call itself: %j", (status, structuredContent) => {
  expect(outcomeOf({ content: [], structuredContent }, true, { input: {}, kind: "refund" }).status).toBe(
    status,
  );
});

test("what only repeats the input proves nothing", () => {
  const content = [{ type: "text" as const, text: JSON.stringify({ order: "17", status: "cancelled" }) }];
  const asked = { order: "17", status: "cancelled" };
  expect(outcomeOf({ content }, true, { input: { order: "17" }, kind: "cancel" }).status).toBe("completed");
  expect(outcomeOf({ content }, true, { input: asked, kind: "cancel" }).status).toBe("unknown");
});

test("words after the part of a text that the card shows prove nothing", () => {
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
