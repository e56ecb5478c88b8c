import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { createKnowledgeAgent } from "./knowledge.ts";

test("an article nested half a megabyte deep stops the start and is named", async () => {
  const folder = await mkdtemp(join(tmpdir(), "articles-"));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  // Each of the 250,000 levels makes the parser scan the rest of the line, which takes seconds.
  // hostile-articles.test.ts uses 20,000.
  await writeFile(join(folder, "a.md"), "> ".repeat(250_000));
  await expect(createKnowledgeAgent({ directory: folder })).rejects.toThrow(
    "The article a.md can't be read as Markdown.",
  );
});
