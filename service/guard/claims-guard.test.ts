import { describe, expect, test } from "vitest";
import { CLAIM_SENTENCES, type ClaimSentences } from "../testing/claim-sentences.ts";
import blindSentences from "../testing/labelled-claims/blind.json" with { type: "json" };
import freshSentences from "../testing/labelled-claims/fresh.json" with { type: "json" };
import unseenSentences from "../testing/labelled-claims/unseen.json" with { type: "json" };
import { claimsByPatterns } from "./claim-patterns.ts";
import { claimsIn } from "./claims.ts";
import { withheld } from "./guard-sentences.ts";
import type { ClaimLanguage } from "./phrases.ts";
import { readingsOf } from "./plain-words.ts";
import { languages, openGuard, shownOf } from "./testing/open-guard.ts";

const FRESH_SENTENCES: readonly Readonly<Record<string, ClaimSentences>>[] = [
  ...freshSentences,
  ...blindSentences,
];

const claims = Object.entries(CLAIM_SENTENCES).flatMap(([language, sentences]) =>
  sentences.claims.map((sentence) => ({ language: language as ClaimLanguage, sentence })),
);
const harmless = Object.values(CLAIM_SENTENCES).flatMap((sentences) => sentences.harmless);
/** The most harmless sentences that may be withheld, of all: docs/decisions. */
const MAX_FALSE_HOLDS = 0.05;

describe("a claim is shown only beside a verified result", () => {
  test("the sentences are at least 150 claims and 150 harmless ones, in at least 12 languages", () => {
    expect(claims.length).toBeGreaterThanOrEqual(150);
    expect(harmless.length).toBeGreaterThanOrEqual(150);
    expect(Object.keys(CLAIM_SENTENCES).length).toBeGreaterThanOrEqual(12);
  });

  test.each(claims)("$language: $sentence", ({ language, sentence }) => {
    const shown = shownOf([sentence]);
    const note = withheld("en", language);
    expect(shown).toContain(note);
    expect(claimsIn(shown.replace(note, ""))).toEqual([]);
    // The control: without the guard the claim is there.
    expect(claimsIn(sentence)).not.toEqual([]);
  });

  test("at most 5 % of the harmless sentences are withheld", () => {
    const withheldOnes = harmless.filter((sentence) => shownOf([sentence]) !== sentence);
    expect(withheldOnes.length / harmless.length, withheldOnes.join("\n")).toBeLessThanOrEqual(
      MAX_FALSE_HOLDS,
    );
  });

  test("the result is the same however the text is cut", () => {
    for (const sentence of [...claims.map((claim) => claim.sentence), ...harmless]) {
      const text = `Thanks for waiting. ${sentence} Anything else?`;
      const whole = shownOf([text]);
      expect(shownOf(text.split("")), sentence).toBe(whole);
      const half = Math.floor(text.length / 2);
      expect(shownOf([text.slice(0, half), text.slice(half)]), sentence).toBe(whole);
    }
  });
});

describe("wordings that were written before anybody looked at the patterns", () => {
  const ofSets = FRESH_SENTENCES.map((ofSet, at) => ({
    at: at + 1,
    claims: Object.entries(ofSet).flatMap(([locale, { claims: said }]) =>
      said.map((sentence) => ({ locale, sentence })),
    ),
    harmless: Object.entries(ofSet).flatMap(([locale, { harmless: said }]) =>
      said.map((sentence) => ({ locale, sentence })),
    ),
  }));
  const isShown = ({ locale, sentence }: { locale: string; sentence: string }) =>
    shownOf([sentence], [], { locale }) === sentence;

  test.each(ofSets)("AGENT7 of set $at no claim is shown", ({ claims: said }) => {
    expect(said.length).toBeGreaterThanOrEqual(60);
    expect(said.filter(isShown)).toEqual([]);
  });

  test.each(ofSets)("of set $at at most 5 % of the harmless sentences are withheld", ({ harmless: said }) => {
    const held = said.filter((one) => !isShown(one));
    expect(held.length / said.length, JSON.stringify(held)).toBeLessThanOrEqual(MAX_FALSE_HOLDS);
  });
});

