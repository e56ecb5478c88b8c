import { describe, expect, it } from "vitest";
import { parseArticle } from "./article.ts";
import { foundSections } from "./found-sections.ts";
import { leftOut } from "./knowledge-texts.ts";
import { createPassageSearch } from "./passages.ts";
import { chooseQuotes } from "./quote.ts";

/** The answer of a single article to `question`. */
function answer(article: string, question: string): string {
  const found = createPassageSearch([parseArticle("a.md", article)]).find({ text: question });
  return found.passages
    .flatMap((passage) => chooseQuotes(foundSections(passage, found)))
    .flatMap(({ passages }) => passages)
    .join("\n\n");
}

const table = (head: string, ...rows: string[]) =>
  [`| ${head} |`, `|${" --- |".repeat(head.split("|").length)}`, ...rows.map((row) => `| ${row} |`)].join(
    "\n",
  );

describe("rows of a table", () => {
  const METHODS = `# Methods\n\n${table("Method | Limit", "Visa | none", "Gift card | balance", "Bank transfer | £500")}`;

  it.each(["Which methods can I use?", "Is card among the methods?", "methods: transfer?"])(
    "AGENT1 are all there if the question names none of them in full: %s",
    (question) => {
      const said = answer(METHODS, question);
      expect(said.match(/^\| \*\*/gm)).toHaveLength(3);
      expect(said).not.toContain("Showing");
    },
  );

  it("AGENT1 all rows are quoted if the question is about something else too", () => {
    expect(answer(METHODS, "Methods: is Visa debit there?").match(/^\| \*\*/gm)).toHaveLength(3);
    expect(answer(METHODS, "Methods: is Visa there?").match(/^\| \*\*/gm)).toHaveLength(1);
  });

  it("AGENT1 a table is quoted as a table, with its head, its empty cells and its own pipes", () => {
    const sizes = `# Sizes\n\n${table("Size | *Up to* | Note", "Letter | 1 kg |", "`a \\| b` | 2 kg | fragile")}`;
    expect(answer(sizes, "Which sizes?")).toContain(
      [
        "| Size | *Up to* | Note |",
        "| --- | --- | --- |",
        "| **Letter** | 1 kg |  |",
        "| `a \\| b` | 2 kg | fragile |",
      ].join("\n"),
    );
  });

  it("AGENT1 no row is chosen by a synonym", () => {
    const parcels = `# Sizes\n\n${table("Size | Limit", "Parcel | 10 kg", "Letter | 1 kg")}`;
    expect(answer(parcels, "What sizes for a package?").match(/^\| \*\*/gm)).toHaveLength(2);
    expect(answer(parcels, "What sizes for a parcel?").match(/^\| \*\*/gm)).toHaveLength(1);
  });

  it("AGENT1 no row is chosen by a word of the introduction, the heading or the column names", () => {
    const fees = `# Fees\n\nEvery card has a fee:\n\n${table("Card | Fee", "Card | 1 %", "Fee | 2 %", "Visa | 3 %")}`;
    expect(answer(fees, "Which card fee is there?").match(/^\| \*\*/gm)).toHaveLength(3);
  });

  it("AGENT1 only the first or the requested rows of a long table are quoted, with their number", () => {
    const rows = Array.from({ length: 40 }, (_, index) => `Town ${index} | ${index} days`);
    const towns = `# Towns\n\n${table("Town | Days", ...rows)}`;
    expect(answer(towns, "Which towns?")).toContain(leftOut(12, 40));
  });
});

