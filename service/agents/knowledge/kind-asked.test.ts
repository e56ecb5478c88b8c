import { describe, expect, it } from "vitest";
import { parseArticle } from "./article.ts";
import { foundSections } from "./found-sections.ts";
import { byKindAsked } from "./kind-asked.ts";
import { createPassageSearch } from "./passages.ts";

const ENGLISH = `# Returns

Returns are accepted within 30 days.

## Post a return

1. Print the label.
2. Hand it in within 7 days.

## Price of returns

Returns, returns, returns: a return is free.
`;

const GERMAN = `# Rückgabe

Eine Rückgabe ist 30 Tage lang möglich.

## Rückgabe abschicken

1. Etikett drucken.
2. Paket abgeben.

## Preis der Rückgabe

Rückgabe, Rückgabe: jede Rückgabe ist kostenlos.
`;

/** The headings of the sections for a question, in the order in which they are quoted. */
function headings(article: string, question: string): readonly string[] {
  const found = createPassageSearch([parseArticle("a.md", article)]).find({ text: question });
  const [passage] = found.passages;
  if (passage === undefined) throw new Error("the article is found");
  return byKindAsked(question, foundSections(passage, found)).map(({ section }) => section.heading);
}

describe("the section that is quoted first", () => {
  it.each([
    ["How long do I have to return it?", "Returns", ENGLISH],
    ["until when can I return it", "Returns", ENGLISH],
    ["How do I return it?", "Post a return", ENGLISH],
    ["Can I return it?", "Price of returns", ENGLISH],
    ["It came when I was away. Return?", "Price of returns", ENGLISH],
    ["Wie lange ist die Rückgabe möglich?", "Rückgabe", GERMAN],
    ["Wie geht die Rückgabe?", "Rückgabe abschicken", GERMAN],
    ["Rückgabe?", "Preis der Rückgabe", GERMAN],
  ])("KNOW6 has the kind of thing that is asked for: %s (%s)", (question, first, article) => {
    const found = headings(article, question);
    expect([found[0], found.length]).toEqual([first, 3]);
  });

  it("KNOW6 is the best one if that has a time or steps itself", () => {
    const article = ENGLISH.replace("a return is free", "a return is free for 14 days");
    expect(headings(article, "How long do I have to return it?")[0]).toBe("Price of returns");
  });
});