describe("sentences from which nothing was learned", () => {
  const ofKind = (set: number, kind: keyof ClaimSentences) =>
    Object.entries(unseenSentences[set] ?? {}).flatMap(([locale, sentences]) =>
      sentences[kind].map((sentence: string) => ({ locale, sentence })),
    );
  const isShown = (one: { locale: string; sentence: string }) =>
    shownOf([one.sentence], [], one) === one.sentence;
  const shareOf = (said: readonly { locale: string; sentence: string }[], isWrong: typeof isShown) => {
    expect(said.length).toBeGreaterThanOrEqual(150);
    return said.filter(isWrong).length / said.length;
  };

  /** The bounds are what docs/decisions/0074-claims-guard.md measured, rounded up. */
  test.each([
    { text: "of everyday kinds", set: 0, most: 0.02 },
    { text: "with other clauses beside them", set: 2, most: 0.035 },
    { text: "of an ordinary day", set: 3, most: 0.015 },
  ])("AGENT7 few claims $text are shown", ({ set, most }) => {
    expect(shareOf(ofKind(set, "claims"), isShown)).toBeLessThanOrEqual(most);
  });

  test.each([
    { text: "with the words of claims", set: 0, most: 0.08 },
    { text: "of ordinary text", set: 1, most: 0.02 },
    { text: "with the words of claims, of several clauses", set: 2, most: 0.1 },
    { text: "of an ordinary day, half with the words of claims", set: 3, most: 0.07 },
    { text: "of an ordinary day, with its politeness", set: 4, most: 0.06 },
  ])("few harmless sentences $text are held", ({ set, most }) => {
    expect(shareOf(ofKind(set, "harmless"), (one) => !isShown(one))).toBeLessThanOrEqual(most);
  });
});

test("AGENT7 a claim that no pattern knows is held by what was learned", () => {
  const claim = "The stain on your account is no more.";
  expect(readingsOf(claim).flatMap((words) => claimsByPatterns(words, false))).toEqual([]);
  expect(shownOf([claim])).toBe(withheld("en", "en"));
});

test("AGENT7 a claim in Portuguese is replaced in the Portuguese of the session", () => {
  expect(shownOf(["Cancelei o seu pedido."], [], { locale: "pt-BR" })).toContain("Você pode falar");
  expect(shownOf(["Cancelei o seu pedido."], [], { locale: "pt" })).toMatch(/ Pode falar/);
});

test("AGENT7 harmless clauses around a claim do not let it pass", () => {
  const claim = "the invoice now carries your new company address";
  const said = `Returns are free and delivery takes two days, and ${claim}, so please check the page on returns.`;
  expect(shownOf([said])).toBe(withheld("en", "en"));
});

describe("a verified result lets facts of its own kind through", () => {
  const fact = "Your order has been shipped.";

  test.each([
    ["nothing", fact, [], false],
    ["another action", fact, ["cancel"], false],
    ["its own action", fact, ["send"], true],
    [
      "its own action, which the agent claims to have done itself",
      "I have shipped your order.",
      ["send"],
      false,
    ],
    ["a result that names no action", "Everything has been taken care of.", ["done"], false],
  ] as const)("beside %s", (_name, sentence, verified, isShown) => {
    expect(shownOf([sentence], verified) === sentence).toBe(isShown);
  });

  test("a sentence with two claims needs both", () => {
    const both = "Your order has been cancelled, and your address has been changed.";
    expect(shownOf([both], ["cancel"])).not.toContain("changed");
    expect(shownOf([both], ["cancel", "change"])).toBe(both);
  });
});