describe("other passages", () => {
  it("AGENT1 a long paragraph, list or procedure says how much of it is quoted", () => {
    const sentences = Array.from({ length: 9 }, (_, index) => `Teapots have ${index} spouts.`).join(" ");
    expect(answer(`# Teapots\n\n${sentences}`, "teapots")).toContain(leftOut(5, 9));
    const steps = Array.from({ length: 23 }, (_, index) => `${index + 1}. Pour ${index}`).join("\n");
    expect(answer(`# Teapots\n\n${steps}`, "teapots")).toContain(leftOut(20, 23));
    const bullets = Array.from({ length: 14 }, (_, index) => `- Lid ${index}`).join("\n");
    expect(answer(`# Teapots\n\n${bullets}`, "teapots")).toContain(leftOut(12, 14));
  });

  it("AGENT1 a sentence that introduces a list is quoted with the list", () => {
    const many = `# Teapots\n\nTeapots one.\n\nTeapots two red.\n\nTeapots red three:\n\n- Lid\n\nTeapots four.`;
    const said = answer(many, "red teapots");
    expect(said.includes("Teapots red three:")).toBe(said.includes("- Lid"));
  });

  it("AGENT1 what is inside an item of a list stays with that item", () => {
    const kinds = [
      "- Chocolate",
      "  - Dark: come in at once",
      "  - Milk: call us",
      "- Antifreeze",
      "  - Never wait",
    ].join("\n");
    expect(answer(`# Poisoning\n\n${kinds}`, "dark chocolate")).toContain(kinds);
    const steps = "1. Cool the paws.\n\n   Never use ice.\n\n   > It narrows the vessels.\n2. Drive to us.";
    expect(answer(`# Heatstroke\n\n${steps}`, "heatstroke")).toContain(
      "1. Cool the paws. Never use ice. It narrows the vessels.\n2. Drive to us.",
    );
  });

  it("AGENT1 an item with a whole page inside it is quoted by its passages", () => {
    const lids = Array.from({ length: 90 }, (_, index) => `  - Teapot number ${index}`).join("\n");
    expect(answer(`# Teapots\n\n- Teapots\n${lids}`, "teapots")).toContain(leftOut(12, 90));
  });

  it("AGENT1 no space is added between sentences of Chinese and Japanese", () => {
    const said = "急須は赤いです。蓋は青いです。";
    expect(answer(`# 急須\n\n${said}`, "急須")).toContain(said);
    expect(answer(`# 急須\n\n- ${said}`, "急須")).toContain(`- ${said}`);
  });

  it("AGENT1 a footnote is quoted inside the sentence that refers to it, and code stays as it is", () => {
    const returns = "Returns are free.[^1] They match `[^1]` or [^a], not [^none].";
    const code = "```\nreturns[^1]\n[^1]: stays\n```";
    const notes = "[^1]: Only unopened,\n    with **all** lids.\n[^a]: b|c\n\nCups are blue.";
    const article = `# Returns\n\n${returns}\n\n${code}\n\n## Cups\n\n${notes}`;
    expect(answer(article, "returns")).toContain(
      "**Returns**\n\nReturns are free (Only unopened, with **all** lids). They match `[^1]` or (b|c), not [^none].\n\nreturns[^1]\n[^1]: stays",
    );
    expect(answer(article, "cups")).toContain("**Cups**\n\nCups are blue.");
  });

  it("AGENT1 a numbered list keeps its numbers, also after an item of code only", () => {
    expect(answer("# Hours\n\n24. Dezember: closed", "Dezember")).toContain("24. Dezember: closed");
    const split = "1. Open the lid.\n\n```\ncode\n```\n\n2. Pour slowly.";
    expect(answer(`# Teapots\n\n${split}`, "Pour slowly")).toContain("2. Pour slowly.");
    const code = "1. ```\n   code\n   ```\n2. Pour slowly.\n3. Wait.";
    expect(answer(`# Teapots\n\n${code}`, "Pour slowly")).toContain("2. Pour slowly.\n3. Wait.");
  });

  it("AGENT1 a heading in an item of a list or in a quotation is found and quoted", () => {
    const parking = "- #### Is there parking?\n\n  Yes, behind the house.\n- #### Is it free?\n\n  No.";
    expect(answer(`# Visits\n\n${parking}`, "parking")).toContain(
      "- **Is there parking?** Yes, behind the house.\n- **Is it free?** No.",
    );
    expect(answer("# Visits\n\n> ## Parking\n>\n> Behind the house.", "parking")).toContain("Parking");
  });

  it("AGENT1 a section that refers to the next one is quoted with it", () => {
    const said = answer(
      "# Teapots\n\nAny of the teapots below.\n\n## Kinds\n\n- Red\n- Blue",
      "Which teapots?",
    );
    expect(said).toContain("- Red\n- Blue");
    const back = "# Pots\n\n## Teapots\n\nFill them.\n\n## Mugs\n\nMugs are used in the same way.";
    expect(answer(back, "mugs")).toMatch(/Fill them\.[\s\S]*Mugs are used/);
  });
});
