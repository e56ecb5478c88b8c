import { describe, expect, test } from "vitest";
import { parseArticle } from "../article.ts";
import { htmlArticle } from "./html-article.ts";

const page = (body: string, head = "<title>Help | Shop</title>") =>
  `<!doctype html><html><head>${head}</head><body>${body}</body></html>`;
const textOf = (body: string) => htmlArticle("a.html", page(body), "https://shop.example/help/a").text;
const linesOf = (body: string) =>
  parseArticle("a.html", textOf(body)).sections.map(({ heading, passages }) => [
    heading,
    ...passages.flatMap(({ lines }) => lines.map(({ plain }) => plain)),
  ]);

describe("the text of a page", () => {
  test("headings begin sections, and paragraphs, lists and code keep their form", () => {
    const { title, url, sections } = parseArticle(
      "a.html",
      textOf(`<main><h1>Returns</h1><p>Send it <b>back</b> within <i>30</i> days.</p>
        <h2>How</h2><ol start=3><li>Print the label.<li>Drop it off.</ol><ul><li>Box<ul><li>Lid</ul></ul><pre>code 1</pre></main>`),
    );
    expect(title).toBe("Returns");
    expect(url).toBe("https://shop.example/help/a");
    expect(sections.map(({ heading }) => heading)).toEqual(["Returns", "How"]);
    expect(sections.flatMap(({ passages }) => passages.map(({ kind }) => kind))).toEqual([
      "paragraph",
      "steps",
      "bullets",
      "code",
    ]);
    expect(sections[0]?.passages[0]?.lines[0]?.marked).toBe("Send it **back** within *30* days.");
    expect(sections[1]?.passages[0]?.start).toBe(3);
  });

  test("a list whose start is no number begins with 1", () => {
    expect(textOf("<ol start=abc><li>Print the label.</ol>")).toContain("1. Print");
    expect(textOf("<ol start=0><li>Print the label.</ol>")).toContain("0. Print");
  });

  test("lists nested deeper than any reader could follow are refused, because each level costs all that is in it", () => {
    const nested = (levels: number) => "<ul><li>x".repeat(levels);
    expect(textOf(nested(20))).toContain("- x");
    expect(() => textOf(nested(21))).toThrow(RangeError);
    expect(textOf(`${nested(20)}${"</ul>".repeat(20)}`.repeat(2))).toContain("- x");
  });

  test("a table is a table, and a cell over several columns or rows is repeated in each", () => {
    const [section] = parseArticle(
      "a.html",
      textOf(`<table><caption>Costs</caption><tr><th>To<th>Standard<th>Express</tr>
        <tr><td rowspan=2>EU<td>5 | 6 €<td>9 €</tr><tr><td colspan=2>on request</tr></table>`),
    ).sections;
    const rows = section?.passages.find(({ kind }) => kind === "rows");
    expect(rows?.columns).toEqual(["To", "Standard", "Express"]);
    expect(rows?.lines.map(({ plain }) => plain)).toEqual([
      "EU: Standard: 5 | 6 € · Express: 9 €",
      "EU: Standard: on request · Express: on request",
    ]);
    expect(section?.passages[0]?.lines[0]?.plain).toBe("Costs");
  });

  test("a table that only arranges the page is read as text", () => {
    const text = textOf("<table><tr><td><h2>Left</h2><p>One.</p></td><td><p>Two.</p></td></tr></table>");
    expect(text).not.toContain("|");
    expect(text).toContain("## Left\n\nOne.\n\nTwo.");
  });

  test.each([
    [
      "elements",
      "<header>FURN</header><nav>FURN</nav><p>Text.</p><form>FURN <button>FURN</button></form><aside>FURN</aside><footer>FURN</footer>",
    ],
    ["roles", '<div role="navigation">FURN</div><p>Text.</p><div role="contentinfo">FURN</div>'],
    [
      "names",
      '<div id="site-header">FURN</div><ul class="a breadcrumbs"><li>FURN</ul><p>Text.</p><div class="footer">FURN</div>',
    ],
    ["what is outside the main part", "<div>FURN</div><main><p>Text.</p></main><p>FURN</p>"],
    [
      "what nobody sees",
      '<p hidden>FURN</p><p style="display: none">FURN</p><p aria-hidden="true">FURN</p><p>Text.</p>',
    ],
    [
      "scripts, styles and controls",
      "<script>FURN</script><style>FURN</style><template>FURN</template><p>Text.</p><button>FURN</button><select><option>FURN</select>",
    ],
  ])("leaves out navigation, footers and the like, by %s", (_by, body) => {
    expect(textOf(body)).toContain("Text.");
    expect(textOf(body)).not.toContain("FURN");
  });

  test("the names of furniture leave an article about it alone", () => {
    expect(textOf('<div class="footer-fix header-text"><p>How the footer menu works.</p></div>')).toContain(
      "works",
    );
  });

  test("a closed part of an accordion is text, its button is the heading", () => {
    const body = `<h3><button aria-controls="a1">Where is it?</button></h3><div id="a1" hidden><p>At home.</p></div>
      <details><summary>And then?</summary><p>Then away.</p></details>`;
    expect(linesOf(body)).toEqual([
      ["Where is it?", "At home."],
      ["And then?", "Then away."],
    ]);
  });

  test("questions of a definition list are headings, short values are a list", () => {
    expect(linesOf("<dl><dt>Can I?<dd>Yes.</dl><h2>Size</h2><dl><div><dt>Width<dd>2 m</div></dl>")).toEqual([
      ["Can I?", "Yes."],
      ["Size", "Width: 2 m"],
    ]);
  });

  test("characters with a meaning in Markdown stay text", () => {
    const odd = "# 1. 2 * 3 _y_ [z](https://evil.example) <b> a|b ` \\ ~d~ &pound;";
    expect(linesOf(`<p>${odd.replaceAll("&", "&amp;").replaceAll("<", "&lt;")}</p>`)[0]?.[1]).toBe(odd);
    expect(linesOf("<p>1) First</p><p>- Second</p><p>2024</p>")[0]?.slice(1)).toEqual([
      "1) First",
      "- Second",
      "2024",
    ]);
  });

  test("links lead to https or mailto addresses, without a host to those of the page's own", () => {
    const text = textOf(
      '<p><a href="/b">b</a> <a href="javascript:alert(1)">c</a> <a href="#d">d</a> <a href="mailto:x@y.example">e</a></p>',
    );
    expect(text).toContain("[b](https://shop.example/b) c d [e](mailto:x@y.example)");
  });

  test("the title is the page's without the site's name where the text has no heading, and several headings", () => {
    const title = (body: string) => parseArticle("a.html", textOf(body)).title;
    expect(title("<p>x</p>")).toBe("Help");
    expect(title("<h1>One</h1><p>x</p><h1>Two</h1><p>y</p>")).toBe("Help");
  });

  test("a file's address is the canonical one that it names", () => {
    const html = page("<p>x</p>", '<link rel="canonical" href="https://shop.example/help/x">');
    expect(parseArticle("a.html", htmlArticle("a.html", html).text).url).toBe("https://shop.example/help/x");
  });
});
