import { mkdir, mkdtemp, readdir, readFile, rename, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { systemClock } from "../../../../shared/server/clock.ts";
import type { Environment } from "../../../../shared/server/environment.ts";
import { createEnvironmentReader } from "../../../../shared/server/environment.ts";
import { agentDepsOf, questionOf } from "../../../testing/agents.ts";
import { createManualClock } from "../../../testing/manual-clock.ts";
import { createMemoryLog } from "../../../testing/memory-log.ts";
import type { Agent } from "../../agent.ts";
import type { AgentDeps } from "../../provider.ts";
import { knowledgeProvider } from "../knowledge-provider.ts";
import { MAX_ARTICLE_BYTES } from "./article-folder.ts";

let root: string;
let folder: string;
let stopping: AbortController;

beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), "reload-"));
  folder = join(root, "articles");
  await mkdir(folder);
  stopping = new AbortController();
});

afterEach(async () => {
  stopping.abort();
  await rm(root, { recursive: true, force: true });
});

const write = (name: string, text: string) => writeFile(join(folder, name), text);
const noFiles = () => {
  throw new Error("ENOENT");
};
const open = (more: Partial<AgentDeps> = {}, env: Environment = { KNOWLEDGE_DIR: folder }) =>
  knowledgeProvider
    .configure(createEnvironmentReader(env, noFiles))
    .open(agentDepsOf({ stopping: stopping.signal, ...more }));

async function ask(agent: Agent, text = "What colour are teapots?"): Promise<string> {
  let said = "";
  for await (const event of agent.answer(questionOf(text), new AbortController().signal)) {
    if (event.type === "delta") said += event.text;
  }
  return said;
}

