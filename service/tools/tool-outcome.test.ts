import { describe, expect, test } from "vitest";
import { outcomeOf } from "./tool-outcome.ts";

const textOf = (text: string) => ({ content: [{ type: "text" as const, text }] });
/** A text beside a status that names what was done. */
const statusOf = (details: string) =>
  outcomeOf(textOf(JSON.stringify({ status: "created", details })), true, { input: {}, kind: "create" })
    .status;

const DONE: Readonly<Record<string, readonly string[]>> = {
  en: [
    "Cancelled. You won't be charged again.",
    "Subscription paused. No further charges will be made.",
    "Plan changed. You will not be charged any further.",
    "Cancelled. Let us know if you have any problems.",
    "Rescheduled. We await your visit.",
    "Order no. 17 is cancelled.",
    "Refunded invoice No. #5.",
    "Order no: 17 was refunded.",
    "Order 10 was cancelled. The fee is 0 EUR.",
    "Changed 0.5 kg to 1 kg.",
  ],
  de: [
    "Storniert. Es entstehen Ihnen keine Kosten.",
    "Abo gekündigt, es folgen keine weiteren Abbuchungen.",
    "Storniert. Bei Fragen oder Problemen melden Sie sich.",
    "Storniert. Falls Probleme auftreten, melden Sie sich.",
    "Storniert. Bei Problemen melden Sie sich.",
    "Die Stornierung lief problemlos.",
    "Bestellung Nr. 17 wurde fehlerfrei storniert.",
    "Der Betrag wurde auf Ihre Karte erstattet.",
  ],
  fr: [
    "Abonnement résilié, sans aucun frais supplémentaire.",
    "Résilié. Vous ne serez plus débité.",
    "Commande annulée. En cas de problème, contactez-nous.",
    "La commande est passée à l’état annulé.",
    "De rien, la commande du 3 mai est annulée.",
    "La commande no 17 a été annulée.",
    "Commande no. 17 remboursée sur votre carte.",
  ],
  es: [
    "Suscripción cancelada, no se le volverá a cobrar.",
    "Cancelado. No se le cobrará nada más.",
    "Pedido cancelado sin problemas.",
    "Pedido cancelado. Si tiene algún problema, contáctenos.",
    "De nada, el reembolso solicitado se ha hecho.",
    "Pedido no. 17 cancelado.",
    "El importe se ha devuelto a su tarjeta.",
  ],
  it: [
    "Abbonamento disdetto, non ci saranno altri addebiti.",
    "Annullato, senza nessun costo aggiuntivo.",
    "Ordine annullato. Per qualsiasi problema ci contatti.",
    "Ordine no. 17 annullato.",
    "Importo rimborsato sulla sua carta.",
  ],
  pt: [
    "Assinatura cancelada, não haverá novas cobranças.",
    "Pedido cancelado. Qualquer problema, fale conosco.",
    "Reembolso efetuado no cartão.",
    "Crédito lançado no seu extrato.",
    "Alteração feita no pedido 17.",
    "Estorno no valor de R$ 20 concluído no dia 3 de maio.",
  ],
  nl: [
    "Opgezegd. Er worden geen verdere kosten in rekening gebracht.",
    "Bestelling nr. 17 is foutloos verwerkt en terugbetaald.",
  ],
  pl: [
    "Anulowano, nie będzie dalszych opłat.",
    "Zamówienie nr 17 zostało anulowane, środki zwrócono na kartę.",
  ],
  ru: ["Подписка отменена, больше списаний не будет.", "Заказ № 17 отменён, деньги возвращены на карту."],
  tr: [
    "İptal edildi, başka ücret alınmayacak.",
    "Sipariş sorunsuz iptal edildi.",
    "Sipariş no: 17 iptal edildi.",
    "Sipariş no. 17 için iade yapıldı.",
  ],
  zh: [
    "已取消，不会再扣款。",
    "已取消，不會再收費。",
    "不客气，订单 17 已取消。",
    "已退款，期待未来再次为您服务。",
    "没问题，订单已取消。",
    "不客氣，已退款。",
  ],
  ja: [
    "解約しました。今後の請求はありません。",
    "返金しました。再度のご利用をお待ちしています。",
    "注文 17 をキャンセルし、カードに返金しました。",
    "返金が完了しました。未来のご利用をお待ちしています。",
  ],
  ar: ["تم إلغاء الاشتراك. ولن يتم خصم أي مبلغ آخر.", "تم إلغاء الطلب رقم 17 وإعادة المبلغ إلى البطاقة."],
};

