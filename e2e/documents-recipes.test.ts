import { existsSync, readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";

const ROOT = new URL("../", import.meta.url).pathname;
const MAX_FILES = 8;

/** A path of this repository in backticks. `NAME`, `TAG` and `…` are names that the reader chooses. */
const PATH = /`((?:shared|bff|service|widget|e2e|docs|tools)\/[\w./-]+)`/g;

interface Recipe {
  readonly name: string;
  readonly steps: readonly string[];
}

/** The numbered lists of a document, each with the heading above it. */
function recipesIn(document: string): Recipe[] {
  const sections = document.split(/^## /m).slice(1);
  return sections.flatMap((section) => {
    const [name = ""] = section.split("\n", 1);
    const lists = section.split(/\n(?=1\. )/).slice(1);
    return lists.map((list) => ({ name, steps: list.split("\n").filter((line) => /^\d+\. /.test(line)) }));
  });
}

/** The file that a step touches, before its colon: `file`, `file` or `other`, or `file` (or `others` beside it …). */
const FILE = /^\d+\. `([\w./-]+)`(?: or `[\w./-]+`)?(?: \(or [^)]*\))?: /;
const fileOf = (step: string) => FILE.exec(step)?.[1];
/** Another file of the same step, which would not be counted. */
const SECOND_FILE = /`[\w./-]+\/[\w./-]+`: /;
const isVague = (step: string) => fileOf(step) === undefined || SECOND_FILE.test(step.replace(FILE, ""));

const pathsOf = (text: string) => [...text.matchAll(PATH)].map(([, path = ""]) => path);
const isMade = (path: string) => /NAME|TAG/.test(path);
const missing = (text: string) => pathsOf(text).filter((path) => !isMade(path) && !existsSync(ROOT + path));

describe("docs/contributing.md", () => {
  const document = readFileSync(`${ROOT}docs/contributing.md`, "utf8");
  const recipes = recipesIn(document);

  it("has a recipe for each usual change, and no list of more than eight files", () => {
    expect(new Set(recipes.map(({ name }) => name)).size).toBe(17);
    const long = recipes.filter(({ steps }) => new Set(steps.map(fileOf)).size > MAX_FILES);
    expect(long.map(({ name }) => name)).toEqual([]);
  });

  it("begins each step with its file, and no step has a second one", () => {
    expect(
      recipes.flatMap(({ name, steps }) => steps.filter(isVague).map((step) => `${name}: ${step}`)),
    ).toEqual([]);
  });

  it("a step without a file or with a second one is reported (control)", () => {
    expect(["1. Think.", "1. `docs/a.md`: x; and `docs/b.md`: y"].filter(isVague)).toHaveLength(2);
    expect(
      ["1. `a/b.ts` or `c/d.ts`: as `x` has", "1. `a/b.ts` (or `c.ts` beside it): x"].filter(isVague),
    ).toEqual([]);
  });

  it("names only existing files", () => {
    expect(missing(document)).toEqual([]);
  });

  it("a missing file is reported (control)", () => {
    expect(missing("`bff/app.ts`, `bff/gone.ts`, `bff/NAME.ts`")).toEqual(["bff/gone.ts"]);
    expect(recipesIn("## A\n\n1. x\n2. y\n\nthen\n\n1. z\n").map(({ steps }) => steps.length)).toEqual([
      2, 1,
    ]);
  });
});
