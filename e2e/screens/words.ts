import { readFileSync } from "node:fs";
import { en } from "../../widget/app/locales/en.ts";

export type Language = "en" | "ar";

type Names = Readonly<Record<keyof typeof en, string>>;

const sentences = JSON.parse(
  readFileSync(new URL("../../service/agents/knowledge/knowledge-sentences.json", import.meta.url), "utf8"),
) as Readonly<Record<Language, { readonly nothingFound: string }>>;

const arabic = JSON.parse(
  readFileSync(new URL("../../widget/app/locales/ar.json", import.meta.url), "utf8"),
) as Names;

/** The panel's own labels, which the pictures' scripts press. */
export const NAMES: Readonly<Record<Language, Names>> = { en: en as unknown as Names, ar: arabic };

/** The texts of people and the agent in the pictures. */
export interface Words {
  readonly site: string;
  readonly intro: string;
  readonly suggestions: string;
  readonly question: string;
  readonly answer: string;
  readonly source: string;
  readonly excerpt: string;
  readonly streaming: string;
  readonly rich: string;
  readonly thanks: string;
  readonly human: string;
  readonly asks: string;
  readonly lamp: string;
  readonly price: string;
  readonly neighbour: string;
  readonly another: string;
  readonly photo: string;
  readonly invoice: string;
  readonly receipt: string;
  /** The search text: a part of `price`. */
  readonly search: string;
  /** The agent's text when no article answers. */
  readonly notFound: string;
  /** An action that the agent asks permission for, what would be sent, and the tool's own answer. */
  readonly action: string;
  readonly actionArguments: readonly (readonly [label: string, value: string])[];
  readonly actionResult: string;
}

export const WORDS: Readonly<Record<Language, Words>> = {
  en: {
    site: "Harbour Lamps",
    intro: "Light for long evenings, made and mended by the water since 1987.",
    suggestions: "Where is my order?\nDo you repair old lamps?\nCan I return a lamp?",
    question: "Do you repair old lamps?",
    answer:
      "Yes. We repair **every lamp that we ever sold**, however old it is. Send it in and you hear the price *before* we begin; switches and cables are there the same week.",
    source: "Repairs and spare parts",
    excerpt: "We mend what we sold. The price is agreed before the work begins.",
    streaming:
      "You can return a lamp within **30 days**:\n\n1. Pack it so that the shade has air around it.\n2. Print the label from your account.\n3. Bring it to any",
    rich: "These are the bulbs that fit:\n\n| Lamp | Bulb | Price |\n|---|---|--:|\n| Pierhead | E27, 8 W | €6 |\n| Skylight | E14, 4 W | €5 |\n| Quay, large | GU10, 6 W | €7 |\n\n- warm white, 2,700 K\n- can be dimmed\n\n```\nshop order PIERHEAD-E27 --count 2\n```",
    thanks: "Thank you! 🎉",
    human: "Maya Lindqvist",
    asks: "Hello, Maya here. Gladly! Which lamp is it, and about how old?",
    lamp: "A Pierhead. My parents bought it around 2009.",
    price:
      "Then it still has the old switch. We have those here: send it in, and I'll call you with the price.",
    neighbour: "It should go to my neighbour instead, please.",
    another: "And could you leave a note at the door?",
    photo: "This is the switch:",
    invoice: "pierhead-switch.png",
    receipt: "invoice-2009.pdf",
    search: "old switch",
    notFound: sentences.en.nothingFound,
    action: "Change the delivery address",
    actionArguments: [
      ["Order", "PH-2009-114"],
      ["Address", "12 Quay Street, Harbour Town"],
    ],
    actionResult: "PH-2009-114 goes to 12 Quay Street.",
  },
  ar: {
    site: "مصابيح الميناء",
    intro: "ضوء للأمسيات الطويلة، نصنعه ونصلحه على الشاطئ منذ عام 1987.",
    suggestions: "أين طلبي؟\nهل تصلحون المصابيح القديمة؟\nهل يمكنني إرجاع مصباح؟",
    question: "هل تصلحون المصابيح القديمة؟",
    answer:
      "نعم. نصلح **كل مصباح بعناه** مهما كان عمره. أرسله إلينا وستعرف السعر *قبل* أن نبدأ؛ المفاتيح والأسلاك متوفرة في الأسبوع نفسه.",
    source: "الإصلاح وقطع الغيار",
    excerpt: "نصلح ما بعناه. يُتفق على السعر قبل بدء العمل.",
    streaming:
      "يمكنك إرجاع المصباح خلال **30 يومًا**:\n\n1. غلّفه بحيث يبقى حول الغطاء فراغ.\n2. اطبع الملصق من حسابك.\n3. سلّمه في أي",
    rich: "هذه هي اللمبات المناسبة:\n\n| المصباح | اللمبة | السعر |\n|---|---|--:|\n| Pierhead | E27, 8 W | €6 |\n| Skylight | E14, 4 W | €5 |\n| Quay | GU10, 6 W | €7 |\n\n- أبيض دافئ، 2700 كلفن\n- قابلة للتعتيم\n\n```\nshop order PIERHEAD-E27 --count 2\n```",
    thanks: "شكرًا لكم! 🎉",
    human: "ليلى حداد",
    asks: "مرحبًا، معك ليلى. بكل سرور! أي مصباح هو، وكم عمره تقريبًا؟",
    lamp: "من طراز Pierhead، اشتراه والداي نحو عام 2009.",
    price: "إذن فيه المفتاح القديم، وهو متوفر لدينا: أرسله إلينا وسأتصل بك لأخبرك بالسعر.",
    neighbour: "أرجو توصيله إلى جارتي بدلًا من ذلك.",
    another: "وهل يمكنكم ترك ملاحظة على الباب؟",
    photo: "هذا هو المفتاح:",
    invoice: "pierhead-switch.png",
    receipt: "invoice-2009.pdf",
    search: "المفتاح القديم",
    notFound: sentences.ar.nothingFound,
    action: "تغيير عنوان التوصيل",
    actionArguments: [
      ["رقم الطلب", "PH-2009-114"],
      ["العنوان", "12 شارع الرصيف، مدينة الميناء"],
    ],
    actionResult: "سيُسلَّم الطلب PH-2009-114 إلى 12 شارع الرصيف.",
  },
};