const OPEN: Readonly<Record<string, readonly string[]>> = {
  en: [
    "No further charges could be refunded.",
    "You won't be charged again because the payment failed.",
    "The refund was not charged again.",
    "No charges were refunded.",
    "You won't be charged again.",
    "Cancelled. No further charges were refunded.",
    "The card was declined. You won't be charged again.",
    "There was a problem with the card.",
    "There were problems with the card.",
    "Something went wrong.",
    "Please try again later.",
    "Refund limit exceeded",
    "Too many requests",
    "Awaiting approval",
    "Refunded? No. 2 attempts are left.",
    "The bank said no. 2 attempts are left.",
    "Cancelled: no: 17",
    "There is no 17 in the shop.",
    "For this order no 2 refunds are possible.",
    "Order no. 17 was not cancelled.",
    "Cancellation was unsuccessful.",
    "Insufficient funds",
    "The request timed out.",
    "Partially refunded",
    "0 orders were cancelled.",
    "Updated 0 rows",
    "Rows affected: 0",
  ],
  de: [
    "Keine weiteren Kosten erstattet.",
    "Ein Problem ist aufgetreten.",
    "Probleme mit der Karte",
    "Bitte versuchen Sie es später.",
    "Limit überschritten",
    "Fehlercode 5",
    "Nicht genügend Guthaben",
    "Guthaben unzureichend",
    "Teilweise erstattet",
    "Zeitüberschreitung",
  ],
  fr: [
    "Un problème est survenu.",
    "Veuillez réessayer.",
    "Plafond dépassé",
    "Solde insuffisant",
    "Service indisponible",
    "Remboursement partiel",
    "Carte expirée",
    "Rien remboursé",
  ],
  es: [
    "Ha ocurrido un problema.",
    "Inténtelo más tarde.",
    "Límite excedido",
    "Esperando confirmación",
    "No cancelado",
    "Artículo no pedido",
    "Saldo insuficiente",
    "Tarjeta caducada",
    "Reembolso parcial",
    "Fallos: 2",
    "Artículo no pedido 17",
    "Pedido cancelado no reembolsado",
  ],
  it: [
    "Si è verificato un problema.",
    "Riprova più tardi.",
    "Limite superato",
    "Errori: 2",
    "Fondi insufficienti",
    "Carta scaduta",
    "Rimborso parziale",
    "Servizio indisponibile",
  ],
  pt: [
    "Estorno aguardando aprovação.",
    "Tente mais tarde.",
    "Estorno negado no cartão.",
    "Reembolso não efetuado no cartão.",
    "Nao foi possivel reembolsar.",
    "Indisponível no momento",
    "Estorno solicitado no seu banco",
    "Limite excedido no cartão",
    "Saldo insuficiente",
    "Erros: 2",
    "Aguardando aprovação no seu banco.",
    "Sem saldo no cartão.",
    "Houve um problema no nosso sistema.",
    "Tente novamente no dia 5.",
    "Limite atingido no cartão",
    "Divergência no valor de R$ 20",
    "Sistema fora do ar no mesmo instante",
  ],
  nl: [
    "Er is een probleem.",
    "Probeer het later.",
    "Limiet overschreden",
    "Foutmelding 5",
    "Er zijn fouten opgetreden.",
    "Onvoldoende saldo",
    "Gedeeltelijk terugbetaald",
    "Kaart verlopen",
    "Foutlocatie: 5",
  ],
  pl: [
    "Wystąpił problem.",
    "Spróbuj później.",
    "Przekroczono limit",
    "Niewystarczające środki",
    "Usługa niedostępna",
    "Zwrócono częściowo",
    "Karta wygasła",
  ],
  ru: [
    "Возникла проблема.",
    "Попробуйте позже.",
    "Лимит превышен",
    "Недостаточно средств",
    "Сервис недоступен",
    "Возвращено частично",
    "Так делать нельзя",
    "Срок карты истёк",
  ],
  tr: [
    "Bir sorun oluştu.",
    "Daha sonra tekrar deneyin.",
    "Limit aşıldı",
    "İade edilemiyor",
    "Bakiye yetersiz",
    "Kısmen iade edildi",
    "Sipariş iptal edilemez",
    "Böyle bir sipariş yok",
  ],
  zh: [
    "不会再退款",
    "出现问题",
    "请重试",
    "已超出限额",
    "未来得及处理",
    "未取消",
    "取消没成功",
    "部分退款",
    "请求超时",
    "訂單已過期",
    "请稍后再试",
  ],
  ja: [
    "請求はありません",
    "問題が発生しました",
    "再度お試しください",
    "上限を超えました",
    "返金されなかった",
    "返金されない",
    "一部のみ返金",
    "タイムアウト",
    "期限切れ",
    "未処理",
  ],
  ar: [
    "حدثت مشكلة",
    "حاول لاحقا",
    "تجاوز الحد",
    "لا يمكن إلغاء الطلب",
    "تعذّر إلغاء الطلب",
    "ولم يُلغَ الطلب",
    "لن يُعاد المبلغ",
    "الرصيد غير كافٍ",
    "استرداد جزئي",
  ],
};