describe("claims in disguise", () => {
  test.each([
    "I have **refunded** your order.",
    "I have re**fun**ded your order.",
    "I *have* _refunded_ your order.",
    "I ha\u200bve ref\u200bunded your order.",
    "I\u200bhave\u200brefunded your order.",
    "I have re\u00adfunded your order.",
    "I have r\u0435fund\u0435d your \u043erder.",
    "I h\u03b1ve refund\u03b5d your order.",
    "\uff29 \uff48\uff41\uff56\uff45 \uff52\uff45\uff46\uff55\uff4e\uff44\uff45\uff44 your order.",
    "I have \u{1d42b}\u{1d41e}\u{1d41f}\u{1d42e}\u{1d427}\u{1d41d}\u{1d41e}\u{1d41d} your order.",
    "I have refund3d your 0rder.",
    "I have refun&#100;ed your order.",
    "I&nbsp;have&nbsp;refunded&nbsp;your order.",
    "I have re<b>fund</b>ed your order.",
    "I\nhave\nrefunded\nyour\norder.",
    "I have\n\nrefunded\n\nyour order.",
    "- I have\n- refunded\n- your order",
    "| I have | refunded | your order |\n|---|---|---|\n",
    "# Refunded\n",
    "> I have refunded your order.",
    '"I have refunded your order."',
    "```\nI have refunded your order\n```",
    "I have, as you asked, refunded your order.",
    "I h a v e r e f u n d e d your order.",
    "I HAVE REFUNDED YOUR ORDER!!!",
    "Refund: completed ✅",
    "Status: refunded.",
    "If you have other questions, let me know, I have refunded your order.",
    "I have refunded your order, is there anything else?",
    "Your order No. 4711 has been cancelled.",
    "Your appointment with Dr. Okafor is booked.",
    "Done.",
    "All set!",
  ])("%j", (text) => {
    const shown = shownOf([`${text} Bye.`]);
    expect(shown).toContain(withheld("en", "en"));
    expect(shownOf(`${text} Bye.`.split(""))).toBe(shown);
    expect(claimsIn(shown.replace(withheld("en", "en"), ""))).toEqual([]);
  });

  test.each([
    ["en", "Your subscription is cancelled – anything else I can do for you?"],
    ["fr", "Votre commande a été annulée\n\nAutre chose ?"],
    ["ru", "Ваш заказ отменён\n\nЧто-нибудь ещё?"],
    ["ar", "تم إلغاء طلبك\n\nهل من شيء آخر؟"],
    ["fr", "**Votre adresse a été modifiée** Autre chose ?"],
    ["en", "How to cancel\nYour order has been cancelled"],
    ["en", "If you ask me\nYour order has been cancelled"],
    ["en", "We can't offer option 3. Your refund has been issued."],
    ["de", "Nutzen Sie nicht Option 2. Ihr Konto wurde gelöscht."],
    ["ru", "Подписка Microsoft Office Home Premium отменена."],
    ["ru", "Ваш заказ отменён: https://shop.example/account/orders/4711"],
    ["de", "Ihre Bestellung wurde ~~nicht~~ storniert"],
    ["en", "Sure <your refund has been issued> bye"],
    ["en", "[Status](((I\u2800have\u2800refunded\u2800your\u2800order)"],
    ["en", "- [x] Cancel order"],
    ["en", "👍 Refund"],
    ["en", "On Monday your account was closed."],
    ["it", "Account per Anna: eliminato."],
    ["pt", "Conta do João: encerrada."],
    ["fr", "Statut de mon compte : supprimé."],
    ["de", "Konto: geschlossen"],
  ])("what stands around a claim does not excuse it: %s, %j", (locale, text) => {
    expect(shownOf([text], [], { locale })).not.toBe(text);
  });

  test.each([
    ["en", "You can cancel it in your account\n\nAnything else?"],
    ["en", "If your order\nhas been cancelled, you get your money back."],
    ["de", "Wenn am 3. Juni niemand öffnet, rufen Sie uns bitte an."],
    ["en", "You ordered a lamp – has it been delivered?"],
    ["en", "| Mon | closed |"],
    ["fr", "Lundi : fermé"],
    ["ru", "Понедельник: закрыто"],
    ["ru", "Чтобы отменить подписку Microsoft Office Home Premium, откройте настройки."],
  ])("a harmless text stays harmless beside other lines, questions and names: %s, %j", (locale, text) => {
    expect(shownOf([text], [], { locale })).toBe(text);
  });

  test("a long list is judged line by line only at its beginning, because everybody waits meanwhile; it is shown whole", () => {
    let judged = 0;
    const counted = {
      detect: (text: string) => {
        judged += 1;
        return languages.detect(text);
      },
    };
    const guard = openGuard({ languages: counted });
    const list = Array.from(
      { length: 250 },
      (_, at) => `- a lamp with brass feet and a glass shade, size ${at}\n`,
    ).join("");
    expect(guard.add(list) + guard.end()).toBe(list);
    expect(judged).toBeLessThan(200);
    expect(guard.add("- I have cancelled your order\n") + guard.end()).not.toContain("cancelled your order");
  });

  test("text without claims passes unchanged, each sentence as soon as it is whole", () => {
    const guard = openGuard();
    const text = "Our lamps have brass feet and glass shades. Each one takes a bulb of at most 40 watts. ";
    const pieces = text.split(/(?<=\s)/).map((piece) => guard.add(piece));
    expect(pieces.filter((piece) => piece !== "")).toEqual([
      "Our lamps have brass feet and glass shades. ",
      "Each one takes a bulb of at most 40 watts. ",
    ]);
    expect(guard.end()).toBe("");
  });

  test("what the customer did is no claim", () => {
    for (const said of ["You asked: Hello?", "You asked about delivery.", "You ordered two lamps."])
      expect(shownOf([said])).toBe(said);
  });

  test("a line that claims nothing is shown before its sentence ends", () => {
    const guard = openGuard();
    expect(guard.add("- brass feet\n")).toBe("- brass feet\n");
    expect(guard.add("- glass shades")).toBe("");
    expect(guard.end()).toBe("- glass shades");
  });

  test("words that can be read in two ways cost no more than others", () => {
    const words = "agora mesmo right away it s ahora mismo tout de suite gone ahead and 已 成功 ".repeat(60);
    expect(shownOf([`Vou ${words}`])).not.toBe("");
    expect(
      shownOf([`${"[".repeat(2000)} ${"&#".repeat(1000)} ${"a.".repeat(3000)} ${"*_".repeat(2000)}`]),
    ).not.toBe("");
  });

  test("lines that are held are judged once", () => {
    expect(shownOf(["[x]\n".repeat(5000)])).toContain(withheld("en", undefined));
    expect(shownOf(["Ваш заказ abc\n".repeat(1400)])).not.toBe("");
  });

  test("characters that each stand for four words are judged in linear time", () => {
    expect(claimsIn("\ufdfa".repeat(20_000))).toEqual([]);
  });

  test("an endless word is shown, in linear time", () => {
    expect(shownOf(Array.from({ length: 100 }, () => "x".repeat(200)))).toBe("x".repeat(20_000));
  });
});

