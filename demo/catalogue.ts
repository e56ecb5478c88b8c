/** One product of the made-up shop. Its picture is `site/<slug>.svg`. */
export interface Product {
  readonly slug: string;
  readonly name: string;
  readonly price: string;
  readonly line: string;
  readonly story: string;
  readonly facts: readonly (readonly [name: string, value: string])[];
}

export const CATALOGUE: readonly Product[] = [
  {
    slug: "mug",
    name: "Tideline mug",
    price: "£18",
    line: "Stoneware, glazed in two dips",
    story:
      "Thrown in small batches and dipped twice, so that the two glazes meet in a line that is never quite the same. Holds enough tea for one tide to turn.",
    facts: [
      ["Material", "stoneware, lead-free glaze"],
      ["Holds", "350 ml"],
      ["Care", "dishwasher, microwave, oven to 220 °C"],
    ],
  },
  {
    slug: "throw",
    name: "Fogbank throw",
    price: "£84",
    line: "Lambswool, woven in twill",
    story:
      "A heavy twill in the greys of a morning that has not made up its mind. Brushed once, so that it is soft on the first evening and softer on the hundredth.",
    facts: [
      ["Material", "pure lambswool"],
      ["Size", "140 × 190 cm"],
      ["Care", "vacuum, wool wash at 30 °C"],
    ],
  },
  {
    slug: "lamp",
    name: "Pierhead lamp",
    price: "£129",
    line: "Spun brass, linen shade",
    story:
      "The stem is one length of brass, the shade is linen over parchment. It throws light where you read and leaves the rest of the room alone.",
    facts: [
      ["Material", "brass, linen, steel base"],
      ["Height", "46 cm"],
      ["Warranty", "2 years"],
    ],
  },
  {
    slug: "stool",
    name: "Boatyard stool",
    price: "£96",
    line: "Pine legs, oak seat, no screws",
    story:
      "Three legs, because three never wobble. The joints are wedged like those of a dinghy, and every part can be replaced in our workshop.",
    facts: [
      ["Material", "oak and pine, hard wax oil"],
      ["Height", "45 cm"],
      ["Warranty", "5 years"],
    ],
  },
  {
    slug: "pan",
    name: "Anchor pan",
    price: "£62",
    line: "Cast iron, seasoned, 26 cm",
    story:
      "Poured in sand, ground flat, seasoned with linseed. It is heavy, it takes its time, and your grandchildren will argue about who gets it.",
    facts: [
      ["Material", "cast iron"],
      ["Size", "26 cm, 2.4 kg"],
      ["Warranty", "10 years"],
    ],
  },
  {
    slug: "candle",
    name: "Resin candle",
    price: "£24",
    line: "Pine resin, sea salt, beeswax",
    story:
      "It smells of a jetty in August: warm planks, salt, the trees behind. Burns for forty hours if you trim the wick.",
    facts: [
      ["Material", "beeswax and rapeseed wax"],
      ["Burns", "about 40 hours"],
      ["Care", "trim the wick to 5 mm"],
    ],
  },
];