describe("KNOW1 articles that change while the service runs", () => {
  test("the next question is answered from a changed file, and from a new one in a new folder", async () => {
    await write("a.md", "# Teapots\n\nTeapots are red.");
    const agent = await open();
    expect(await ask(agent)).toContain("Teapots are red.");
    await write("a.md", "# Teapots\n\nTeapots are blue.");
    await expect.poll(() => ask(agent)).toContain("Teapots are blue.");
    await mkdir(join(folder, "more"));
    await write("more/b.html", "<title>Cups</title><p>Cups are green.</p>");
    await expect.poll(() => ask(agent, "What colour are cups?")).toContain("Cups are green.");
  });

  test("the next question is answered from a file that is written again after an editor replaced it", async () => {
    await write("a.md", "# Teapots\n\nTeapots are red.");
    const agent = await open({ clock: { ...systemClock, every: () => () => undefined } });
    await writeFile(join(root, "new.md"), "# Teapots\n\nTeapots are green.");
    await rename(join(root, "new.md"), join(folder, "a.md"));
    await expect.poll(() => ask(agent)).toContain("Teapots are green.");
    await write("a.md", "# Teapots\n\nTeapots are blue.");
    await expect.poll(() => ask(agent)).toContain("Teapots are blue.");
  });

  test("the next question is answered from a file in a folder that took another one's place", async () => {
    await mkdir(join(folder, "care"));
    await write("care/a.md", "# Teapots\n\nTeapots are red.");
    const agent = await open({ clock: { ...systemClock, every: () => () => undefined } });
    const next = join(root, "next");
    await mkdir(next);
    await writeFile(join(next, "a.md"), "# Teapots\n\nTeapots are green.");
    await rename(join(folder, "care"), join(root, "former"));
    await rename(next, join(folder, "care"));
    await expect.poll(() => ask(agent)).toContain("Teapots are green.");
    await write("care/a.md", "# Teapots\n\nTeapots are blue.");
    await expect.poll(() => ask(agent)).toContain("Teapots are blue.");
  });

  test("the next question is answered from a folder that was moved away and is back", async () => {
    await write("a.md", "# Teapots\n\nTeapots are red.");
    const agent = await open({ clock: { ...systemClock, every: () => () => undefined } });
    const away = join(root, "away");
    await rename(folder, away);
    await expect.poll(() => agent.notes?.()).toEqual([expect.stringContaining("does not exist")]);
    await writeFile(join(away, "a.md"), "# Teapots\n\nTeapots are blue.");
    await rename(away, folder);
    await expect.poll(() => ask(agent)).toContain("Teapots are blue.");
  });

  test.runIf(process.platform === "linux")(
    "a folder is watched as one, because a look at each of ten thousand files stops the process",
    async () => {
      const watched = async () => {
        const ids = await readdir("/proc/self/fdinfo");
        const infos = ids.map((id) => readFile(`/proc/self/fdinfo/${id}`, "utf8").catch(() => ""));
        return (await Promise.all(infos)).join("").split("inotify wd:").length;
      };
      for (let at = 0; at < 50; at += 1) await write(`${at}.md`, `# Teapots\n\nTeapots ${at} are red.`);
      const before = await watched();
      await open();
      const since = (await watched()) - before;
      expect(since).toBeGreaterThan(0);
      expect(since).toBeLessThan(50);
    },
  );

  test("a file that can't be used leaves the previous articles, and is logged and noted until it is repaired", async () => {
    await write("a.md", "# Teapots\n\nTeapots are red.");
    const log = createMemoryLog();
    const agent = await open({ log });
    await write("a.md", "# Teapots\n\nTeapots are blue.");
    await write("b.md", "x".repeat(MAX_ARTICLE_BYTES + 1));
    const note = "The changed articles are not used: The article b.md is larger than 1024 kB; split it.";
    await expect.poll(() => agent.notes?.()).toEqual([note]);
    expect(log.text()).toContain(note);
    expect(agent.unavailable()).toBeUndefined();
    expect(await ask(agent)).toContain("Teapots are red.");
    await rm(join(folder, "b.md"));
    await expect.poll(() => agent.notes?.()).toEqual([]);
    expect(await ask(agent)).toContain("Teapots are blue.");
  });

  test("an empty folder leaves the previous articles", async () => {
    await write("a.md", "# Teapots\n\nTeapots are red.");
    const agent = await open();
    await rm(join(folder, "a.md"));
    await expect.poll(() => agent.notes?.()).toEqual([expect.stringContaining("holds no Markdown article")]);
    expect(await ask(agent)).toContain("Teapots are red.");
  });

  test("an answer that has begun is finished with the articles that it began with", async () => {
    await write("a.md", "# Teapots\n\nTeapots are red.");
    const agent = await open();
    const begun = agent.answer(questionOf("What colour are teapots?"), new AbortController().signal);
    await write("a.md", "# Teapots\n\nTeapots are blue.");
    await expect.poll(() => ask(agent)).toContain("Teapots are blue.");
    let said = "";
    for await (const event of begun) if (event.type === "delta") said += event.text;
    expect(said).toContain("Teapots are red.");
  });

  test("a link that leads to another folder from now on is noticed within a minute", async () => {
    await write("a.md", "# Teapots\n\nTeapots are red.");
    const next = join(root, "next");
    await mkdir(next);
    await writeFile(join(next, "a.md"), "# Teapots\n\nTeapots are blue.");
    const link = join(root, "current");
    await symlink(folder, link);
    const clock = createManualClock();
    const agent = await open({ clock }, { KNOWLEDGE_DIR: link });
    await symlink(next, join(root, "swap"));
    await rename(join(root, "swap"), link);
    expect(await ask(agent)).toContain("Teapots are red.");
    clock.advance(60_000);
    await expect.poll(() => ask(agent)).toContain("Teapots are blue.");
  });

  test("the log says how many articles, passages and megabytes were loaded", async () => {
    await write("a.md", "# Teapots\n\nTeapots are red.\n\n## Care\n\nBy hand.");
    const log = createMemoryLog();
    await open({ log });
    expect(JSON.parse(log.text())).toMatchObject({
      level: "info",
      message: "articles loaded",
      articles: 1,
      passages: 2,
      megabytes: expect.any(Number),
    });
  });
});

test("KNOW1 an article is left out until its front matter calls it a draft no longer", async () => {
  await write("a.md", "# Teapots\n\nTeapots are red.");
  await write("cups.md", "---\ntitle: Cups\ndraft: true\n---\nCups are blue.");
  await write("boxes.md", "---\ntitle: Boxes\npublished: false\n---\nBoxes are brown.");
  const agent = await open();
  expect(agent.notes?.()).toEqual([]);
  expect(await ask(agent, "What colour are cups?")).not.toContain("Cups");
  expect(await ask(agent, "What colour are boxes?")).not.toContain("Boxes");
  await write("cups.md", "---\ntitle: Cups\ndraft: false\n---\nCups are blue.");
  await expect.poll(() => ask(agent, "What colour are cups?")).toContain("Cups are blue.");
});