const rows = (of: typeof DONE) =>
  Object.entries(of).flatMap(([language, texts]) => texts.map((text) => [language, text] as const));

describe("a tool's own words", () => {
  test.each(rows(DONE))("%s: %s says that it is done", (_language, text) => {
    expect(statusOf(text)).toBe("completed");
  });

  test.each(rows(OPEN))("%s: %s leaves it open", (_language, text) => {
    expect(statusOf(text)).toBe("unknown");
  });

  test("are read beside as many marks as are judged", () => {
    const marks = "\u0301\u0323".repeat(9_000);
    expect(outcomeOf(textOf(`Refunded. ${marks}`), true, { input: {} }).status).toBe("completed");
    expect(statusOf(`Refunded ${marks} e\u0301choue\u0301`)).toBe("unknown");
  });
});

const of = (given: object, input: Readonly<Record<string, unknown>>) =>
  outcomeOf({ content: [{ type: "text", text: JSON.stringify(given) }] }, true, { input }).status;

describe("a result's fields", () => {
  test.each([
    { refund_status: "pending" },
    { orderStatus: "failed" },
    { statusCode: 500 },
    { status_code: "404" },
    { code: "ORDER_NOT_FOUND" },
    { isError: true },
    { has_errors: true },
    { failed: true },
    { status: "success", failed_items: ["17"] },
    { problem: "17" },
    { problem_solved: false },
    { error_solved: false },
    { code: 404 },
    { responseCode: "500" },
    { warning: "The refund was not sent" },
    { response: "Order not found" },
    { data: "Order not found" },
    { title: "Refused" },
    { order: { note: "The card was declined" } },
    ["Order not found"],
    { status: "ok", warnings: ["The refund was not sent"] },
    { status: "ok", payment_state: "failed" },
    { refundState: "pending" },
    { order: "17", city: "Paris", state: "pending" },
    { address: { city: "Paris", state: "Open" } },
    { order: "17", state: "NO" },
    { rejected: true },
    { status: "ok", pending: true },
    { status: "ok", isPending: true },
    { ok: true, inProgress: true },
    { ok: true, in_progress: true },
    { order: "17", refundDeclined: true },
    [false],
    { updated: 0 },
    { success: true, modifiedCount: 0 },
    { status: "ok", result_count: 1, rows_affected: 0 },
    { ok: true, dry_run: true },
    { status: "cancelled", dryRun: true },
    { ok: true, requires_confirmation: true },
  ])("%j leaves it open", (given) => {
    expect(of(given, {})).toBe("unknown");
  });

  test.each([
    { refund_status: "refunded" },
    { statusCode: 200 },
    { status: "ok", error: null, code: "OK" },
    { status: "refunded", failed_items: [] },
    { statusCode: 204 },
    { success: true, error: false },
    { status: "ok", isError: false, failed: "false" },
    { previousStatus: "processing", status: "cancelled" },
    { old_status: "open", new_status: "closed" },
    { code: 0, message: "success" },
    { status: "cancelled", order: { title: "No Problem mug", address: { shippingState: "CA" } } },
    { success: true, address: { line1: "1 Main St", city: "Los Angeles", state: "CA", zip: "90001" } },
    { ok: true, customer: "5", billing: { state: "NY", postal_code: "10001" } },
    { success: true, items: ["Failproof lamp, declined colour"] },
    { status: "done", notified: true, order: "17" },
    { status: "ok", updated: 1, created: 0 },
    { ok: true, matched: 1, changed: 1, cancelled: 0 },
    { status: "cancelled", deleted: 0, flags: [false] },
    { status: "updated", address: { line1: "1 Main St", state: "CA", country: "US" } },
    { status: "cancelled", items: [{ requires_shipping: true }] },
  ])("%j says that it is done", (given) => {
    expect(of(given, {})).toBe("completed");
  });
});

