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
  const asked = { input: {}, kind: kindOfTool(String(tool)), since: "2026-11-27" };
  return outcomeOf({ content }, true, asked).status;
}

test("ACT3 a result proves that its action is done only if it says so of this kind of action", () => {
  const misread = all.flatMap(({ open }) => open).filter((row) => statusOf(row) === "completed");
  expect(misread.map(([, result]) => textOf(result))).toEqual([]);
});

test("most results of an action that is done prove it", () => {
  const misread = all.flatMap(({ done }) => done).filter((row) => statusOf(row) !== "completed");
  expect(misread.map(([, result]) => textOf(result))).toEqual([
    "You are checked in for LH 1234, seat 12A.",
    '{"deleted":1}',
    "A refund of 49.00 EUR has been issued.",
    "Sie sind eingecheckt, Sitz 12A.",
    "Transferencia realizada con éxito.",
    "Estorno realizado.",
  ]);
});

describe("the answers of well-known services", () => {
  const answered = (which: "happened" | "open", isSigned: boolean) =>
    services.flatMap(({ service, tool, done, ...answers }) => {
      const asked = { input: {}, kind: kindOfTool(tool), since: "2026-11-27" };
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

test("a number that the tool was given is no year, and each other year is past if the day is not known", () => {
  const asked = { input: { order: 2019 }, kind: "cancel" } as const;
  const statusOfText = (text: string, since?: string) =>
    outcomeOf({ content: [{ type: "text", text }] }, true, { ...asked, since }).status;
  expect(statusOfText("Order 2019 was cancelled.", "2026-11-27")).toBe("completed");
  expect(statusOfText("Order 2018 was cancelled.", "2026-11-27")).toBe("unknown");
  expect(statusOfText("Order cancelled with effect from 2027.", "2026-11-27")).toBe("completed");
  expect(statusOfText("Order cancelled with effect from 2027.")).toBe("unknown");
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

test("ACT3 a part of a result that is not stored with the action, and that nobody sees, proves nothing", () => {
  const textOf = (text: string) => ({ type: "text" as const, text });
  const long = "Order 17. ".repeat(250);
  const status = { status: "cancelled" };
  const json = (value: unknown) => textOf(JSON.stringify(value));
  const asked = { input: {}, kind: "cancel" } as const;
  for (const content of [
    [textOf(`${long}Cancelled.`)],
    [textOf(long), textOf("Cancelled.")],
    [textOf(long), json(status)],
    [json({ note: long, order: status })],
    [textOf(`${"Order 17, ".repeat(199)}was cancelled.`)],
  ])
    expect(outcomeOf({ content }, true, asked).status).toBe("unknown");
  const within = {
    content: [textOf("Your booking is with our team.")],
    structuredContent: { message: "ok" },
  };
  expect(outcomeOf(within, true, asked).status).toBe("unknown");
  const beside = { content: [textOf("Order 17.")], structuredContent: status };
  expect(outcomeOf(beside, true, asked).status).toBe("unknown");
  const repeated = { content: [textOf(JSON.stringify(status, null, 2))], structuredContent: status };
  expect(outcomeOf(repeated, true, asked).status).toBe("completed");
});

test.each([
  String.raw`{"message":"Order \"17\" was cancelled."}`,
  String.raw`{"message":"La commande a \u00e9t\u00e9 annul\u00e9e."}`,
  String.raw`{"message":"Order 17\/2 was cancelled.\nThank you."}`,
])("a sentence in JSON is read as it was meant, however its letters are written: %s", (text) => {
  const result = { content: [{ type: "text" as const, text }] };
  expect(outcomeOf(result, true, { input: {}, kind: "cancel" }).status).toBe("completed");
});

test("a picture beside a sentence is not judged", () => {
  const picture = { type: "image" as const, data: "A".repeat(30_000), mimeType: "image/png" };
  const content = [{ type: "text" as const, text: "Order 17 was cancelled." }, picture];
  expect(outcomeOf({ content }, true, { input: {}, kind: "cancel" }).status).toBe("completed");
});

test("a result that is too long to be judged in a moment is a doubt, unless the owner says what it has", () => {
  const structuredContent = { status: "cancelled", items: "Line ".repeat(4_000) };
  const content = [{ type: "text" as const, text: "Order 17 was cancelled." }];
  const asked = { input: {}, kind: "cancel" } as const;
  const result = { content, structuredContent };
  expect(outcomeOf(result, true, asked)).toEqual({ status: "unknown", text: "Order 17 was cancelled." });
  expect(outcomeOf(result, true, asked, { status: "cancelled" }).status).toBe("completed");
});

test.each([
  ["cancel_booking", { status: "ok", booking: { status: "confirmed", cancellation_fee: 30 } }],
  ["refund_order", { success: true, eligible: true, refund_amount: 49 }],
  ["change_flight", { change_fee: 45, currency: "EUR" }],
  ["delete_account", { status: 200, deleted: 0 }],
  ["cancel_order", "Orders are cancelled only before they ship."],
  ["cancel_order", "2 of 3 items cancelled; 1 already shipped."],
  ["cancel_order", "Order 17 was already cancelled by the seller on 2 May."],
  ["delete_account", "Nobody deleted anything: account locked."],
  ["refund_order", "Le remboursement a été validé par le service client."],
  ["refund_order", "Refund approved by finance."],
  ["refund_order", "Estorno aprovado pela gerência."],
  ["change_flight", { status: "ok", price: 45, message: "Price confirmed." }],
  ["create_order", "Angebot erstellt."],
  ["cancel_order", "Commande annulée, nous vous le confirmerons."],
  ["change_flight", { change_allowed: true }],
])("ACT3 what others did, a fee, a plan or a part of it is no proof for %s: %j", (...row) => {
  expect(statusOf(row)).toBe("unknown");
});

test.each([
  ["cancel_order", "Your previous order was cancelled on 3 May."],
  ["cancel_order", "Order 17 was cancelled an hour ago."],
  ["cancel_order", "Order 17: see above. The other order was cancelled."],
  ["change_address", "The address was changed in 2019."],
  ["change_address", "The address was changed on 03/05/2019."],
  ["change_address", "Address changed on 2026-11-20."],
  ["cancel_order", "Order 17 was cancelled. This order was cancelled on 3 May 2025."],
  ["cancel_order", "Bestellung 17 wurde bereits storniert."],
  ["refund_order", "La commande 17 a de\u0301jà été remboursée."],
  ["cancel_order", "El pedido 17 fue cancelado hace dos días."],
  ["cancel_order", "Il tuo ultimo ordine è stato annullato."],
  ["cancel_order", "O pedido anterior foi cancelado."],
  ["cancel_order", "Uw vorige bestelling is geannuleerd."],
  ["cancel_order", "Zamówienie zostało już anulowane."],
  ["refund_order", "Деньги уже возвращены."],
  ["cancel_order", "Sipariş zaten iptal edildi."],
  ["cancel_order", "上一个订单已取消。"],
  ["cancel_order", "この注文は以前キャンセルしました。"],
  ["cancel_order", "تم إلغاء الطلب السابق."],
  ["refund_order", { status: "refunded", message: "This order was already refunded." }],
  ["refund_order", { status: "refunded", message: "This order was already refunded by our team." }],
  ["refund_order", { status: "refunded", note: "This order was already refunded." }],
  ["refund_order", { status: "refunded", note: "This order was already refunded, anything else?" }],
  ["refund_order", { status: "refunded", note: "此前已退款，还需要什么？" }],
  ["refund_order", { status: "refunded", note: "This order was already refunded 🙂 anything else?" }],
  ["refund_order", { status: "refunded", note: "This order was already refunded… anything else?" }],
  ["refund_order", { status: "refunded", note: "(This order was already refunded) Anything else?" }],
  ["refund_order", { status: "refunded", note: "This order was already refunded -- anything else?" }],
  ["refund_order", { status: "refunded", note: "This order was already refunded: #1234?" }],
  ["refund_order", { success: true, status_message: "We sent a code to your phone." }],
  ["refund_order", "Refunded. This order was already refunded by our team in 2024."],
  ["refund_order", { status: "refunded", refunded_at: "2024-01-01" }],
  ["cancel_order", { status: "cancelled", cancelled_at: "2024-01-01T10:00:00Z" }],
  ["refund_order", { last_refunded_at: "2024-01-01" }],
  ["cancel_order", { cancelled_at: "2024-01-01" }],
  ["cancel_order", { already_cancelled: true }],
  ["cancel_order", { previous_order: { id: 16, status: "cancelled" } }],
  ["cancel_order", { last_status: "cancelled" }],
  ["refund_order", { last_status: "ok", id: 17 }],
  ["refund_order", { history: [{ status: "refunded" }] }],
])("ACT3 what was done before, or to another thing, is no proof for %s: %j", (...row) => {
  expect(statusOf(row)).toBe("unknown");
});

test.each([
  ["refund_order", "Refunded orders can be seen in the list."],
  ["refund_order", "Refunded orders are listed below."],
  ["refund_order", "Orders are refunded within 14 days."],
  ["refund_order", "Most orders get refunded within 14 days."],
  ["cancel_order", "Cancelled orders: 3"],
  ["refund_order", "You have 2 refunded orders."],
  ["refund_order", "The refunded amount is shown on your statement."],
  ["refund_order", { is_refunded_visible: true }],
  ["cancel_order", { id: 17, requested_status: "cancelled" }],
  ["cancel_order", "A cancelled order is deleted after 30 days."],
  ["cancel_order", "Order 17 can also be cancelled."],
  ["refund_order", "Les commandes remboursées peuvent être consultées."],
  ["cancel_order", "已取消的订单可以在列表中查看。"],
  ["cancel_order", { id: 17, cancelled_orders: 3 }],
  ["refund_order", { refunded_amount: 1, requested: "49" }],
  ["refund_order", { refunded_amount: 49 }],
  ["delete_address", { deleted: 1 }],
  ["refund_order", { can_be_refunded: true }],
  [
    "refund_order",
    {
      orders: [
        { id: 16, status: "refunded" },
        { id: 17, status: "paid" },
      ],
    },
  ],
])("ACT3 what holds for several things, and a number, is no proof for %s: %j", (...row) => {
  expect(statusOf(row)).toBe("unknown");
});

test.each([
  ["refund_order", { status: "ok", refund_id: null }],
  ["refund_order", { success: true, refundId: "" }],
  ["refund_order", { status: "ok", refund: null }],
  ["refund_order", { status: "ok", refund: { id: null } }],
  ["cancel_order", { status: "ok", order: { cancelledAt: null } }],
  ["create_ticket", { success: true, id: null }],
  // For create_subscription it is an unpaid checkout. For other tools the doubt is unnecessary, but nothing here tells them apart.
  ["create_subscription", { id: "cs_1", status: "created", subscription: null }],
])("ACT3 an act without an id or a time was not done by %s: %j", (...row) => {
  expect(statusOf(row)).toBe("unknown");
});

test.each([
  ["cancel_order", "3 of 3 items were cancelled."],
  ["cancel_order", "Order cancelled, effective 1 May."],
  ["cancel_order", "Cancelled this order as requested."],
  ["change_appointment", "Your appointment was moved to 5 March 2027."],
  ["change_appointment", "Your appointment was moved to 2026-11-27."],
  ["cancel_order", "Order cancelled. You can see it in your other orders."],
  ["cancel_order", { status: "cancelled", refund_id: null, reason: null, cancel_reason: null }],
  ["cancel_order", { order: { status: "cancelled", cancelled_at: "2026-11-27T10:00:00Z" } }],
  ["refund_order", { refund: { id: 5, status: "refunded", refund_note: null } }],
  ["cancel_order", { isCancelled: true }],
  ["cancel_order", { status: "cancelled", note: "Do you want to know if it was cancelled before?" }],
  ["cancel_order", { status: "cancelled", note: "Do you want to cancel another order?" }],
  [
    "cancel_order",
    { status: "cancelled", note: "Was it cancelled by mistake? Would you like to order again?" },
  ],
  ["create_booking", { success: true, booking: { status: "confirmed" } }],
])("a proof for %s: %j", (...row) => {
  expect(statusOf(row)).toBe("completed");
});

test.each(["Refund initiated.", "Thank you!"])(
  'a "success" does not outweigh the words beside it: %s',
  (words) => {
    const text = { type: "text" as const, text: words };
    const structuredContent = { success: true };
    const asked = { input: {}, kind: "refund" } as const;
    expect(outcomeOf({ content: [text], structuredContent }, true, asked).status).toBe("unknown");
    expect(outcomeOf({ content: [], structuredContent }, true, asked).status).toBe("completed");
    const refunded = { type: "text" as const, text: '{"data":{"status":"refunded"}}' };
    expect(outcomeOf({ content: [text, refunded] }, true, asked).status).toBe("completed");
  },
);

test.each([
  { success: true, messages: [{ text: "We sent a code to your phone." }, { text: "Enter it in the app." }] },
  { success: true, messages: ["We sent a code to your phone."] },
  { success: true, next: { message: "Enter the code from the e-mail." } },
  { ok: true, last_event: { message: "OTP sent." } },
  { success: true, detail: "We sent a code to your phone." },
  { success: true, warnings: "Enter the code from the e-mail." },
])('ACT3 a "success" does not outweigh a sentence anywhere beside it: %j', (result) => {
  expect(statusOf(["refund_order", result])).toBe("unknown");
});

test.each([
  { success: true, messages: [], details: { id: 17 } },
  { success: true, message: "Refund done." },
  { success: true, response: { id: 17, status: "refunded" } },
])('a "success" proves it beside no sentence, or one that agrees: %j', (result) => {
  expect(statusOf(["refund_order", result])).toBe("completed");
});

test("ACT3 a sentence that says when it was done before counts wherever it stands, shown or not", () => {
  const already = "This order was already refunded.";
  const asked = { input: {}, kind: "refund" } as const;
  const text = (said: unknown) => ({
    type: "text" as const,
    text: typeof said === "string" ? said : JSON.stringify(said),
  });
  const refunded = { status: "refunded" };
  for (const result of [
    { content: [text(refunded)], structuredContent: { ...refunded, message: already } },
    { content: [text(refunded), text(`${"Order 17. ".repeat(250)}${already}`)] },
    { content: [text({ ...refunded, detail: already })] },
    { content: [text({ ...refunded, messages: [{ text: "Order 17." }, { text: already }] })] },
  ])
    expect(outcomeOf(result, true, asked).status).toBe("unknown");
});

test.each([
  ["completed", "2000 EUR were refunded."],
  ["completed", "1999.00 EUR refunded."],
  ["completed", "€2000 were refunded."],
  ["completed", "USD 1999 refunded."],
  ["completed", "2000円を返金しました。"],
  ["completed", "2000 € wurden erstattet."],
  ["completed", "2000 Euro wurden erstattet."],
  ["unknown", "In 2019 the order was refunded."],
  ["unknown", "Order refunded on 2019.05.03."],
  ["unknown", "In 2019 EUR 49 were refunded."],
  ["unknown", "Order refunded: 49 EUR, 2019."],
  ["unknown", "Order refunded: 49 EUR 2019."],
  ["unknown", "Order refunded: 49.00 EUR 2019-05-03."],
  ["unknown", "2019年に返金しました。"],
  ["unknown", "Order refunded in 2019, 2020."],
])("ACT3 is %s for a year or an amount: %s", (status, text) => {
  expect(statusOf(["refund_order", text])).toBe(status);
});
