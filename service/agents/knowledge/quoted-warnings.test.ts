import { describe, expect, test } from "vitest";
import { type Passage, parseArticle } from "./article.ts";
import { foundSections } from "./found-sections.ts";
import { createPassageSearch } from "./passages.ts";
import { chooseQuotes } from "./quote.ts";

/** What is quoted to `question` of a single article, which has these sections. */
function quoted(question: string, ...sections: readonly (readonly [heading: string, text: string])[]) {
  const text = ["# T", ...sections.map(([heading, content]) => `## ${heading}\n\n${content}`)].join("\n\n");
  const found = createPassageSearch([parseArticle("a.md", text)]).find({ text: question });
  const [first] = found.passages;
  if (!first) throw new Error(`Nothing was found for "${question}".`);
  const best = { ...first, also: [] };
  return chooseQuotes(foundSections(best, found))
    .flatMap(({ passages }) => passages)
    .join("\n\n");
}

describe("a warning in another section of the article", () => {
  /** Language, question, heading and text that answer, a warning about it, and a sentence that warns of nothing. */
  test.each([
    [
      "en",
      "How do I rinse it?",
      ["Rinsing", "You can rinse the filter with water when it is full."],
      "Never put the filter back while it is wet.",
      "The filter is made in our own factory in the north.",
    ],
    [
      "de",
      "Wie spüle ich ihn?",
      ["Spülen", "Sie können den Filter mit Wasser spülen, wenn er voll ist."],
      "Setzen Sie den Filter niemals nass ein.",
      "Der Filter ist in unserer eigenen Fabrik im Norden gemacht.",
    ],
    [
      "fr",
      "Comment rincer ?",
      ["Rincer", "Vous pouvez rincer le filtre avec de l'eau quand il est plein."],
      "Ne remettez jamais le filtre quand il est mouillé.",
      "Le filtre est fabriqué dans notre usine du nord.",
    ],
    [
      "es",
      "¿Cómo se enjuaga?",
      ["Cómo se enjuaga", "Puede enjuagar el filtro con agua cuando esté lleno, y así se enjuaga bien."],
      "No coloque nunca el filtro cuando esté mojado.",
      "El filtro se fabrica en nuestra fábrica del norte.",
    ],
    [
      "it",
      "Come si sciacqua?",
      ["Come si sciacqua", "Il filtro si sciacqua con acqua quando è pieno."],
      "Attenzione: il filtro non va rimesso quando è bagnato.",
      "Il filtro è prodotto nella nostra fabbrica del nord.",
    ],
    [
      "pt",
      "Como se lava?",
      ["Como se lava", "O filtro se lava com água quando está cheio."],
      "Nunca coloque o filtro quando ele está molhado.",
      "O filtro é feito na nossa fábrica do norte.",
    ],
    [
      "nl",
      "Hoe spoel ik hem?",
      ["Spoelen", "Je kunt het filter met water spoelen als het vol is. Zo spoel je het goed."],
      "Plaats het filter nooit terug als het nat is.",
      "Het filter is in onze eigen fabriek in het noorden gemaakt.",
    ],
    [
      "pl",
      "Jak wypłukać?",
      ["Jak wypłukać", "Możesz wypłukać filtr wodą, gdy jest pełny."],
      "Nigdy nie wkładaj filtr na mokro.",
      "Nasz filtr powstaje w fabryce na północy.",
    ],
    [
      "ru",
      "Как промыть?",
      ["Как промыть", "Вы можете промыть фильтр водой, когда он заполнен."],
      "Никогда не ставьте фильтр мокрым.",
      "Наш фильтр сделан на нашей фабрике на севере.",
    ],
    [
      "tr",
      "Yıkama nasıl?",
      ["Yıkama", "Filtre dolduğunda onu su ile yıkayabilirsiniz. Yıkama için sabun gerekmez."],
      "Filtre ıslakken onu asla geri takmayın.",
      "Filtre kuzeydeki kendi fabrikamızda yapılır.",
    ],
    [
      "ar",
      "كيف أغسل؟",
      ["أغسل", "يمكنك أن تغسل المرشح بالماء عندما يكون ممتلئا. أغسل المرشح جيدا."],
      "تحذير: لا تضع المرشح وهو مبلل.",
      "المرشح مصنوع في مصنعنا في الشمال.",
    ],
    [
      "zh",
      "怎么冲洗?",
      ["冲洗", "滤网满了以后,可以用清水冲洗滤网。"],
      "滤网未干时切勿装回。",
      "滤网由我们北方的工厂生产。",
    ],
    [
      "ja",
      "洗い方は?",
      ["洗い方", "フィルターがいっぱいになったら、水で洗ってください。"],
      "フィルターがぬれたまま絶対に戻さないでください。",
      "フィルターは北の自社工場で作られています。",
    ],
    [
      "ko",
      "어떻게 씻나요?",
      ["씻기", "필터가 가득 차면 물로 씻나요 하고 물으신다면 그렇습니다. 필터 세척은 쉽습니다."],
      "필터 안이 젖은 채로 절대 끼우지 마십시오.",
      "필터 제조는 북쪽 공장에서 합니다.",
    ],
  ] as const)("AGENT1 is quoted with what it is about: %s", (_language, question, answer, warning, plain) => {
    const said = quoted(question, answer, ["Z", warning]);
    expect(said).toContain(answer[1]);
    expect(said).toContain(warning);
    // The control: a sentence about the same thing that warns of nothing.
    expect(quoted(question, answer, ["Z", plain])).not.toContain(plain);
  });

  test("AGENT1 stays out if it is about something else", () => {
    const answer = ["Rinsing", "You can rinse the filter with water when it is full."] as const;
    const other = "Never pull the cable.";
    expect(quoted("How do I rinse it?", answer, ["Z", other])).not.toContain(other);
  });

  test("AGENT1 at most two are added", () => {
    const answer = ["Rinsing", "You can rinse the filter with water when it is full."] as const;
    const warnings = ["hot", "wet", "torn", "old"].map((word) => `- Never use a ${word} filter.`);
    const said = quoted("How do I rinse it?", answer, ["Z", warnings.join("\n")]);
    expect(said).toContain("- Never use a hot filter.\n- Never use a wet filter.");
    expect(said).not.toContain("torn");
  });
});

