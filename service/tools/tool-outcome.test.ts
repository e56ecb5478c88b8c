import { describe, expect, test } from "vitest";
import { outcomeOf } from "./tool-outcome.ts";

const statusOf = (text: string) => outcomeOf({ content: [{ type: "text", text }] }, true).status;

const OPEN: Readonly<Record<string, readonly string[]>> = {
  en: [
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
  ],
  de: [
    "Fehlercode 5",
    "Nicht genügend Guthaben",
    "Guthaben unzureichend",
    "Teilweise erstattet",
    "Zeitüberschreitung",
  ],
  fr: [
    "Solde insuffisant",
    "Service indisponible",
    "Remboursement partiel",
    "Carte expirée",
    "Rien remboursé",
  ],
  es: [
    "No cancelado",
    "Artículo no pedido",
    "Saldo insuficiente",
    "Tarjeta caducada",
    "Reembolso parcial",
    "Fallos: 2",
  ],
  it: ["Errori: 2", "Fondi insufficienti", "Carta scaduta", "Rimborso parziale", "Servizio indisponibile"],
  pt: [
    "Estorno negado no cartão.",
    "Reembolso não efetuado no cartão.",
    "Nao foi possivel reembolsar.",
    "Indisponível no momento",
    "Estorno solicitado no seu banco",
    "Limite excedido no cartão",
    "Saldo insuficiente",
    "Erros: 2",
  ],
  nl: [
    "Foutmelding 5",
    "Er zijn fouten opgetreden.",
    "Onvoldoende saldo",
    "Gedeeltelijk terugbetaald",
    "Kaart verlopen",
  ],
  pl: ["Niewystarczające środki", "Usługa niedostępna", "Zwrócono częściowo", "Karta wygasła"],
  ru: [
    "Недостаточно средств",
    "Сервис недоступен",
    "Возвращено частично",
    "Так делать нельзя",
    "Срок карты истёк",
  ],
  tr: [
    "İade edilemiyor",
    "Bakiye yetersiz",
    "Kısmen iade edildi",
    "Sipariş iptal edilemez",
    "Böyle bir sipariş yok",
  ],
  zh: ["未来得及处理", "未取消", "取消没成功", "部分退款", "请求超时", "訂單已過期", "请稍后再试"],
  ja: ["返金されなかった", "返金されない", "一部のみ返金", "タイムアウト", "期限切れ", "未処理"],
  ar: [
    "لا يمكن إلغاء الطلب",
    "تعذّر إلغاء الطلب",
    "ولم يُلغَ الطلب",
    "لن يُعاد المبلغ",
    "الرصيد غير كافٍ",
    "استرداد جزئي",
  ],
};

const rows = Object.entries(OPEN).flatMap(([language, texts]) =>
  texts.map((text) => [language, text] as const),
);

describe("a tool's own words", () => {
  test.each(rows)("%s: %s leaves it open", (_language, text) => {
    expect(statusOf(text)).toBe("unknown");
  });
});