describe("a result without a value", () => {
  test.each(["", " \n", "\u200b", "{}", "[]", '{"data":null}', '{"errors":[],"message":""}'])(
    "the text %j does not say that it is done",
    (text) => {
      expect(outcomeOf(textOf(text), true, { input: {} }).status).toBe("unknown");
      const structuredContent = { data: { items: [] } };
      expect(
        outcomeOf({ content: [{ type: "text", text }], structuredContent }, true, { input: {} }).status,
      ).toBe("unknown");
    },
  );

  test("a text beside an empty structure is a result, and a picture proves nothing", () => {
    const text = { type: "text", text: "Cancelled" } as const;
    expect(outcomeOf({ content: [text], structuredContent: {} }, true, { input: {} }).status).toBe(
      "completed",
    );
    const label = { type: "image", data: "iVBORw0KGgo=", mimeType: "image/png" } as const;
    expect(outcomeOf({ content: [label] }, true, { input: {} }).status).toBe("unknown");
    expect(outcomeOf({ content: [text, label] }, true, { input: {} }).status).toBe("completed");
  });
});

describe("a text that a result has as an embedded resource", () => {
  const resourceOf = (text: string, mimeType = "text/plain") =>
    ({ type: "resource", resource: { uri: "shop://orders/17", mimeType, text } }) as const;
  const of = (...content: Parameters<typeof outcomeOf>[0]["content"]) =>
    outcomeOf({ content }, true, { input: {} });

  test("is read and shown like any other text", () => {
    expect(of(resourceOf("Refunded"))).toEqual({ status: "completed", text: "Refunded" });
    const failed = { status: "unknown", text: "Refund failed" };
    expect(of(resourceOf("Refund failed"))).toEqual(failed);
    expect(of(resourceOf('{"status":"failed"}', "application/json")).status).toBe("unknown");
    expect(of({ type: "text", text: "Order 17" }, resourceOf("Declined")).status).toBe("unknown");
    expect(of(resourceOf(" ")).status).toBe("unknown");
  });

  test("is not shown if it is a page", () => {
    const text = { type: "text", text: "Refunded" } as const;
    const page = resourceOf("<script>throw new Error()</script>", "text/html;profile=mcp-app");
    expect(of(text, page)).toEqual({ status: "completed", text: "Refunded" });
  });

  test("only a page for a browser, which nobody reads, leaves open whether it was done", () => {
    const page = resourceOf("<p>The refund failed.</p>", "text/html");
    expect(outcomeOf({ content: [page] }, true, { input: {} })).toEqual({ status: "unknown" });
  });
});

describe("a result that repeats what the tool was given", () => {
  const reason = "It does not fit";

  test("a reason in the customer's words is no failure", () => {
    expect(of({ status: "cancelled", reason }, { order: "5", reason })).toBe("completed");
    expect(of({ order: { status: "cancelled", reason } }, { reason })).toBe("completed");
    expect(of({ success: true, reason }, { reason })).toBe("completed");
    expect(of({ status: "done", problem: reason }, { problem: reason })).toBe("completed");
    expect(of({ status: "cancelled", notify: false }, { notify: false })).toBe("completed");
  });

  test("the same words in another field than the input's are the tool's own", () => {
    expect(of({ status: "ok", message: "Not found" }, { order: "5", reason: "Not found" })).toBe("unknown");
    expect(of({ status: "ok", reason: "failed" }, { order: "failed" })).toBe("unknown");
  });

  test("a result that says only what the tool was given does not say that it is done", () => {
    expect(of({ reason }, { reason })).toBe("unknown");
    expect(of({ status: "cancelled", details: { reason } }, { reason })).toBe("unknown");
  });

  test("a reason of the tool is one, and so is a status of any words", () => {
    expect(of({ status: "cancelled", reason: "The order does not exist" }, { reason })).toBe("unknown");
    expect(of({ status: reason }, { reason })).toBe("unknown");
    expect(of({ status: "pending" }, { status: "pending" })).toBe("unknown");
    expect(of({ status: "ok", success: false }, { success: false })).toBe("unknown");
    expect(of({ error: reason }, { reason })).toBe("unknown");
    expect(of({ reason: `${reason}: refused` }, { reason })).toBe("unknown");
  });
});
