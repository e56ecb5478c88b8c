import { globSync, readFileSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { MadePassage } from "../../../shared/answer-made.ts";
import type { Message } from "../../../shared/message.ts";
import type { Citation } from "../../../shared/message-kinds/citations.ts";
import { questionOf } from "../../testing/agents.ts";
import type { Agent, AgentEvent } from "../agent.ts";
import { createKnowledgeAgent } from "./knowledge.ts";
import sentences from "./knowledge-sentences.json" with { type: "json" };
import { ENGLISH, leftOut, sentencesFor } from "./knowledge-texts.ts";
import { readArticleFiles } from "./sources/article-folder.ts";
import { OFF_TOPIC, QUESTIONS, SHARED_WORDS } from "./testing/knowledge-questions.ts";

const DEMO = join(import.meta.dirname, "../../../demo/articles");
/** The one sentence that the agent puts around its quotes. */
const LEFT_OUT = /^\*Showing \d+ of \d+\. Read the full article for the rest\.\*$/;
let agent: Agent;

beforeAll(async () => {
  agent = await createKnowledgeAgent({ directory: DEMO, baseUrl: "https://shop.example" });
});

describe("answers", () => {
  it("AGENT1 nine in ten questions are answered from the right article, nearly all others by offering it", async () => {
    const unlike: Record<"offered" | "missed" | "wrong", string[]> = { offered: [], missed: [], wrong: [] };
    for (const [text, article] of QUESTIONS) {
      const { citations, choices } = await ask(agent, text);
      const [first] = citations;
      if (first?.citationId === article) continue;
      if (first) unlike.wrong.push(text);
      else unlike[choices.some(({ id }) => id === article) ? "offered" : "missed"].push(text);
    }
    expect(unlike.wrong).toEqual([]);
    expect(unlike.missed.length, unlike.missed.join("; ")).toBeLessThanOrEqual(1);
    expect(unlike.offered.length, unlike.offered.join("; ")).toBeLessThanOrEqual(QUESTIONS.length / 10);
  });

  it.each(OFF_TOPIC)("AGENT2 %s finds nothing and says so", async (text) => {
    const answer = await ask(agent, text);
    expect(answer).toMatchObject({ foundNothing: true, citations: [] });
    expect(answer.text.split("\n\n")[0]).toBe(ENGLISH.nothingFound);
    expect(answer.text.endsWith(ENGLISH.nearest)).toBe(answer.choices.length > 1);
  });

  it.each(SHARED_WORDS)("AGENT2 %s is quoted nothing, though an article shares a word", async (text) => {
    const answer = await ask(agent, text);
    expect(answer).toMatchObject({ citations: [], suggestsPerson: !answer.foundNothing });
    expect([ENGLISH.nothingFound, ENGLISH.offered]).toContain(answer.text.split("\n\n")[0]);
  });

  it("DESK18 reports where each passage is, how likely it answers, and why nothing is quoted", async () => {
    const report = async (text: string) => {
      const events: AgentEvent[] = [];
      for await (const event of agent.answer(questionOf(text), new AbortController().signal))
        if (event.type === "passage" || event.type === "no.quote") events.push(event);
      return events;
    };
    const quoted = await report("How long does delivery take?");
    expect(quoted[0]).toMatchObject({
      passage: { file: join(DEMO, "shipping.md"), heading: expect.any(String), use: "quoted" },
    });
    expect(quoted.length).toBeLessThanOrEqual(5);
    for (const event of quoted)
      expect(event.type === "passage" && MadePassage.safeParse(event.passage).success).toBe(true);
    const unsure = await report("Can I pay my return by card?");
    expect(unsure.at(-1)).toEqual({ type: "no.quote", reason: "unsure", folder: DEMO });
    expect(unsure.filter((event) => event.type === "passage" && event.passage.use === "offered")).not.toEqual(
      [],
    );
    expect((await report(OFF_TOPIC[0] ?? "")).at(-1)).toMatchObject({ reason: "nothing_near", folder: DEMO });
    expect(await report("thanks")).toEqual([{ type: "no.quote", reason: "fixed" }]);
  });

  it("AGENT1 an unsure answer offers up to three titles and a person, and a pressed title is quoted", async () => {
    const text = "Can I pay my return by card?";
    const { choices, citations, suggestsPerson } = await ask(agent, text);
    expect({ citations, suggestsPerson }).toEqual({ citations: [], suggestsPerson: true });
    expect(choices.length).toBeLessThanOrEqual(3);
    const payment = choices.find(({ id }) => id === "payment");
    expect(payment).toEqual({ id: "payment", label: "Payment methods", send: "Payment methods" });
    const messages = [
      message(1, "customer", text),
      { ...message(2, "agent", ENGLISH.offered), choices },
      message(3, "customer", "Payment methods"),
    ];
    const pressed = await ask(agent, "Payment methods", messages);
    expect(pressed.citations.map(({ citationId }) => citationId)).toEqual(["payment"]);
    expect(pressed.text).toContain("Visa, Mastercard");
  });

  it("AGENT2 below the words that nothing was found stand the nearest titles, and a pressed one is quoted", async () => {
    const text = "What is the capital of France?";
    const { text: said, choices, foundNothing } = await ask(agent, text);
    expect(said).toBe(`${ENGLISH.nothingFound}\n\n${ENGLISH.nearest}`);
    expect(foundNothing).toBe(true);
    const delivery = choices.find(({ id }) => id === "shipping") ?? expect.unreachable();
    const messages = [
      message(1, "customer", text),
      { ...message(2, "agent", said), choices, notice: "agent_found_nothing" as const },
      message(3, "customer", delivery.label),
    ];
    const pressed = await ask(agent, delivery.label, messages);
    expect(pressed.citations.map(({ citationId }) => citationId)).toEqual(["shipping"]);
  });

  it("every quoted line appears in a cited article, word for word", async () => {
    const articles = new Map<string, string>();
    for (const file of (await readArticleFiles(DEMO)).files) {
      articles.set(file.path.replace(".md", ""), plainOf(await readFile(join(DEMO, file.path), "utf8")));
    }
    for (const [text] of QUESTIONS) {
      const { text: said, citations } = await ask(agent, text);
      if (citations.length === 0) continue;
      expect(said.startsWith(`${ENGLISH.frame}\n\n`)).toBe(true);
      const sources = citations.map(({ citationId }) => articles.get(citationId) ?? "").join("\n");
      for (const piece of quotedPieces(said)) expect(sources).toContain(piece);
    }
  });

  it("a sentence that is not from the articles is detected (control)", () => {
    const article = plainOf("We refund **within 5 days**.");
    expect(
      quotedPieces(`${ENGLISH.frame}\n\nWe refund **within 9 days**.`).every((p) => article.includes(p)),
    ).toBe(false);
  });

  it("one to three passages are quoted, with title, link and excerpt of their article", async () => {
    for (const [text] of QUESTIONS) {
      const { text: said, citations } = await ask(agent, text);
      if (citations.length === 0) continue;
      const passages = said
        .split("\n\n")
        .slice(1)
        .filter((passage) => !/^\*\*[^*]+\*\*$/.test(passage) && !LEFT_OUT.test(passage));
      expect(passages.length).toBeGreaterThanOrEqual(1);
      expect(passages.length).toBeLessThanOrEqual(3);
      for (const citation of citations) {
        expect(citation.url).toMatch(/^https:\/\/shop\.example\/help\//);
        expect(citation.title.length).toBeGreaterThan(3);
        expect(citation.excerpt?.length ?? 0).toBeLessThanOrEqual(300);
      }
    }
  });

  it("a table row is chosen by the word that distinguishes it", async () => {
    const { text } = await ask(agent, "How much is delivery to Ireland?");
    expect(text).toContain("| **Ireland** | Republic of Ireland |");
    expect(text).not.toContain("Express");
  });

  it("a question that names no subject is about the previous question", async () => {
    const messages = [
      message(1, "customer", "How do I return a lamp?"),
      message(2, "agent", "…"),
      message(3, "customer", "And how long does it take?"),
    ];
    expect((await ask(agent, "And how long does it take?", messages)).foundNothing).toBe(false);
    expect((await ask(agent, "And how long does it take?")).foundNothing).toBe(true);
    for (const text of ["Who won the world cup?", "Tell me a joke"]) {
      const strayed = [...messages.slice(0, 2), message(3, "customer", text)];
      expect((await ask(agent, text, strayed)).citations).toEqual([]);
    }
  });

  it("a greeting and a thank-you get a fixed polite answer without a source", async () => {
    for (const text of ["hi", "Hello!", "good morning", "Hey there 👋"]) {
      expect(await ask(agent, text)).toMatchObject({
        text: ENGLISH.greeting,
        foundNothing: false,
        citations: [],
      });
    }
    for (const text of ["thanks", "Thank you so much!", "Great, thanks"]) {
      expect((await ask(agent, text)).text).toBe(ENGLISH.welcome);
    }
    expect((await ask(agent, "hi, where is my order?")).citations[0]?.citationId).toBe("order-tracking");
  });

  it.each([
    ["Are you a robot?", "en", "robot"],
    ["am I talking to a real person", "en", "robot"],
    ["This is ridiculous!", "en", "sorry"],
    ["That doesn't help", "en", "sorry"],
    ["Worst shop ever!!", "en", "sorry"],
    ["I am so disappointed", "en", "sorry"],
    ["thanks for nothing", "en", "sorry"],
    ["You didn't answer my question", "en", "sorry"],
    ["That's not what I asked!", "en", "sorry"],
    ["this is the third time I'm asking", "en", "sorry"],
    ["nobody answers my emails", "en", "sorry"],
    ["Sie haben meine Frage nicht beantwortet", "de", "sorry"],
    ["Das ist jetzt schon das dritte Mal, dass ich frage", "de", "sorry"],
    ["Ce n'est pas ma question", "fr", "sorry"],
    ["Nadie me responde", "es", "sorry"],
    ["Non è quello che ho chiesto", "it", "sorry"],
    ["Ninguém me responde", "pt", "sorry"],
    ["Dat is niet wat ik vroeg", "nl", "sorry"],
    ["Nie o to pytałem", "pl", "sorry"],
    ["Вы не ответили на мой вопрос", "ru", "sorry"],
    ["Soruma cevap vermediniz", "tr", "sorry"],
    ["你没有回答我的问题", "zh", "sorry"],
    ["質問に答えていません", "ja", "sorry"],
    ["لم تجب على سؤالي", "ar", "sorry"],
    ["ok bye", "en", "goodbye"],
    ["this did not help", "en", "sorry"],
    ["thanks, but that did not help", "en", "sorry"],
    ["thanks a lot, that helped!", "en", "welcome"],
    ["Thank you very much for your quick reply!", "en", "welcome"],
    ["Danke dir", "de", "welcome"],
    ["Vielen Dank für Ihre Hilfe", "de", "welcome"],
    ["Merci pour votre aide", "fr", "welcome"],
    ["Muchas gracias por su ayuda", "es", "welcome"],
    ["Grazie per l'aiuto", "it", "welcome"],
    ["Obrigada pela ajuda", "pt", "welcome"],
    ["Bedankt voor je hulp", "nl", "welcome"],
    ["hello hello hello", "en", "greeting"],
    ["Hi, how are you?", "en", "mood"],
    ["ok", "en", "noted"],
    ["yes", "en", "noted"],
    ["good", "en", "noted"],
    ["ok", "ja", "noted"],
    ["Danke, tschüss", "de", "goodbye"],
    ["wie geht's?", "de", "mood"],
    ["Scheißladen!", "de", "sorry"],
    ["merci au revoir", "fr", "goodbye"],
    ["C'est nul, vous êtes des voleurs", "fr", "sorry"],
    ["¿Cómo estás?", "es", "mood"],
    ["Как дела?", "ru", "mood"],
    ["好的，谢谢", "zh", "welcome"],
    ["Bist du ein Mensch?", "de", "robot"],
    ["Das ist eine Frechheit!", "de", "sorry"],
    ["Auf Wiedersehen", "de", "goodbye"],
    ["Êtes-vous un robot ?", "fr", "robot"],
    ["Estoy muy enfadado", "es", "sorry"],
    ["Вы робот?", "ru", "robot"],
    ["До свидания", "ru", "goodbye"],
    ["Siz robot musunuz?", "tr", "robot"],
    ["你是机器人吗？", "zh", "robot"],
    ["ロボットですか？", "ja", "robot"],
    ["هل أنت روبوت؟", "ar", "robot"],
  ] as const)(
    "LANG8 %s is answered in its language (%s), honestly and without an article",
    async (text, language, kind) => {
      const { text: said, citations, suggestsPerson } = await ask(agent, text, [], language);
      expect(said).toBe(sentencesFor(language)[kind]);
      expect({ citations, suggestsPerson }).toEqual({
        citations: [],
        suggestsPerson: kind === "sorry" || kind === "robot",
      });
    },
  );

  it.each([
    ["I need help", "en"],
    ["Hi, can you help me please?", "en"],
    ["Hello, I've got a question", "en"],
    ["Is anyone there?", "en"],
    ["Thanks, one more question please", "en"],
    ["Können Sie mir helfen?", "de"],
    ["Ich hab mal ne Frage", "de"],
    ["Bonjour, j'ai une question", "fr"],
    ["¿Me puede ayudar, por favor?", "es"],
    ["Ho bisogno di aiuto", "it"],
    ["Você pode me ajudar?", "pt"],
    ["Kunt u mij helpen?", "nl"],
    ["Mam pytanie", "pl"],
    ["Помогите, пожалуйста", "ru"],
    ["Yardımcı olur musunuz?", "tr"],
    ["我有一个问题", "zh"],
    ["質問があります", "ja"],
    ["لدي سؤال", "ar"],
  ])(
    "LANG8 %s asks for help without a subject, and is asked for it in its language (%s)",
    async (text, language) => {
      const { text: said, foundNothing, suggestsPerson } = await ask(agent, text, [], language);
      expect({ said, foundNothing, suggestsPerson }).toEqual({
        said: sentencesFor(language).greeting,
        foundNothing: false,
        suggestsPerson: true,
      });
    },
  );

  it.each([
    ["Thanks, one more question please", "en"],
    ["Is anyone there?", "en"],
    ["Ich hätte noch eine Frage", "de"],
    ["J'aurais une autre question", "fr"],
    ["Ещё один вопрос", "ru"],
  ])("LANG8 %s after a question is about the next one (%s)", async (text, language) => {
    const before = [message(1, "customer", "How long does delivery take?"), message(2, "customer", text)];
    const { text: said, citations } = await ask(agent, text, before, language);
    expect({ said, citations }).toEqual({ said: sentencesFor(language).greeting, citations: [] });
  });

  it("LANG8 a call for help after a question is about that question", async () => {
    const helpAfter = (body: string) =>
      ask(agent, "can you help me?", [
        message(1, "customer", body),
        message(2, "customer", "can you help me?"),
      ]);
    expect((await helpAfter("My lamp arrived broken")).choices[0]).toMatchObject({ id: "damaged-items" });
    expect((await helpAfter("hi")).text).toBe(ENGLISH.greeting);
  });

  it.each([
    [
      "How long does delivery take? this is ridiculous, I'm furious",
      "en",
      "I'm sorry this is so frustrating.",
    ],
    ["This is ridiculous, how long does delivery take?", "de", "I'm sorry this is so frustrating."],
    [
      "Das ist eine Frechheit! How long does delivery take?",
      "de",
      "Es tut mir leid, dass das so ärgerlich ist.",
    ],
    ["C'est nul. How long does delivery take?", "fr", "Je suis désolé que ce soit si pénible."],
    ["Estoy furioso, how long does delivery take?", "es", "Siento que esto sea tan frustrante."],
    ["Sono furioso. How long does delivery take?", "it", "Mi dispiace che sia così frustrante."],
    ["Isto é ridículo. How long does delivery take?", "pt", "Lamento que isto seja tão frustrante."],
    ["Dit is belachelijk. How long does delivery take?", "nl", "Het spijt me dat dit zo vervelend is."],
    ["To jest skandal. How long does delivery take?", "pl", "Przykro mi, że to takie irytujące."],
    ["Это ужасно! How long does delivery take?", "ru", "Мне жаль, что всё так неприятно."],
    ["Bu rezalet! How long does delivery take?", "tr", "Bunun bu kadar can sıkıcı olmasına üzüldüm."],
    ["太过分了！How long does delivery take?", "zh", "很抱歉让您这么不愉快。"],
    ["最悪です。How long does delivery take?", "ja", "ご不快な思いをさせて申し訳ありません。"],
    ["هذا سخيف، How long does delivery take?", "ar", "يؤسفني أن الأمر مزعج إلى هذا الحد."],
  ])("LANG8 %s is answered as without the anger, after a word of sorry", async (text, locale, sorry) => {
    const plain = await ask(agent, "How long does delivery take?", [], locale);
    expect(plain.citations).not.toEqual([]);
    const angry = await ask(agent, text, [], locale);
    expect(angry).toEqual({ ...plain, text: `${sorry}\n\n${plain.text}` });
  });

  it("LANG8 a word of sorry is also said where nothing is found", async () => {
    const { text } = await ask(agent, "I am furious. Zebra crossings?");
    expect(text.split("\n\n").slice(0, 2)).toEqual([
      "I'm sorry this is so frustrating.",
      ENGLISH.nothingFound,
    ]);
  });

  it.each([
    "Si no me sirve, how long does delivery take?",
    "Is it normal that it is useless? How long does delivery take?",
  ])("LANG8 words of anger that are only a part of a clause are no anger: %s", async (text) => {
    expect((await ask(agent, text, [], "en")).text).not.toContain("sorry");
    expect((await ask(agent, text, [], "es")).text).not.toContain("Siento");
  });

  it("LANG8 a message of many short sentences takes no time that grows with their square", async () => {
    expect((await ask(agent, "zu. ".repeat(100_000))).foundNothing).toBe(true);
  });

  it("LANG8 a question that only begins like small talk is searched", async () => {
    for (const text of [
      "Is this a real wool rug?",
      "This is ridiculous, where is my refund?",
      "ok, and how long does a refund take?",
      "This is not what I wanted",
    ]) {
      const { text: said } = await ask(agent, text);
      expect([ENGLISH.robot, ENGLISH.sorry, ENGLISH.noted]).not.toContain(said);
    }
  });

  it("AGENT4 a message that has only files is answered with what can be done", async () => {
    const expected = { text: ENGLISH.filesUnread, suggestsPerson: true, foundNothing: false, citations: [] };
    expect(await ask(agent, "")).toMatchObject(expected);
  });

  it.each([
    ["Yes please!", "en"],
    ["yes", "en"],
    ["Sure, thanks", "en"],
    ["Ja, gerne", "de"],
    ["Oui, s'il vous plaît", "fr"],
    ["Sí, por favor", "es"],
    ["Sì, grazie", "it"],
    ["Sim, por favor", "pt"],
    ["Ja graag", "nl"],
    ["Tak, poproszę", "pl"],
    ["Да, пожалуйста", "ru"],
    ["Evet, lütfen", "tr"],
    ["好的，谢谢", "zh"],
    ["はい、お願いします", "ja"],
    ["نعم من فضلك", "ar"],
  ])("AGENT4 %s after the offer of a person asks for one, in its language (%s)", async (text, language) => {
    const sentences = sentencesFor(language);
    const replyTo = (answer: string) =>
      ask(
        agent,
        text,
        [message(1, "customer", "Zebras?"), message(2, "agent", answer), message(3, "customer", text)],
        language,
      );
    const asked = { text: sentences.personOffered, suggestsPerson: true, citations: [] };
    expect(await replyTo(sentences.nothingFound)).toMatchObject(asked);
    expect(await replyTo(`${sentences.nothingFound}\n\n${sentences.nearest}`)).toMatchObject(asked);
    expect((await replyTo("Delivery takes three days.")).text).not.toBe(sentences.personOffered);
  });

  it.each(["no", "No thanks", "ok", "yes, how long does delivery take?", "please cancel my order"])(
    "AGENT4 %s after the offer of a person does not ask for one",
    async (text) => {
      const messages = [message(1, "agent", ENGLISH.nothingFound), message(2, "customer", text)];
      expect((await ask(agent, text, messages)).text).not.toBe(ENGLISH.personOffered);
    },
  );

  it("AGENT4 a request for a person is answered with the offer of one, and with no article", async () => {
    for (const [text, language] of [
      ["I want to speak to a human please", "en"],
      ["agent", "en"],
      ["Das hilft nicht. Ich brauche einen Menschen.", "de"],
    ] as const) {
      const answer = await ask(agent, text);
      const personOffered = sentencesFor(language).personOffered;
      expect(answer).toMatchObject({ text: personOffered, suggestsPerson: true, citations: [] });
      expect(answer.foundNothing).toBe(false);
    }
    expect((await ask(agent, "Where is my order?")).suggestsPerson).toBe(false);
  });

  it("AGENT4 the second miss in a row offers a person instead of another attempt", async () => {
    const missed = (notice: Message["notice"]) => [
      message(1, "customer", "fhqwhgads"),
      { ...message(2, "agent", ENGLISH.nothingFound), ...(notice ? { notice } : {}) },
      message(3, "customer", "Tell me a joke"),
    ];
    const again = await ask(agent, "Tell me a joke", missed("agent_found_nothing"));
    expect(again).toMatchObject({ text: ENGLISH.nothingFoundAgain, foundNothing: true });
    expect((await ask(agent, "Tell me a joke", missed(undefined))).text).toBe(ENGLISH.nothingFound);
  });

  it("a question that names no subject is about what the agent or a person named", async () => {
    for (const role of ["agent", "human"] as const) {
      const said = message(1, role, "Is it about your refund?");
      const { citations } = await ask(agent, "And how long?", [
        said,
        message(2, "customer", "And how long?"),
      ]);
      expect(citations.map(({ citationId }) => citationId)).toEqual(["refunds"]);
    }
  });
});

describe("the agent's own sentences", () => {
  const inLocale = (text: string, locale: string | undefined) => ask(agent, text, [], locale);

  it("LANG8 are in the language of the session", async () => {
    expect((await inLocale("Wer gewann die WM?", "de-AT")).text).toMatch(/^Dazu habe ich .* nichts gefunden/);
    expect((await inLocale("Tell me a joke", "sv")).text).toMatch(/hittade/);
    expect((await inLocale("Tell me a joke", "zh-Hant-HK")).text).toContain("說明文章");
    expect((await inLocale("Obrigado", "pt-BR")).text).toBe(
      "De nada! Estou aqui se você tiver outra pergunta.",
    );
    expect((await inLocale("Hablar con un agente", "es-MX")).text).toContain("presione el botón");
    expect((await inLocale("Tell me a joke", "tlh")).text).toBe(ENGLISH.nothingFound);
    expect((await inLocale("Tell me a joke", undefined)).text).toBe(ENGLISH.nothingFound);
    expect((await inLocale("how long does a refund take", "fr")).text).toMatch(/^Voici ce que disent/);
  });

  it("LANG8 a quote has no English frame in a language without its own frame", async () => {
    const english = (await inLocale("how long does a refund take", "en")).text;
    const finnish = (await inLocale("how long does a refund take", "fi")).text;
    expect(`${ENGLISH.frame}\n\n${finnish}`).toBe(english);
  });

  it("LANG8 greetings, thanks and requests for a person are answered in the language they are in", async () => {
    expect((await inLocale("Bonjour !", "en")).text).toBe(sentencesFor("fr").greeting);
    expect((await inLocale("Спасибо!", "en")).text).toBe(sentencesFor("ru").welcome);
    expect((await inLocale("你好", "zh-TW")).text).toBe(sentencesFor("zh-TW").greeting);
    expect((await inLocale("agent", "fr")).text).toBe(sentencesFor("fr").personOffered);
    expect((await inLocale("我要找真人", "en")).text).toBe(sentencesFor("zh").personOffered);
  });

  it("LANG8 words that are small talk in several languages are first read in the session's", async () => {
    // Germans say goodbye so.
    expect((await inLocale("Ciao!", "it")).text).toBe(sentencesFor("it").greeting);
    expect((await inLocale("Ciao!", "de")).text).toBe(sentencesFor("de").goodbye);
  });

  it("LANG8 a single word is answered in a session's language whose small talk is not known", async () => {
    // The words are Polish, Spanish and Russian too.
    expect((await inLocale("Hej!", "sv")).text).toBe(sentencesFor("sv").greeting);
    expect((await inLocale("tak", "da-DK")).text).toBe(sentencesFor("da").greeting);
    expect((await inLocale("Hola, hola", "ca")).text).toBe(sentencesFor("ca").greeting);
    expect((await inLocale("да", "bg")).text).toBe(sentencesFor("bg").greeting);
    expect((await inLocale("Operator", "cs")).text).toBe(sentencesFor("cs").personOffered);
    // These tell their language.
    expect((await inLocale("Are you a robot?", "sv")).text).toBe(ENGLISH.robot);
    expect((await inLocale("مرحبا", "sv")).text).toBe(sentencesFor("ar").greeting);
    expect((await inLocale("Scheiße", "sv")).text).toBe(sentencesFor("de").sorry);
    expect((await inLocale("Hej!", "en")).text).toBe(sentencesFor("pl").greeting);
  });

  it("LANG8 begin with no Latin letter in a language from right to left, whose direction it would turn", () => {
    const all = ["ar", "fa", "he", "ur"].flatMap((language) => Object.values(sentencesFor(language)));
    expect(all.filter((text) => /^\P{L}*\p{Script=Latin}/u.test(text) && !text.startsWith("{"))).toEqual([]);
  });

  it("LANG8 have no key that nobody says", () => {
    const keys = new Set(Object.values(sentences).flatMap((one) => Object.keys(one)));
    expect(keys).toEqual(new Set(Object.keys(ENGLISH)));
    const code = ["knowledge.ts", "knowledge-texts.ts", "small-talk.ts", "fixed-answer.ts"]
      .map((file) => readFileSync(join(import.meta.dirname, file), "utf8"))
      // The interface names every key, whether or not it is said.
      .map((text) => text.replace(/interface [^}]*}/, ""))
      .join("");
    expect([...keys].filter((key) => !new RegExp(`\\b${key}\\b`).test(code))).toEqual([]);
  });

  it("LANG8 exist in every language of the panel, with the places for numbers", () => {
    const files = globSync("*.json", { cwd: join(import.meta.dirname, "../../../widget/app/locales") });
    const languages = files.map((file) => file.replace(".json", ""));
    expect(languages.length).toBeGreaterThan(60);
    const untranslated = languages.filter(
      (language) => sentencesFor(language).nothingFound === ENGLISH.nothingFound,
    );
    expect(untranslated).toEqual([]);
    for (const { part } of languages.map((language) => sentencesFor(language))) {
      if (part !== undefined) expect(leftOut(3, 9, { ...ENGLISH, part })).toMatch(/(3.*9|9.*3)/);
    }
  });
});

