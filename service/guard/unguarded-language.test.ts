import { readdirSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { sentencesFor } from "../agents/knowledge/knowledge-texts.ts";
import { CLAIM_SENTENCES } from "../testing/claim-sentences.ts";
import foreignClaims from "../testing/foreign-claims.json" with { type: "json" };
import { languages, shownOf } from "./testing/open-guard.ts";
import { isGuarded, isUnguarded } from "./unguarded-language.ts";

const LOCALES = new URL("../../widget/app/locales/", import.meta.url);

describe("a language whose claims are not known", () => {
  const article = "Returer är gratis i 30 dagar. Pengarna kommer tillbaka till ditt kort.";

  test.each([
    ["sv", "Jag har avbokat din order och pengarna är på väg."],
    ["cs", "Vaše objednávka byla zrušena a peníze už přišly zpět."],
    ["el", "Η παραγγελία σας ακυρώθηκε."],
    ["ko", "주문이 취소되었습니다."],
    ["he", "ההזמנה שלך בוטלה."],
    ["fi", "Tilauksesi on peruttu, ja saat rahasi takaisin."],
    ["uk", "Ваше замовлення скасовано, і гроші вже їдуть до вас."],
    ["fa", "سفارش شما لغو شد و پول برگشت می‌گردد."],
    ["vi", "Đơn hàng của bạn đã được hủy."],
    // Written without a letter, or nearly so, that a guarded language does not have.
    ["ca", "He cancel·lat la teva comanda i et tornarem els diners."],
    ["bg", "Отмених вашата поръчка и парите пътуват към вас."],
    ["ro", "Am anulat comanda ta si banii vin inapoi pe card."],
    ["id", "Pesanan Anda sudah dibatalkan dan uang Anda dikembalikan."],
    ["fi", "Peruin tilauksesi ja rahat palautetaan kortille."],
  ])("%s: a claim is not shown, on a page in that language or in English", (locale, sentence) => {
    for (const pieces of [[sentence], sentence.split("")]) {
      expect(shownOf(pieces, [], { locale, article })).toBe(sentencesFor(locale).personOffered);
      // In an English session the language shows only after some words.
      const shown = shownOf(pieces, [], { article });
      expect(shown).toContain(sentencesFor("en").personOffered);
      expect(shown).not.toContain(sentence);
    }
  });

  test("AGENT7 one is shown in no other language of the panel, in an English session", () => {
    const locales = readdirSync(LOCALES).map((name) => name.replace(/\.\w+$/, ""));
    const said = new Set(foreignClaims.map(([language]) => language));
    expect(locales.filter((locale) => !isGuarded(locale) && !said.has(locale))).toEqual(["locales.test"]);
    expect(foreignClaims.filter(([, sentence = ""]) => shownOf([sentence]) === sentence)).toEqual([]);
  });

  test("AGENT7 Afrikaans is not taken for Dutch in a Dutch session", () => {
    const claim = "Ek het jou bestelling gekanselleer.";
    expect(shownOf([claim], [], { locale: "nl" })).toBe(sentencesFor("nl").personOffered);
  });

  test("a Dutch word that ends as Afrikaans ones do is shown", () => {
    const sentence = "Onder gebruikersbeheer kunt u een collega toevoegen.";
    expect(shownOf([sentence], [], { locale: "nl" })).toBe(sentence);
  });

  test.each([
    "Samsung Galaxy S24 Ultra, Apple iPhone 15 Pro Max, Sony WH-1000XM5.",
    "Flat 3, 27 Llanberis Road, Caernarfon LL55 2DF, Wales.",
    "Visa, Mastercard, American Express, PayPal, Klarna, Apple Pay, Google Pay",
    "The 24-hour clubs are Leeds Quayside, Manchester Deansgate, Glasgow Clydebank and Belfast Titanic.",
    "CPU: AMD Ryzen 7 7800X3D, GPU: Nvidia RTX 4070, RAM: 32 GB DDR5",
    "Trzymam kciuki za jutrzejszą rozmowę!",
  ])("names, codes and rare words make no sentence foreign: %s", (sentence) => {
    expect(shownOf([sentence])).toBe(sentence);
  });

  test("the owner's own sentences are shown, and nothing else", () => {
    const answer =
      "Returer är gratis i 30 dagar [1]. Din order är avbokad. Pengarna kommer tillbaka till ditt kort [1].";
    expect(shownOf([answer], [], { locale: "sv", article })).toBe(
      `Returer är gratis i 30 dagar [1]. ${sentencesFor("sv").personOffered} Pengarna kommer tillbaka till ditt kort [1].`,
    );
  });

  test.each([
    "Il manuale si trova nella scatola del prodotto.",
    "A la espera de una persona del equipo.",
    "Ваша подписка продлевается каждый месяц.",
    "Dit is te lang. Maak het korter.",
    "Zamówienia wysyłamy w ciągu 2 dni.",
  ])("in an English session a guarded one is read as itself: %s", (sentence) => {
    expect(shownOf([sentence])).toBe(sentence);
  });

  test.each(Object.entries(CLAIM_SENTENCES))(
    "no sentence in %s counts as foreign",
    (_language, { claims, harmless }) => {
      expect([...claims, ...harmless].filter((sentence) => isUnguarded(sentence, languages))).toEqual([]);
    },
  );

  test.each(["The lamp by Åse Ørsted ships within Norway and costs 40 euros.", "Hi Ann!", "Hi Priya!"])(
    "a foreign name makes no sentence foreign: %s",
    (sentence) => {
      expect(shownOf([sentence])).toBe(sentence);
    },
  );
});