test("AGENT1 two parts of one long section are quoted in its order, under one heading", () => {
  const long = (word: string) => `${word} belongs to the filter. ${"It is as long as a page. ".repeat(24)}`;
  const article = `# T\n\n## Parts\n\n${["Alpha", "Beta", "Gamma"].map(long).join("\n\n")}`;
  const found = createPassageSearch([parseArticle("a.md", article)]).find({ text: "gamma filter alpha" });
  const [first] = found.passages;
  if (!first) throw new Error("Nothing was found.");
  const sections = foundSections(first, found);
  expect(sections.length).toBeGreaterThan(1);
  const backwards = sections.sort(
    (one, other) =>
      one.whole.passages.indexOf(other.section.passages[0] as Passage) -
      one.whole.passages.indexOf(one.section.passages[0] as Passage),
  );
  const quotes = chooseQuotes(backwards);
  expect(quotes).toHaveLength(1);
  const said = quotes.flatMap(({ passages }) => passages).join("\n");
  expect(said.match(/\*\*Parts\*\*/g)).toHaveLength(1);
  expect(said.indexOf("Alpha")).toBeGreaterThan(-1);
  expect(said.indexOf("Alpha")).toBeLessThan(said.indexOf("Gamma"));
});

describe("a warning in the quoted section", () => {
  test("AGENT1 is quoted after a long paragraph is cut, with the sentence before it", () => {
    const rinse = Array.from({ length: 5 }, (_, step) => `Rinse the filter for ${step + 2} minutes.`);
    const more = ["It may be hot.", "Some like it so.", "Open the lid.", "It must not touch your skin."];
    const said = quoted("rinse filter minutes", ["Rinsing", [...rinse, ...more].join(" ")]);
    expect(said).toContain(`${rinse.join(" ")} Open the lid. It must not touch your skin.`);
    expect(said).not.toContain("Some like it so.");
  });

  test("AGENT1 is quoted with the sentence that introduces its list", () => {
    const rinse = Array.from({ length: 3 }, (_, step) => `Rinse the filter ${step + 2} times.`);
    const said = quoted("rinse filter times", [
      "Rinsing",
      [...rinse, "Before you start:", "- Warning: the lid is heavy.\n- Wash your hands."].join("\n\n"),
    ]);
    expect(said).toContain("Before you start:\n\n- Warning: the lid is heavy.");
    expect(said).not.toContain("Wash your hands");
  });

  test("AGENT1 is quoted with all steps of its list", () => {
    const rinse = Array.from({ length: 3 }, (_, step) => `Rinse the filter ${step + 2} times.`);
    const said = quoted("rinse filter times", [
      "Rinsing",
      [...rinse, "1. Open it.\n2. Never use force.\n3. Close it."].join("\n\n"),
    ]);
    expect(said).toContain("1. Open it.\n2. Never use force.\n3. Close it.");
  });
});
