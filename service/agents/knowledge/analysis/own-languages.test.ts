import { describe, expect, it } from "vitest";
import { parseArticle } from "../article.ts";
import { createPassageSearch } from "../passages.ts";
import { QUOTE_FROM } from "../ranking/probability.ts";
import { languageOf } from "./languages.ts";

const POLISH: Readonly<Record<string, string>> = {
  zwroty: `# Zwroty\n\nTowar można zwrócić w ciągu 30 dni od dostawy, jeśli nie był używany. Zwrot jest bezpłatny w Polsce.`,
  dostawa: `# Dostawa\n\nWysyłamy zamówienia od poniedziałku do piątku. Paczka dociera zwykle w ciągu 2 dni roboczych.`,
  konto: `# Konto\n\nNie pamiętasz hasła? Kliknij link na stronie logowania. Konto usuniesz w ustawieniach.`,
  karty: `# Karty podarunkowe\n\nKarta podarunkowa jest ważna 12 miesięcy. Nie wymieniamy jej na gotówkę.`,
};
const CZECH: Readonly<Record<string, string>> = {
  vraceni: `# Vrácení zboží\n\nZboží můžete vrátit do 30 dnů od doručení, pokud nebylo použito. Vrácení je v Česku zdarma.`,
  doprava: `# Doprava\n\nObjednávky odesíláme od pondělí do pátku. Zásilka obvykle dorazí do 2 pracovních dnů.`,
  ucet: `# Účet\n\nZapomněli jste heslo? Klikněte na odkaz na přihlašovací stránce. Účet smažete v nastavení.`,
  karty: `# Dárkové karty\n\nDárková karta platí 12 měsíců. Nelze ji vyměnit za hotovost.`,
};

const KOREAN: Readonly<Record<string, string>> = {
  returns: `# 반품\n\n사용하지 않은 상품은 30일 이내에 반품할 수 있습니다. 국내 반품 비용은 무료입니다.`,
  shipping: `# 배송\n\n주문은 월요일부터 금요일까지 발송합니다. 보통 2영업일 안에 도착합니다.`,
  account: `# 계정\n\n비밀번호는 로그인 화면에서 새로 정하세요. 설정에서 계정을 삭제할 수 있습니다.`,
  hours: `# 영업시간\n\n강남 매장은 평일 10시부터 20시까지 영업합니다. 일요일은 쉽니다.`,
};

const searchIn = (articles: Readonly<Record<string, string>>) =>
  createPassageSearch(Object.entries(articles).map(([id, text]) => parseArticle(`${id}.md`, text)));

describe.each([
  {
    code: "pl",
    articles: POLISH,
    asked: [
      ["ile dni mam na zwrot?", "zwroty"],
      ["jak długo trwa dostawa", "dostawa"],
      ["jak usunąć konto", "konto"],
      ["czy macie kartę podarunkową", "karty"],
    ],
    elsewhere: ["jaka jest pogoda w Warszawie", "kto wygrał mecz", "ile lat ma prezydent"],
  },
  {
    code: "cs",
    articles: CZECH,
    asked: [
      ["kolik dní mám na vrácení?", "vraceni"],
      ["jak dlouho trvá doprava", "doprava"],
      ["jak smazat účet", "ucet"],
      ["máte dárkovou kartu", "karty"],
    ],
    elsewhere: ["jaké je počasí v Praze", "kdo vyhrál zápas", "kolik let má prezident"],
  },
  {
    code: "ko",
    articles: KOREAN,
    asked: [
      ["반품은 어떻게 하나요?", "returns"],
      ["배송은 얼마나 걸리나요", "shipping"],
      ["계정을 삭제하고 싶어요", "account"],
      ["일요일에도 영업하나요", "hours"],
    ],
    elsewhere: ["오늘 날씨 어때요", "누가 경기에서 이겼나요", "대통령은 몇 살인가요"],
  },
])("articles in $code", ({ code, articles, asked, elsewhere }) => {
  it("are told from other languages", () => {
    expect(languageOf(Object.values(articles).join("\n"))?.code).toBe(code);
  });

  it.each(asked)("answer %s, whatever the endings", (text, id) => {
    const [best] = searchIn(articles).find({ text }).passages;
    expect([best?.article.title, (best?.probability ?? 0) >= QUOTE_FROM]).toEqual([
      parseArticle("", articles[id] ?? "").title,
      true,
    ]);
  });

  it.each(elsewhere)("have nothing about %s", (text) => {
    expect(searchIn(articles).find({ text }).passages[0]?.probability ?? 0).toBeLessThan(0.045);
  });
});

it("an English article that names a language in its letters is English", () => {
  const text = "You can read the help in English and in 한국어, and write to us in both of them.";
  expect(languageOf(text)?.code).toBe("en");
});
