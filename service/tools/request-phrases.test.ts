import { describe, expect, test } from "vitest";
import type { ActionKind } from "../guard/claim-phrases.ts";
import { outcomeOf } from "./tool-outcome.ts";

const statusOf = (text: string, kind?: ActionKind) =>
  outcomeOf({ content: [{ type: "text", text }] }, true, { input: {}, kind }).status;
const KINDS = [undefined, "cancel", "refund", "create"] as const;

const REQUESTED: Readonly<Record<string, readonly string[]>> = {
  en: [
    "Cancellation requested",
    "Cancellation requested successfully",
    "Refund requested for order 17",
    "Your request has been received and will be reviewed.",
    "Your request to cancel order 17 has been received.",
    "We have received your request.",
    "Refund request submitted for order 17.",
    "Your refund is being processed.",
    "Requires manager approval",
  ],
  de: [
    "Stornierung angefragt",
    "Erstattung für Bestellung 17 beantragt",
    "Ihre Stornierungsanfrage wurde an das Team weitergeleitet.",
    "Ihr Antrag ist eingegangen.",
    "Ihre Anfrage wird von einem Mitarbeiter geprüft.",
  ],
  fr: [
    "Annulation demandée",
    "Remboursement demandé pour la commande 17",
    "Votre demande d’annulation a bien été transmise.",
    "Nous avons reçu votre demande.",
  ],
  es: ["Cancelación solicitada", "Hemos recibido su solicitud.", "Su solicitud será revisada."],
  it: ["Rimborso richiesto", "La richiesta di rimborso è stata inviata.", "La richiesta sarà esaminata."],
  pt: ["Cancelamento solicitado com sucesso", "Recebemos sua solicitação.", "A solicitação será analisada."],
  nl: ["Annulering aangevraagd", "We hebben uw verzoek ontvangen.", "Het verzoek wordt beoordeeld."],
  pl: ["Złożono wniosek o zwrot", "Otrzymaliśmy Twoją prośbę.", "Wniosek zostanie rozpatrzony."],
  ru: ["Запрос на возврат принят.", "Мы получили ваш запрос.", "Заявка будет рассмотрена."],
  tr: ["İptal talep edildi", "İade talebiniz alındı.", "Talebiniz incelenecektir."],
  zh: ["已申请取消", "退款申请已提交", "我们已收到您的申请", "正在审核中"],
  ja: ["キャンセルを申請しました", "リクエストを受け付けました", "審査中です"],
  ar: ["تم طلب الإلغاء", "لقد استلمنا طلبك.", "طلبك قيد المراجعة", "وستتم مراجعته"],
};

const ANNOUNCED: Readonly<Record<string, readonly string[]>> = {
  en: [
    "Your refund will be processed within 5 days.",
    "Order #17 will be cancelled.",
    "We will process your refund soon.",
    "We'll cancel your order.",
    "Order 17 would be cancelled.",
    "Would cancel order 17",
    "Dry run: order 17 cancelled",
    "DRY-RUN: order 17 cancelled",
    "Cancelled (dry_run)",
    "Order 17 is being cancelled.",
    "Your payment is being refunded.",
    "Please confirm the cancellation by the link in the email.",
    "Confirmation required",
    "Are you sure?",
    "Processing",
    "Refund submitted.",
    "Order 17\nStatus: processing",
    "Refund 5, status: on hold",
    "Accepted for processing",
    "Refund submitted for approval",
    "Submitted",
    "Refund request #17 created.",
    "The team has been notified of your cancellation request.",
    "Your cancellation request was escalated.",
  ],
  de: [
    "Die Stornierung wird vorgenommen.",
    "Die Erstattung wird in 5 Tagen veranlasst.",
    "Bitte bestätigen Sie die Stornierung.",
    "Bestätigung erforderlich",
  ],
  fr: ["Le remboursement sera effectué sous 5 jours.", "Veuillez confirmer l’annulation."],
  es: ["El reembolso se procesará en 5 días.", "Su pedido será cancelado.", "Por favor, confirme."],
  it: ["Il rimborso verrà elaborato.", "L’ordine sarà annullato.", "Si prega di confermare."],
  pt: ["O reembolso será processado.", "Por favor, confirme."],
  nl: ["De terugbetaling wordt verwerkt.", "Bevestig de annulering."],
  pl: ["Zwrot zostanie przetworzony.", "Zamówienie będzie anulowane.", "Potwierdź anulowanie."],
  ru: ["Возврат будет выполнен.", "Заказ будет отменён.", "Подтвердите отмену."],
  tr: ["Siparişiniz iptal edilecek.", "İade işleme alındı.", "Lütfen onaylayın."],
  zh: ["将在5天内退款", "訂單將會取消", "请确认取消订单"],
  ja: ["返金は後日行われます。", "注文はキャンセルされます。"],
  ar: ["سيتم رد المبلغ", "يرجى تأكيد الإلغاء"],
};

