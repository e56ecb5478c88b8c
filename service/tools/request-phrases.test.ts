import { describe, expect, test } from "vitest";
import { outcomeOf } from "./tool-outcome.ts";

const statusOf = (text: string) => outcomeOf({ content: [{ type: "text", text }] }, true, {}).status;

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

const DONE: Readonly<Record<string, readonly string[]>> = {
  en: [
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
  ],
  de: [
    "Wie angefordert storniert.",
    "Die beantragte Erstattung ist erfolgt.",
    "Ihre Anfrage wurde bearbeitet: Adresse geändert.",
    "Kündigung erhalten und zum 31.12. wirksam.",
  ],
  fr: [
    "Annulé comme demandé.",
    "Nous avons effectué le remboursement demandé.",
    "Votre demande a été traitée : commande annulée.",
  ],
  es: ["Efectuado el reembolso solicitado.", "Su solicitud ha sido completada."],
  it: ["È stato effettuato il rimborso richiesto.", "Ordine annullato come richiesto."],
  pt: ["Efetuamos a troca solicitada.", "Cancelado conforme solicitado.", "Seu pedido foi enviado."],
  nl: ["Zoals aangevraagd geannuleerd.", "Uw verzoek is verwerkt: bestelling geannuleerd."],
  pl: ["Wniosek zatwierdzony, środki zwrócono."],
  ru: ["По вашему запросу отправлен счёт.", "Заявка выполнена, заказ отменён."],
  tr: ["Talebiniz üzerine fatura gönderildi.", "Talebiniz tamamlandı."],
  zh: ["根据您的申请，订单已取消。", "您的申请已批准，已退款。"],
  ja: ["ご依頼の返金を行いました。", "申請いただいた返金が完了しました。"],
  ar: ["بناءً على طلبك تم إلغاء الحجز.", "تم تقديم الطلب رقم 17."],
};

const rows = (of: typeof DONE) =>
  Object.entries(of).flatMap(([language, texts]) => texts.map((text) => [language, text] as const));

describe("a tool that passes a request on", () => {
  test.each(rows(REQUESTED))("%s: %s does not say that it is done", (_language, text) => {
    expect(statusOf(text)).toBe("unknown");
    expect(statusOf(JSON.stringify({ ok: true, message: text }))).toBe("unknown");
  });

  test.each(rows(DONE))("%s: %s says that it is done", (_language, text) => {
    expect(statusOf(text)).toBe("completed");
  });
});