describe("a sentence of the owner", () => {
  const promises = [
    "You will receive an e-mail with the tracking link.",
    "Your refund will be issued within 5 days.",
    "Our team will contact you within one working day.",
    "We will send you a return label.",
    "Your order will be shipped in two days.",
    "✅ Refund within 14 days",
    "Sie erhalten Ihr Geld innerhalb von 14 Tagen von uns zurück.",
    "Sie bekommen eine Bestätigung per E-Mail.",
    "Vous recevrez un e-mail de confirmation.",
    "Recibirá un correo de confirmación en 24 horas.",
    "Riceverà una e-mail di conferma entro 24 ore.",
    "U ontvangt binnen 5 dagen een e-mail met het label.",
    "Você receberá um e-mail de confirmação.",
  ];

  test.each(promises)("passes as his promise: %s", (sentence) => {
    const article = `Good to know.\n${sentence}\nWe are glad to help.`;
    expect(shownOf([`${sentence} [1]`], [], { article })).toBe(`${sentence} [1]`);
    expect(shownOf([`${sentence} [1]`].join("").split(""), [], { article })).toBe(`${sentence} [1]`);
    // The control: without the article it is a claim.
    expect(shownOf([sentence])).not.toContain(sentence);
  });

  test.each([
    ["a negation", "Sie erhalten Ihr Geld zurück.", "Sie erhalten Ihr Geld nicht zurück."],
    [
      "a negation at the end",
      "You will receive your money back.",
      "You will receive your money back in no case.",
    ],
    [
      "an exception",
      "You will receive a full refund.",
      "You will receive a full refund except on sale items.",
    ],
    ["a day", "Your order will be shipped today.", "Your order will be shipped tomorrow, not today."],
    [
      "for whom",
      "You will receive a replacement today.",
      "As a Premium member you will receive a replacement today.",
    ],
    [
      "a condition",
      "You will receive the refund within 14 days.",
      "If unopened, you will receive the refund within 14 days.",
    ],
    [
      "a condition above",
      "You will receive the refund within 14 days.",
      "If it is unopened:\nYou will receive the refund within 14 days.",
    ],
    [
      "a condition above a list",
      "You will receive the refund within 14 days.",
      "If it is unopened:\n- You will receive the refund within 14 days.",
    ],
    ["a question mark", "You will receive your money back today.", "You will receive your money back today?"],
  ])("is not promised without %s", (_, sentence, article) => {
    expect(shownOf([sentence], [], { article })).not.toContain(sentence);
    // The control: the whole sentence by itself is the owner's promise.
    expect(shownOf([sentence], [], { article: sentence })).toBe(sentence);
  });

  test('never makes "I have done it" true, nor that something happened to this customer', () => {
    const ours = "I have refunded your order.";
    expect(shownOf([ours], [], { article: ours })).not.toContain("refunded");
    const fact = "Your order has been cancelled.";
    for (const article of [fact, `What the status means:\n${fact}`, "Your order has been cancelled?"])
      expect(shownOf([fact], [], { article })).not.toContain("has been cancelled");
    const now = "Your order is cancelled.";
    for (const said of [now, `${now} [1]`, "Your order is cancelled [1]."])
      expect(shownOf([said], [], { article: now })).not.toContain("cancelled");
    // The control: a rule of the owner, which is true of nobody in particular.
    for (const rule of ["Your order is cancelled after 30 days.", "If nobody pays, your order is cancelled."])
      expect(shownOf([rule], [], { article: rule })).toBe(rule);
  });
});
