import { render } from "preact";
import { describe, expect, it } from "vitest";
import { PlainText, RichText } from "./rich-text.tsx";
import { wordsOf } from "./rich-text-parse.ts";
import { safeHref } from "./safe-href.ts";

/** What is drawn for a text: an element to look into. */
function draw(text: string): HTMLElement {
  const root = document.createElement("div");
  render(<RichText text={text} />, root);
  return root;
}
const tags = (text: string) =>
  [...draw(text).querySelectorAll("*")].slice(1).map((element) => element.tagName.toLowerCase());
const links = (text: string) => [...draw(text).querySelectorAll("a")];

describe("the safe subset", () => {
  it("bold, italic and code, also inside each other", () => {
    expect(draw("a **b *c* d** _e_ `f**`").textContent).toBe("a b c d e f**");
    expect(tags("a **b *c* d** _e_ `f**`")).toEqual(["p", "strong", "em", "em", "code"]);
  });

  it("lists with bullets and with numbers, which keep their first number", () => {
    expect(tags("- one\n- **two**")).toEqual(["ul", "li", "li", "strong"]);
    expect(draw("3. three\n4. four").querySelector("ol")?.getAttribute("start")).toBe("3");
  });

  it("paragraphs keep their line breaks; blocks of code keep everything", () => {
    expect(draw("one\ntwo\n\nthree").querySelectorAll("p")).toHaveLength(2);
    expect(draw("```js\nlet a = `1`;\n  **b**\n```\nafter").querySelector("pre")?.textContent).toBe(
      "let a = `1`;\n  **b**",
    );
    expect(draw("```\nnot closed yet").querySelector("pre")?.textContent).toBe("not closed yet");
  });

  it("links to https, mailto and tel, in a new tab that knows nothing of this one", () => {
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

  it("an address in brackets or with brackets ends where a reader would end it", () => {
    expect(links("(see https://shop.example/a)")[0]?.textContent).toBe("https://shop.example/a");
    expect(links("https://wiki.example/a_(b)")[0]?.textContent).toBe("https://wiki.example/a_(b)");
    expect(links("**https://shop.example/a**")[0]?.textContent).toBe("https://shop.example/a");
  });

  it("what only looks like it stays as it was written", () => {
    for (const text of ["2 * 3 * 4", "snake_case_name", "a*b*c", "**", "* ", "[x]", "`", "#1"]) {
      expect(draw(text).textContent?.trim()).toBe(text.trim());
      expect(links(text)).toEqual([]);
      expect(tags(text)).toEqual(["p"]);
    }
  });

  it("the direction of each block is its own, and code reads from the left", () => {
    const blocks = draw("שלום\n\nHello\n\n- one\n\n| a | b |\n| - | - |\n| c | d |").querySelectorAll(
      "p, ul, table",
    );
    expect([...blocks].map((block) => block.getAttribute("dir"))).toEqual(["auto", "auto", "auto", "auto"]);
    expect(draw("```\nשלום\n```").querySelector("pre")?.dir).toBe("ltr");
    // An element with a direction of its own is passed over where that of its parent is looked for.
    expect(draw("שלום").firstElementChild?.hasAttribute("dir")).toBe(false);
  });

  it("a list holds one more level, bullets below numbers too; deeper ones stay at that level", () => {
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

  it("a table has a head, its rows and how its columns stand; a pipe with a backslash is a pipe", () => {
    const root = draw("| Size | Price |\n|:--|--:|\n| **S** | 4 \\| 5 |\n| M |\nafter");
    expect([...root.querySelectorAll("th")].map((cell) => cell.textContent)).toEqual(["Size", "Price"]);
    expect([...root.querySelectorAll("td")].map((cell) => cell.textContent)).toEqual(["S", "4 | 5", "M"]);
    expect(root.querySelectorAll('td[data-align="end"]')).toHaveLength(1);
    expect(root.querySelector("td strong")?.textContent).toBe("S");
    expect(root.querySelector("p")?.textContent).toBe("after");
    expect(wordsOf("a | b\n- | -\nc | d")).toBe("a, b\nc, d");
  });

  it("a few pictures alone are shown larger; with a letter, or many of them, they are text", () => {
    const isLarge = (text: string) => draw(text).querySelector(".emoji") !== null;
    for (const text of ["👍", "❤️ 🎉", "👩‍👩‍👧‍👦", "🇳🇱", "👋🏽", "⚓️🌲"])
      expect(isLarge(text), text).toBe(true);
    for (const text of ["ok 👍", "12", "#", " ", "…", "👍".repeat(13)])
      expect(isLarge(text), text).toBe(false);
  });

  it("a customer's words are shown as they were written", () => {
    const root = document.createElement("div");
    render(<PlainText text={"**a** [b](https://c.example)\n<b>"} />, root);
    expect(root.textContent).toBe("**a** [b](https://c.example)\n<b>");
    expect(root.querySelectorAll("*")).toHaveLength(1);
  });

  it("the words alone, for those who hear them", () => {
    expect(wordsOf("**Yes.** See [here](https://a.example):\n- `one`\n- two\n\n```\ncode\n```")).toBe(
      "Yes. See here:\none\ntwo\ncode",
    );
  });
});

/** What the reader sees is the https address that the link leads to. */
function expectHonest(link: HTMLAnchorElement) {
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

  it("control: an address that is what it seems is a link", () => {
    expect(links("[click](https://good.example/a)")).toHaveLength(1);
    expect(safeHref("https://xn--gd-dlcb.example/")).toBe("https://xn--gd-dlcb.example/");
  });

  it("a label that names another host than the link's is not a link", () => {
    for (const link of links("[https://bank.example](https://evil.example)")) expectHonest(link);
    for (const link of links("[bank.example/login](https://evil.example/bank.example)")) expectHonest(link);
    expect(links("[bank.example](https://bank.example/login)")).toHaveLength(1);
  });

  it("no picture, frame or element of a text's own", () => {
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
  ];
  for (const part of repeated) {
    // Not timed: time that grows with the square of the length would run into the limit of every test.
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