const DONE: Readonly<Record<string, readonly string[]>> = {
  en: [
    "Order 17\nStatus: cancelled",
    "Processing complete: order 17 cancelled.",
    "Feedback submitted and published.",
    "Order 17 cancelled - it will be refunded.",
    "Order 17 cancelled and will be refunded.",
    "Cancelled as requested.",
    "As requested, your order has been cancelled.",
    "The refund you requested was made.",
    "The requested change was made.",
    "Refund requested by the customer was issued.",
    "Refund request approved and refunded.",
    "Request completed: order 17 is cancelled.",
    "Special request noted on reservation 5.",
    "Your review has been received and published.",
    "Payment of 49 EUR received for invoice 100.",
    "Service request SR-9 created.",
    "Message forwarded to the billing team.",
    "Your order has been shipped and will be delivered Friday.",
    "Refund processed, you will receive it within 5 days.",
    "Subscription canceled; access ends 31 Dec.",
    "Order cancelled. The amount will be refunded to your card.",
    "Your order is cancelled and will be removed from the list.",
    "Ticket 12 created. Our team will contact you.",
    "Booking confirmed. A confirmation will be sent by email.",
    "Refund issued; your bank will process it within 5 days.",
    "Plan changed. The next invoice will be issued on 1 May.",
  ],
  de: [
    "Wie angefordert storniert.",
    "Die beantragte Erstattung ist erfolgt.",
    "Ihre Anfrage wurde bearbeitet: Adresse geändert.",
    "Kündigung erhalten und zum 31.12. wirksam.",
    "Rückerstattung wurde veranlasst.",
    "Storniert. Der Betrag wird in 5 Tagen erstattet.",
    "Die Bestellung wurde storniert und wird in 5 Tagen erstattet.",
    "Termin bestätigt. Wir melden uns.",
  ],
  fr: [
    "Commande annulée et sera remboursée.",
    "Annulé comme demandé.",
    "Nous avons effectué le remboursement demandé.",
    "Votre demande a été traitée : commande annulée.",
    "Commande annulée, le montant sera remboursé sous 5 jours.",
    "Votre commande a été expédiée et sera livrée vendredi.",
  ],
  es: [
    "Su pedido se ha cancelado y será reembolsado.",
    "Pedido cancelado y será reembolsado.",
    "Efectuado el reembolso solicitado.",
    "Su solicitud ha sido completada.",
    "Pedido cancelado. El importe se reembolsará en 5 días.",
    "Cita confirmada para el lunes.",
  ],
  it: [
    "L’ordine è stato annullato e sarà rimborsato.",
    "Ordine annullato e verrà rimborsato.",
    "È stato effettuato il rimborso richiesto.",
    "Ordine annullato come richiesto.",
    "Ordine annullato, l’importo sarà rimborsato.",
    "Prenotazione confermata per lunedì.",
  ],
  pt: [
    "Pedido cancelado e será reembolsado.",
    "Efetuamos a troca solicitada.",
    "Cancelado conforme solicitado.",
    "Seu pedido foi enviado.",
    "Pedido cancelado; o valor será reembolsado.",
    "Reserva confirmada.",
  ],
  nl: [
    "Bestelling geannuleerd en wordt terugbetaald.",
    "Zoals aangevraagd geannuleerd.",
    "Uw verzoek is verwerkt: bestelling geannuleerd.",
    "Bestelling geannuleerd. Het bedrag wordt terugbetaald.",
    "Uw bestelling is verzonden en wordt vrijdag bezorgd.",
  ],
  pl: [
    "Zamówienie zostało anulowane i zostanie zwrócone.",
    "Wniosek zatwierdzony, środki zwrócono.",
    "Zamówienie anulowano, środki zostaną zwrócone.",
  ],
  ru: [
    "Заказ отменён и будет возвращён.",
    "По вашему запросу отправлен счёт.",
    "Заявка выполнена, заказ отменён.",
    "Заказ отменён, деньги будут возвращены в течение 5 дней.",
  ],
  tr: [
    "Sipariş iptal edildi ve tutar iade edilecek.",
    "Talebiniz üzerine fatura gönderildi.",
    "Talebiniz tamamlandı.",
    "Siparişiniz iptal edildi, tutar iade edilecek.",
  ],
  zh: [
    "成功将订单取消",
    "已将订单取消，将在5天内退款",
    "根据您的申请，订单已取消。",
    "您的申请已批准，已退款。",
    "订单已取消，款项将在5天内退回。",
    "预约已改到周一。",
  ],
  ja: [
    "予約の変更が完了しました！差額は返金されます。",
    "ご依頼の返金を行いました。",
    "申請いただいた返金が完了しました。",
    "解約しました。12月31日まで利用できます。",
    "予約を変更しました。メールをご確認ください。",
    "キャンセルしました。5日以内に返金されます。",
  ],
  ar: ["بناءً على طلبك تم إلغاء الحجز.", "تم تقديم الطلب رقم 17.", "تم إلغاء الطلب وسيتم رد المبلغ."],
};

const rows = (of: typeof DONE) =>
  Object.entries(of).flatMap(([language, texts]) => texts.map((text) => [language, text] as const));

describe("a tool that did not do it yet", () => {
  test.each(rows(REQUESTED))("%s: %s does not say that it is done", (_language, text) => {
    for (const kind of KINDS) expect(statusOf(text, kind)).toBe("unknown");
    expect(statusOf(JSON.stringify({ ok: true, message: text }))).toBe("unknown");
  });

  test.each(rows(ANNOUNCED))("%s: %s is yet to happen", (_language, text) => {
    for (const kind of KINDS) expect(statusOf(text, kind)).toBe("unknown");
  });

  test.each(rows(DONE))("%s: %s is no doubt beside a status that names what was done", (_language, text) => {
    expect(statusOf(JSON.stringify({ status: "cancelled", details: text }))).toBe("completed");
  });
});