describe("an answer", () => {
  it("an answer arrives in one piece", async () => {
    const types: string[] = [];
    for await (const event of agent.answer(questionOf("How do returns work?"), live()))
      types.push(event.type);
    expect(types.filter((type) => type === "delta")).toHaveLength(1);
  });

  it("after an abort the answer throws and says nothing", async () => {
    const answer = agent.answer(questionOf("How do returns work?"), AbortSignal.abort());
    await expect(answer[Symbol.asyncIterator]().next()).rejects.toThrow("aborted");
  });

  it("the time to answer does not grow with the length of the question", async () => {
    const answer = await ask(agent, `${"word ".repeat(900)}refund`);
    expect(answer.foundNothing).toBe(true);
    expect((await ask(agent, `where is my refund? ${"a".repeat(4000)}`)).citations[0]?.citationId).toBe(
      "refunds",
    );
  });
});

function message(seq: number, role: Message["role"], body: string): Message {
  return { id: `m${seq}`, seq, role, body, at: "2026-01-01T00:00:00.000Z" };
}

function live(): AbortSignal {
  return new AbortController().signal;
}

async function ask(
  who: Agent,
  text: string,
  messages: readonly Message[] = [],
  locale: string | undefined = "en",
) {
  let said = "";
  let foundNothing = false;
  const citations: Citation[] = [];
  let suggestsPerson = false;
  const choices: { id: string; label: string; send: string }[] = [];
  for await (const event of who.answer(questionOf(text, { messages, locale }), live())) {
    if (event.type === "delta") said += event.text;
    else if (event.type === "citation") citations.push(event.citation);
    else if (event.type === "choice" && "send" in event.choice) choices.push(event.choice);
    else if (event.type === "handoff.suggested") suggestsPerson = true;
    else if (event.type === "nothing.found") foundNothing = true;
  }
  return { text: said, citations, choices, suggestsPerson, foundNothing };
}

/** The text without Markdown, by the test's own rules: no marks, no link targets, no table signs. */
function plainOf(markdown: string): string {
  return markdown
    .replace(/\[([^\]]*)\]\([^)]*\)/g, "$1")
    .replace(/[*`]/g, "")
    .replace(/\s+/g, " ");
}

/** The quoted pieces of an answer, each of which must be in an article: sentences, items, cells. */
function quotedPieces(said: string): string[] {
  const lines = said
    .replace(ENGLISH.frame, "")
    .split("\n")
    .filter((line) => !LEFT_OUT.test(line));
  return lines.flatMap((line) => {
    if (!line.startsWith("| ")) return [plainOf(line.replace(/^(?:- |\d+\. )/, "")).trim()];
    const cells = line
      .slice(1, -1)
      .split("|")
      .map((cell) => plainOf(cell).trim());
    return cells.filter((cell) => !/^-+$/.test(cell));
  });
}