describe("KNOW1 a file that is broken", () => {
  const LATIN_1 = Buffer.from("# Cups\n\nCups are grün.", "latin1");
  const leftOut = "Articles that are not UTF-8 are left out: ";

  test("is left out if it is not UTF-8, and is logged and noted at the start and after a change", async () => {
    await write("a.md", "# Teapots\n\nTeapots are red.");
    await writeFile(join(folder, "b.md"), LATIN_1);
    const log = createMemoryLog();
    const agent = await open({ log });
    expect(agent.notes?.()).toEqual([`${leftOut}b.md.`]);
    expect(log.text()).toContain(`${leftOut}b.md.`);
    expect(await ask(agent, "What colour are cups?")).not.toContain("Cups");
    await writeFile(join(folder, "c.html"), LATIN_1);
    await expect.poll(() => agent.notes?.()).toEqual([`${leftOut}b.md, c.html.`]);
    expect(log.text()).toContain(`${leftOut}b.md, c.html.`);
    await write("b.md", "# Cups\n\nCups are grün.");
    await rm(join(folder, "c.html"));
    await expect.poll(() => agent.notes?.()).toEqual([]);
    expect(await ask(agent, "What colour are cups?")).toContain("Cups are grün.");
  });

  test("is named with the number of others if there are many", async () => {
    await write("z.md", "# Teapots\n\nTeapots are red.");
    for (const name of "abcdefg") await writeFile(join(folder, `${name}.md`), LATIN_1);
    expect((await open()).notes?.()).toEqual([`${leftOut}a.md, b.md, c.md, d.md, e.md and 2 more.`]);
  });

  test("is named if the start fails because no other file is there", async () => {
    await writeFile(join(folder, "b.md"), LATIN_1);
    await expect(open()).rejects.toThrow(`The articles hold no text. ${leftOut}b.md.`);
  });

  test.each([
    ["to its last line", "---\ntitle: Teapots\nurl: https://x.example/t\n\nTeapots are red."],
    ["until a rule in its text", "---\ntitle: Teapots\n\nTeapots are red.\n\n---\n\nOr blue."],
  ])(
    "is used without the lines of its front matter, which has no end %s, and is noted",
    async (_name, text) => {
      await write("a.md", text);
      const agent = await open();
      expect(agent.notes?.()).toEqual([
        "The front matter of these articles has no end (a line ---), or a line in it is no value, so only its first lines are taken for it: a.md.",
      ]);
      const said = await ask(agent);
      expect(said).toContain("Teapots are red.");
      expect(said).not.toContain("title:");
    },
  );

  test("is used with its title and address if one line of its front matter is no value, and is noted", async () => {
    const url = "https://shop.example/teapots";
    await write("a.md", `---\ntitle: Teapots\nIn one sentence\nurl: ${url}\n---\nTeapots are red.`);
    const agent = await open();
    expect(agent.notes?.()).toEqual([
      "A line in the front matter of these articles is no value, such as title: Returns, and is left out: a.md.",
    ]);
    const events: unknown[] = [];
    const asked = questionOf("What colour are teapots?");
    for await (const event of agent.answer(asked, new AbortController().signal)) events.push(event);
    const citation = expect.objectContaining({ title: "Teapots", url });
    expect(events).toContainEqual({ type: "citation", citation, isOwners: true });
    const said = await ask(agent);
    expect(said).toContain("Teapots are red.");
    expect(said).not.toMatch(/url:|In one sentence/);
  });

  test.each([
    ["a rule at its beginning", "---\n\nTeapots are red.\n\n---\n\nOr blue."],
    [
      "other front matter",
      '---\ntitle: Teapots\n\n# a comment\ntags: [\n  x\n]\n- y\n"a b": c\n---\nTeapots are red.',
    ],
  ])("is not one with %s", async (_name, text) => {
    await write("teapots.md", text);
    const agent = await open();
    expect(agent.notes?.()).toEqual([]);
    const said = await ask(agent);
    expect(said).toContain("Teapots are red.");
    expect(said).not.toContain("title:");
  });
});
