import { describe, expect, test } from "vitest";
import { parseArticle } from "./article.ts";
import { createPassageSearch } from "./passages.ts";

const searchOf = (articles: Readonly<Record<string, string>>) =>
  createPassageSearch(Object.entries(articles).map(([name, text]) => parseArticle(`${name}.md`, text)));

const SHOP = {
  refunds:
    "# Refunds\n\nWe refund within five days.\n\n## Gift cards\n\nA gift card is refunded to its number.",
  delivery: "# Delivery\n\nStandard delivery takes two days. The courier sends a message.",
  account: "# Your account\n\nChange your password under Settings.",
};

describe("passages for a question", () => {
  test("are of one article each, the best first, with heading, text and probability", () => {
    const { passages } = searchOf(SHOP).find({ text: "how is a gift card refunded" });
    expect(passages[0]).toMatchObject({
      article: { id: "refunds", title: "Refunds" },
      heading: "Gift cards",
      text: "A gift card is refunded to its number.",
    });
    expect(passages[0]?.probability).toBeGreaterThan(0.5);
    expect(new Set(passages.map(({ article }) => article.id)).size).toBe(passages.length);
  });

  test("a swapped pair of letters, a missing and a wrong one are the same word", () => {
    for (const text of ["delievry", "delivry", "delivary", "passwrod"]) {
      const { passages } = searchOf(SHOP).find({ text });
      expect(passages[0]?.article.id, text).toBe(text === "passwrod" ? "account" : "delivery");
    }
  });

  test("a question about something else has no probable passage", () => {
    for (const text of ["Who won the world cup?", "", "???", "how do I"]) {
      const [best] = searchOf(SHOP).find({ text }).passages;
      expect(best?.probability ?? 0, text).toBeLessThan(0.2);
    }
  });

  test("a long section without headings has several passages", () => {
    const filler = "Our workshop is in an old mill by the river, and visitors may come on any day. ".repeat(
      8,
    );
    const search = searchOf({
      long: `# Story\n\n${filler}\n\n${filler}\n\nThe otter is called Ottilie.\n\n${filler}`,
    });
    expect(search.all.length).toBeGreaterThan(1);
    expect(search.find({ text: "what is the otter called" }).passages[0]?.text).toContain("Ottilie");
  });

  test('"Geld zurück" finds an article that only says when the money comes', () => {
    const search = searchOf({
      umtausch:
        "# Umtausch\n\nSie können die Ware umtauschen. Das Geld kommt dann nach fünf Tagen auf Ihr Konto.",
      laden: "# Laden\n\nWir sind in der Lindenstraße und haben am Montag nicht geöffnet.",
    });
    expect(search.find({ text: "Wann bekomme ich mein Geld zurück?" }).passages[0]?.heading).toBe("Umtausch");
  });

  test("the only article in another language is read in its own", () => {
    const german =
      "# Ausweis\n\nWenn Sie Ihren Ausweis verloren haben, rufen Sie uns bitte sofort an. Wir sperren ihn.\n\n" +
      "## Zeiten\n\nWir haben von Montag bis Freitag geöffnet, und am Samstag ist bei uns geschlossen.";
    const search = searchOf({ ...SHOP, ausweis: german });
    expect(search.find({ text: "Wann haben Sie geöffnet?" }).passages[0]?.heading).toBe("Zeiten");
    expect(search.find({ text: "Haben Sie auch Katzen?" }).passages[0]?.probability ?? 0).toBeLessThan(0.75);
    // Turkish says by endings what other languages say by stop words.
    const turkish =
      "# Kart\n\nKartınızı kaybettiyseniz hemen müşteri hizmetlerini arayın veya sohbet penceresine yazın. Kartınızı " +
      "aynı gün kapatırız ve üç iş günü içinde yeni bir kart göndeririz. Eski kart daha sonra bulunsa bile " +
      "kullanılamaz, çünkü numarası değişir.\n\n## Saatler\n\nŞubelerimiz pazartesiden cumaya kadar açık, cumartesi " +
      "ise öğlene kadar hizmet verir. Yeni kartı postaneden ancak pasaport gösterip alabilirsiniz.";
    const { passages } = searchOf({ ...SHOP, turkish }).find({ text: "Pasaportlarla mı?" });
    expect(passages[0]?.heading).toBe("Saatler");
    const names =
      "# Namen\n\nVieux Port, Le Corbusier, Hausmann, Rembrandt, Villon, La Rochelle, Bordeaux, Nantes.";
    expect(searchOf({ ...SHOP, names }).find({ text: "le corbusier" }).asked).toHaveLength(2);
  });

  test("a short question among articles in two languages has the stop words of its own", () => {
    const german = {
      versand:
        "# Versand\n\nDer Versand dauert zwei Tage, und der Bote schreibt Ihnen vorher eine Nachricht.",
      konto: "# Konto\n\nIhr Passwort ändern Sie unter den Einstellungen, und das ist auch nicht schwer.",
    };
    expect(searchOf({ ...SHOP, ...german }).find({ text: "and delivery?" }).asked).toHaveLength(1);
    expect(searchOf({ ...SHOP, ...german }).find({ text: "und Versand?" }).asked).toHaveLength(1);
  });

  test("a word that is a stop word in another language of the articles is still searched", () => {
    const spanish = {
      islas:
        "# Islas\n\nLos envíos a las islas tardan cinco días, y el precio es el mismo que en la península.",
      tienda: "# Tienda\n\nPuede recoger su pedido en la tienda de lunes a viernes, y los sábados también.",
    };
    const search = searchOf({ ...SHOP, ...spanish, usa: "# USA\n\nThe USA get parcels within six days." });
    expect(search.find({ text: "USA?" }).passages[0]?.article.id).toBe("usa");
  });

  describe("KNOW5 in a long message", () => {
    const before =
      "Hello, my sister and I sat at the kitchen table yesterday evening and looked through last summer's photographs.";
    const after = "I travel to Leeds on Friday and my boss is nervous. Kind regards, Martha";
    const bestOf = (text: string) => searchOf(SHOP).find({ text }).passages[0];

    test("a sentence that asks counts as if it were the whole message", () => {
      const question = "How is a gift card refunded?";
      const best = bestOf(`${before} ${question} ${after}`);
      expect(best?.heading).toBe("Gift cards");
      expect(best?.probability).toBeCloseTo(bestOf(question)?.probability ?? 0);
    });

    test("a question with one telling word is never sure enough for a quote", () => {
      const question = "Can you send?";
      expect(bestOf(question)?.probability).toBeGreaterThan(0.75);
      const best = bestOf(`${before} ${question}`);
      expect(best?.heading).toBe("Delivery");
      expect(best?.probability).toBeLessThan(0.75);
    });

    test.each(["What about refunds?", "Is there a card?"])(
      "%s counts in full, because its only telling word is in a heading",
      (question) => {
        const best = bestOf(`${before} ${question}`);
        expect(best?.probability).toBeGreaterThan(0.75);
        expect(best?.probability).toBeCloseTo(bestOf(question)?.probability ?? 0);
      },
    );

    test("a sentence that only tells something is never sure enough for a quote", () => {
      const story = "A gift card was refunded.";
      expect(bestOf(story)?.probability).toBeGreaterThan(0.72);
      const best = bestOf(`${before} ${story} ${after}`);
      expect(best?.heading).toBe("Gift cards");
      expect(best?.probability).toBeLessThan(0.72);
      expect(best?.probability).toBeGreaterThan(0.08);
    });
  });

  test("KNOW4 another ranking adds its nearest article after the most probable one", () => {
    const search = searchOf(SHOP);
    const idOf = (article: string) => search.all.find((passage) => passage.article === article)?.id ?? "";
    const find = (ranking: readonly string[]) =>
      search.find({ text: "how is a gift card refunded", ranking }).passages;
    expect(find([]).map(({ article }) => article.id)).toEqual(["refunds"]);
    const [best, near] = find([idOf("account"), idOf("delivery"), "a passage that is gone"]);
    expect([best?.article.id, best?.isNearest]).toEqual(["refunds", false]);
    expect([near?.article.id, near?.isNearest]).toEqual(["account", true]);
    expect(near?.probability).toBeLessThan(0.08);
  });

  test.each([
    ["de", "Was kostet eine Rücksendung?", "Die Rücksendekosten tragen wir.", "Ihr Konto ist gesperrt."],
    [
      "de",
      "Kosten der Rueckgabe",
      "Eine Rückgabe ist kostenlos. Die Kosten der Lieferung nicht.",
      "Das Konto.",
    ],
    ["es", "¿Cuándo se devuelven los pedidos?", "La devolución de un pedido tarda dos días.", "Su cuenta."],
    ["ru", "Как вернуть заказы?", "Чтобы вернуть заказ, напишите нам.", "Ваш счёт закрыт."],
    ["ru", "Как с возвратами?", "Мы оплатим возврат, и он будет у нас через два дня.", "Ваш счёт закрыт."],
    ["tr", "SİPARİŞLERİM nerede?", "Sipariş iki gün sürer, çünkü bu bizim için önemli.", "Hesap kapalı."],
    ["zh", "怎么申请退款？", "您可以在两天内申请退款。", "您的账户已关闭。"],
    ["ja", "返品の方法は？", "返品は二週間以内にお願いします。", "アカウントの設定です。"],
    ["th", "คืนสินค้าอย่างไร", "คุณสามารถคืนสินค้าได้ภายในสองวัน", "บัญชีของคุณถูกปิด"],
  ])("words are compared as the language (%s) forms them: %s", (_code, question, right, wrong) => {
    const search = searchOf({ right: `# A\n\n${right}`, wrong: `# B\n\n${wrong}` });
    expect(search.find({ text: question }).passages[0]?.article.id).toBe("right");
  });
});
