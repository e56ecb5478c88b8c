import { expect, test } from "vitest";
import { createAnswerGuard } from "./answer-guard.ts";

const CANCELLED = [{ tool: "shop_cancel_order", input: {}, state: "completed" }] as const;

test.each([
  ["en", "Your order was cancelled and refunded and will not be shipped."],
  ["en", "Your order was cancelled and refunded without a fee."],
  ["en", "Your order was cancelled, refunded and will not be shipped."],
  ["de", "Ihre Bestellung wurde storniert und der Betrag ohne Abzug erstattet."],
  ["de", "Ihre Bestellung wurde storniert, der Betrag erstattet und nichts versendet."],
  ["de", "Ihre Bestellung wurde storniert sowie Ihr Konto gelöscht."],
  ["de", "Ihre Bestellung wurde storniert und Ihr Limit verdoppelt."],
  ["fr", "Votre commande a été annulée et remboursée et ne sera pas expédiée."],
  ["fr", "Votre commande a été annulée et votre plafond doublé."],
  ["es", "Su pedido ha sido cancelado y reembolsado y no será enviado."],
  ["it", "Il Suo ordine è stato annullato e rimborsato senza costi."],
  ["pt", "O seu pedido foi cancelado e reembolsado e não será enviado."],
  ["nl", "Uw bestelling is geannuleerd en zonder kosten terugbetaald."],
  ["pl", "Zamówienie zostało anulowane i zwrócone i nie zostanie wysłane."],
  ["tr", "Siparişiniz iptal edildi ve iade edildi ve gönderilmeyecek."],
  ["ru", "Ваш заказ отменён и деньги возвращены без комиссии."],
  ["ar", "تم إلغاء طلبك ورد المبلغ ولن يتم شحنه."],
  ["zh", "您的订单已取消并退款无需手续费。"],
  ["ja", "ご注文はキャンセルされて返金されましたので手数料はかかりません。"],
])("AGENT7 in %s a negation excuses no second fact before it: %s", async (locale, claim) => {
  expect((await createAnswerGuard(locale, CANCELLED)).accepts(claim)).toBe(false);
});

test.each([
  ["en", "Your order was cancelled before it was shipped."],
  ["en", "Your order has been cancelled and will not be shipped."],
  ["de", "Ihre Bestellung wurde erfolgreich storniert."],
  ["de", "Ihre Bestellung wurde storniert, eine Erstattung wurde noch nicht veranlasst."],
  ["fr", "Votre commande a été annulée et ne sera pas expédiée."],
  ["es", "Su pedido fue cancelado antes de ser enviado."],
  ["it", "Il Suo ordine è stato annullato, ma non ancora rimborsato."],
  ["pt", "O seu pedido foi cancelado e não será enviado."],
  ["nl", "Uw bestelling is geannuleerd voordat deze is verzonden."],
  ["pl", "Zamówienie zostało anulowane i nie zostanie wysłane."],
  ["tr", "Siparişiniz iptal edildi ve gönderilmeyecek."],
  ["ru", "Ваш заказ успешно отменён."],
  ["ar", "تم إلغاء طلبك ولن يتم شحنه."],
  ["zh", "您的订单已取消,尚未退款。"],
  ["ja", "ご注文はキャンセルされましたが返金はされていません。"],
])("AGENT7 in %s what did not happen is no second fact: %s", async (locale, report) => {
  expect((await createAnswerGuard(locale, CANCELLED)).accepts(report)).toBe(true);
  expect((await createAnswerGuard(locale, [])).accepts(report)).toBe(false);
});

test.each([
  ["en", "Your order was not only cancelled but also refunded."],
  ["de", "Ihre Bestellung wurde nicht nur storniert, sondern auch erstattet."],
  ["it", "Il Suo ordine non solo è stato annullato ma anche rimborsato."],
  ["pt", "O seu pedido não só foi cancelado mas também reembolsado."],
  ["nl", "Uw bestelling is niet alleen geannuleerd maar ook terugbetaald."],
])('AGENT7 in %s "not only" is no negation: %s', async (locale, claim) => {
  expect((await createAnswerGuard(locale, [])).accepts(claim)).toBe(false);
});

test('AGENT7 in tr a negation after "but" excuses no fact before it', async () => {
  const report = "Siparişiniz iptal edildi ancak henüz iade edilmedi.";
  expect((await createAnswerGuard("tr", [])).accepts(report)).toBe(false);
  expect((await createAnswerGuard("tr", CANCELLED)).accepts(report)).toBe(true);
});
