import { describe, expect, test } from "vitest";
import { done, REVISIONS, type ToolCall } from "../tools/testing/fake-mcp-server.ts";
import { answerTo, askFor, eventsOf, INPUT, openAction, stateOf } from "./testing/asked-action.ts";

const CLAIM = "Your order has been refunded.";
const WITHHELD = "I can't confirm that anything was done. You can talk to a person.";
/** The day of the test's clock, and one a week before it. */
const [TODAY, WEEK_AGO] = ["2026-11-21", "2026-11-14"];

describe("an action's result is reported as certain only if it is", () => {
  const cut = (call: ToolCall, bytes: string, type = "text/event-stream") => {
    call.response.writeHead(200, { "content-type": type, "content-length": 100_000 });
    call.response.write(bytes, () => call.response.destroy());
  };
  const CASES: Readonly<Record<string, readonly [status: string, onCall: (call: ToolCall) => void]>> = {
    "a result": ["completed", (call) => call.answer(done("Refunded"))],
    "a structured result": [
      "completed",
      (call) => call.answer({ content: [], structuredContent: { status: "refunded" } }),
    ],
    "an empty result": ["unknown", (call) => call.answer({ content: [] })],
    "an empty text": ["unknown", (call) => call.answer(done(""))],
    "an empty structure": [
      "unknown",
      (call) => call.answer({ ...done("{}"), structuredContent: { data: null } }),
    ],
    "a task": ["unknown", (call) => call.answer({ ...done("Queued"), resultType: "task" })],
    "a part of a result": ["unknown", (call) => call.answer({ ...done("Soon"), resultType: "partial" })],
    "no success": ["unknown", (call) => call.answer({ content: [], structuredContent: { success: false } })],
    "not ok": ["unknown", (call) => call.answer({ ...done("Done"), structuredContent: { ok: false } })],
    "a status that says that it failed": [
      "unknown",
      (call) => call.answer({ content: [], structuredContent: { status: "failed" } }),
    ],
    "a status that says that it waits": [
      "unknown",
      (call) => call.answer({ ...done("Queued"), structuredContent: { state: "PENDING" } }),
    ],
    "an error in the result": [
      "unknown",
      (call) => call.answer({ content: [], structuredContent: { error: "no such order" } }),
    ],
    ...Object.fromEntries(
      [
        "Error: order 5 not found",
        "Could not cancel order",
        "Failed",
        "Order not cancelled: already shipped",
        '{"result":{"success":false}}',
        '[{"success":false}]',
        '{"success":"no"}',
        '{"success":null}',
        '{"ok":0}',
        '{"cancelled":false}',
        '{"result":"failed"}',
        '{"error_code":"E1"}',
        '{"errorMessage":"no"}',
        '{"status":500}',
        '{"status":"scheduled"}',
        '{"order":{"status":"requires_approval"}}',
        '{"message":"Refund failed"}',
        "Refunded: false",
        "The refund fa\u200biled.",
        "null",
        `${"Order 5 of Ann. ".repeat(150)}The refund failed.`,
        JSON.stringify({ order: "Order 5 of Ann. ".repeat(150), refunded: false }),
      ].map((text) => [
        `the text ${text.length > 100 ? `of ${text.length} characters ${text.slice(0, 9)}…` : text}`,
        ["unknown", (call: ToolCall) => call.answer(done(text))] as const,
      ]),
    ),
    "a result about another time": ["unknown", (call) => call.answer(done("Refunded on 2 May 2019."))],
    "a result about a day of last week": ["unknown", (call) => call.answer(done(`Refunded on ${WEEK_AGO}.`))],
    "a result about today": ["completed", (call) => call.answer(done(`Refunded on ${TODAY}.`))],
    "an order in JSON that is cancelled": [
      "completed",
      (call) => call.answer(done('{"success":true,"order":{"id":5,"status":"cancelled"}}')),
    ],
    "a long text": ["completed", (call) => call.answer(done("Refunded order 5 of Ann. ".repeat(150)))],
    ...Object.fromEntries(
      [
        "Die Erstattung ist fehlgeschlagen.",
        "Bestellung 5 konnte nicht erstattet werden.",
        "Le remboursement a échoué.",
        "Reembolso rechazado: pedido desconocido",
        "Il rimborso non è andato a buon fine.",
        "Reembolso não realizado",
        "De terugbetaling is mislukt.",
        "Zwrot nie powiódł się.",
        "Возврат отклонён.",
        "İade başarısız oldu.",
        "退款失败",
        "返金できませんでした。",
        "فشل استرداد المبلغ",
      ].map((text) => [
        `the text ${text}`,
        ["unknown", (call: ToolCall) => call.answer(done(text))] as const,
      ]),
    ),
    ...Object.fromEntries(
      [
        "Bestellung 5 wurde am 3. Mai erstattet.",
        "La commande 5 a été remboursée.",
        "Pedido 5 reembolsado.",
        "Ordine 5 rimborsato.",
        "Bestelling 5 is terugbetaald.",
        "Zamówienie 5 zostało zwrócone.",
        "Заказ 5 возвращён.",
        "5 numaralı sipariş iade edildi.",
        "订单 5 已退款，期待您再次光临。",
        "注文 5 を返金しました。",
        "تم استرداد مبلغ الطلب 5",
      ].map((text) => [
        `the text ${text}`,
        ["completed", (call: ToolCall) => call.answer(done(text))] as const,
      ]),
    ),
    "a failure in the second of two texts": [
      "unknown",
      (call) =>
        call.answer({ content: [...done("Refund of 5").content, ...done('{"success":false}').content] }),
    ],
    "a failure that only the text beside a structure reports": [
      "unknown",
      (call) => call.answer({ ...done("The refund failed."), structuredContent: { order: "5" } }),
    ],
    "an error in JSON as text": ["unknown", (call) => call.answer(done('{"errors":["no such order"]}'))],
    "a result whose error is null": [
      "completed",
      (call) => call.answer({ content: [], structuredContent: { error: null, status: "refunded" } }),
    ],
    "401": ["failed", (call) => void call.response.writeHead(401).end()],
    "403": ["failed", (call) => void call.response.writeHead(403).end("{}")],
    "403 for a token of a smaller scope": [
      "failed",
      ({ response }) => {
        response.setHeader("www-authenticate", 'Bearer error="insufficient_scope", scope="refund"');
        response.writeHead(403).end();
      },
    ],
    "404": ["failed", (call) => void call.response.writeHead(404).end()],
    "429": ["failed", (call) => void call.response.writeHead(429).end()],
    "wrong parameters": ["failed", (call) => call.refuse(-32602)],
    "a tool that is gone": ["failed", (call) => call.refuse(-32601)],
    "headers that don't match": ["failed", (call) => call.refuse(-32020, 400)],
    "500": ["unknown", (call) => void call.response.writeHead(500).end()],
    "503": ["unknown", (call) => void call.response.writeHead(503).end()],
    "an internal error": ["unknown", (call) => call.refuse(-32603)],
    "a broken line": ["unknown", (call) => void call.response.destroy()],
    "a stream that is cut": ["unknown", (call) => cut(call, 'event: message\ndata: {"jsonrpc":"2.0","id"')],
    "JSON that is cut": ["unknown", (call) => cut(call, '{"jsonrpc":"2.0","id', "application/json")],
    "a stream that ends without an answer": [
      "unknown",
      (call) => void call.response.writeHead(200, { "content-type": "text/event-stream" }).end(": bye\n\n"),
    ],
    "200 without a body": ["unknown", (call) => void call.response.writeHead(200).end()],
    "202 without a body": ["unknown", (call) => void call.response.writeHead(202).end()],
    HTML: [
      "unknown",
      (call) => void call.response.writeHead(200, { "content-type": "text/html" }).end("Done!"),
    ],
    "an answer without content": ["unknown", (call) => call.answer({ ok: true })],
    "a huge answer": ["unknown", (call) => call.answer(done("x".repeat(2_000_000)))],
    "a question instead of an answer": [
      "unknown",
      (call) => call.answer({ resultType: "input_required", inputRequests: {}, requestState: "s" }),
    ],
    "a redirect": ["unknown", (call) => void call.response.writeHead(307, { location: "/elsewhere" }).end()],
  };

  // What a text says is judged after the protocol was read, so a text is not read by both.
  const isText = (name: string) => name.startsWith("the text ");
  const rows = REVISIONS.flatMap((revision, at) =>
    Object.entries(CASES)
      .filter(([name]) => at === 0 || !isText(name))
      .map(([name, [status, onCall]]) => ({ revision, name, status, onCall })),
  );
  test.each(rows)(
    "ACT3 AGENT7 $name is $status in revision $revision, and in the first revision the agent may claim only what is completed",
    async ({ revision, status, onCall }) => {
      // Some of them are known only by their silence.
      const { t, fake, ann, id, actionId } = await openAction({
        revision,
        later: [{ type: "delta", text: CLAIM }],
        ...(status === "unknown" ? { actMs: 1000 } : {}),
      });
      fake.onCall = onCall;
      await answerTo(ann, id, actionId);
      await t.service.settled();
      const { actions } = await stateOf(ann, id);
      expect(actions[0]?.result?.status).toBe(status);
      // The server's own words reach nobody unless they are the tool's answer.
      expect(JSON.stringify(actions)).not.toContain("canary");
      expect(t.log.text()).not.toMatch(/canary|secret-of-the-shop/);
      expect(fake.calls).toHaveLength(1);
      // The guard does not know the revision.
      if (revision !== REVISIONS[0]) return;
      await ann.say(id, "And?");
      await t.service.settled();
      const { messages } = await ann.transcript(id);
      expect(messages.at(-1)).toMatchObject({
        role: "agent",
        body: status === "completed" ? CLAIM : WITHHELD,
      });
    },
  );

  test("a tool that ends in an error may have done a part: its own words are shown with the doubt", async () => {
    const { t, fake, ann, id, actionId } = await openAction();
    const words = "Refunded, but the e-mail failed";
    fake.onCall = (call) => call.answer({ ...done(words), isError: true });
    await answerTo(ann, id, actionId);
    await t.service.settled();
    expect((await stateOf(ann, id)).actions[0]?.result).toEqual({ status: "unknown", text: words });
  });

  test.each([
    ["completed", "voided"],
    ["unknown", "paid"],
  ])("what the owner says that a done result has decides: %s", async (status, financial_status) => {
    const { t, fake, ann, id, actionId } = await openAction({
      done: { order: { financial_status: "voided" } },
    });
    const order = { financial_status, fulfillment_status: "unfulfilled" };
    fake.onCall = (call) => call.answer(done(JSON.stringify({ order, message: "Cancelled" })));
    await answerTo(ann, id, actionId);
    await t.service.settled();
    expect((await stateOf(ann, id)).actions[0]?.result?.status).toBe(status);
  });

  test.each([
    ["a reason that only repeats what the tool was given leaves nothing open", "reason", "completed"],
    ["a message that says what the tool was given as a reason may be a failure", "message", "unknown"],
  ])("%s", async (_, field, status) => {
    const reason = "The order does not exist";
    const { t, fake, ann, id, actionId } = await openAction({
      events: [askFor("shop_refund", { ...INPUT, reason })],
    });
    fake.onCall = (call) => call.answer(done(JSON.stringify({ status: "refunded", [field]: reason })));
    await answerTo(ann, id, actionId);
    await t.service.settled();
    expect((await stateOf(ann, id)).actions[0]?.result?.status).toBe(status);
  });

  test("a list of tools that goes on and on: the action is not called after its time", async () => {
    const { t, fake, ann, id, actionId } = await openAction({ actMs: 1000 });
    fake.pageMs = 200;
    await answerTo(ann, id, actionId);
    await t.service.settled();
    expect((await stateOf(ann, id)).actions[0]?.result).toEqual({ status: "failed" });
    expect(fake.calls).toEqual([]);
  });

  test("a server that is away: nothing left, so it was not done", async () => {
    const { t, fake, ann, id, actionId } = await openAction();
    fake.status = 503;
    await answerTo(ann, id, actionId);
    await t.service.settled();
    expect((await stateOf(ann, id)).actions[0]?.result).toEqual({ status: "failed" });
    expect(fake.calls).toEqual([]);
  });

  test("a tool that answers twice is done once, by its first answer", async () => {
    const { t, fake, ann, id, actionId } = await openAction();
    fake.onCall = ({ id: call, response }) => {
      const answer = (words: string, of = call) =>
        `data: ${JSON.stringify({ jsonrpc: "2.0", id: of, result: { resultType: "complete", ...done(words) } })}\n\n`;
      response.writeHead(200, { "content-type": "text/event-stream" });
      response.end(answer("Another's", "another id") + answer("Refunded first") + answer("Refunded second"));
    };
    await answerTo(ann, id, actionId);
    await t.service.settled();
    expect((await eventsOf(t, id)).slice(2)).toMatchObject([
      { type: "action.completed", text: "Refunded first" },
    ]);
  });

  test("text that hides or turns itself around is shown without that", async () => {
    const { t, fake, ann, id, actionId } = await openAction();
    fake.onCall = (call) => call.answer(done("Paid\u202e 12\u200b\u0007 EUR"));
    await answerTo(ann, id, actionId);
    await t.service.settled();
    expect((await stateOf(ann, id)).actions[0]?.result?.text).toBe("Paid 12 EUR");
  });

  test("ACT3 after a process dies in between, the next one reports the outcome as unknown and runs nothing again", async () => {
    const { t, fake, ann, id, actionId } = await openAction();
    const held = Promise.withResolvers<ToolCall>();
    fake.onCall = held.resolve;
    await answerTo(ann, id, actionId);
    const call = await held.promise;
    // The first process is still there, as one is that another takes for dead.
    const next = await t.reopen();
    expect((await stateOf(ann, id)).actions[0]?.result).toEqual({ status: "unknown" });
    call.answer(done("Done after all"));
    await t.service.settled();
    expect((await answerTo(await next.customer("ann"), id, actionId)).status).toBe(200);
    await next.service.settled();
    expect(fake.calls).toHaveLength(1);
    expect((await eventsOf(next, id)).map(({ type }) => type)).toEqual([
      "action.requested",
      "action.answered",
      "action.unknown",
    ]);
  });

  test("a process that stops gives it up as not known", async () => {
    const { t, fake, ann, id, actionId } = await openAction();
    const held = Promise.withResolvers<ToolCall>();
    fake.onCall = held.resolve;
    await answerTo(ann, id, actionId);
    await held.promise;
    await t.close();
    const next = await t.reopen();
    expect((await eventsOf(next, id)).at(-1)?.type).toBe("action.unknown");
  });
});
