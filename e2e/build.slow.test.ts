import { spawnSync } from "node:child_process";
import { cpSync, globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { readLoaderWords } from "../widget/loader-words.ts";
import { integrityOf } from "../widget/pin-html.ts";

const ROOT = fileURLToPath(new URL("../", import.meta.url));
const SOURCES = ["widget", "compat", "shared", "tsconfig.json", "package.json", "package-lock.json"];
const folder = mkdtempSync(join(tmpdir(), "parley-build-"));

/** Builds in a folder; returns the output path and what was printed. */
function buildIn(
  cwd: string,
  mode: string,
  ...flags: string[]
): { readonly dist: string; readonly printed: string } {
  const { status, stdout, stderr } = spawnSync(process.execPath, ["widget/build.ts", ...flags], {
    cwd,
    env: { ...process.env, ["NODE_ENV"]: mode },
    encoding: "utf8",
  });
  if (status !== 0) throw new Error(`the build failed: ${stderr}`);
  return { dist: join(cwd, "dist"), printed: stdout };
}

/** Builds a copy of the sources in a separate folder. */
function buildCopy(name: string, mode: string): ReturnType<typeof buildIn> {
  const copy = join(folder, name);
  mkdirSync(copy, { recursive: true });
  for (const source of SOURCES) cpSync(join(ROOT, source), join(copy, source), { recursive: true });
  symlinkSync(join(ROOT, "node_modules"), join(copy, "node_modules"));
  return buildIn(copy, mode);
}

/** Every file of a build with a hash of its bytes. `npm run packages` writes beside it. */
function hashesOf(dist: string): Record<string, string> {
  const files = globSync("**/*.*", { cwd: dist, exclude: ["packages/**"] }).sort();
  return Object.fromEntries(files.map((file) => [file, integrityOf(readFileSync(join(dist, file)))]));
}

/** Built code that would run text as code, or load code from elsewhere. */
function remoteOrEvaluated(code: string): string[] {
  const patterns = [
    /\beval\s*\(/g,
    /\bFunction\s*\(/g,
    /\bsetTimeout\s*\(\s*["'`]/g,
    /\bimport\s*\(\s*(?!["'`]\.{0,2}\/)/g,
    /\bfrom\s*["'`](?:[a-z]+:)?\/\//g,
    /\bimport\s*["'`](?:[a-z]+:)?\/\//g,
    /\bimportScripts\b/g,
    /\bdocument\.write/g,
    /sourceMappingURL/g,
  ];
  return patterns.flatMap((pattern) => [...code.matchAll(pattern)].map(([found]) => found));
}

/** Features that the oldest supported browsers (docs/browsers.md) lack, and that the build does not rewrite. */
const TOO_NEW = [
  /\bURL\.(?:parse|canParse)\(/g,
  /\bPromise\.(?:withResolvers|try)\b/g,
  /\bAbortSignal\.any\(/g,
  /\b(?:Object|Map)\.groupBy\(/g,
  /\bArray\.fromAsync\(/g,
  /\bIterator\.(?:from|prototype)\b/g,
  /\.(?:values|keys|entries)\(\)\.(?:map|filter|find|some|every|reduce|toArray)\(/g,
  /\.(?:isSubsetOf|isSupersetOf|isDisjointFrom|symmetricDifference)\(/g,
  /\b(?:RegExp\.escape|Error\.isError|Math\.sumPrecise)\(/g,
  /\.(?:toBase64|toHex|setFromBase64)\(|\bUint8Array\.from(?:Base64|Hex)\(/g,
  /\b(?:startViewTransition|showPopover|checkVisibility|requestIdleCallback|setHTML)\b/g,
  /\blight-dark\(/g,
  /@(?:starting-style|property|scope|position-try)\b/g,
];

function newerThanFloor(code: string): string[] {
  return TOO_NEW.flatMap((pattern) => [...code.matchAll(pattern)].map(([found]) => found));
}

let copy: ReturnType<typeof buildCopy>;
beforeAll(() => {
  copy = buildCopy("another place/two", "development");
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe("the build", () => {
  it("produces the same bytes twice, whatever the folder's name and the shell's settings", () => {
    // `npm test` has built here before, so this builds nothing.
    const hashes = hashesOf(buildIn(ROOT, "production", "--if-stale").dist);
    expect(Object.keys(hashes).length).toBeGreaterThan(8);
    expect(hashesOf(copy.dist)).toEqual(hashes);
  });

  it("prints the loader's hash and stores it next to the files", () => {
    const integrity = integrityOf(readFileSync(join(copy.dist, "loader/widget.js")));
    expect(copy.printed).toContain(integrity);
    expect(readFileSync(join(copy.dist, "build.json"), "utf8")).toContain(integrity);
  });

  it("LANG7 builds the loader in each language, compressed like the others, and leaves the pinned one English", () => {
    const read = (file: string) => readFileSync(join(copy.dist, "loader", file), "utf8");
    const spoken = readLoaderWords();
    const others = spoken.filter(({ lang }) => lang !== "en");
    const names = others.flatMap(({ lang }) => ["", ".br", ".gz"].map((end) => `widget.${lang}.js${end}`));
    expect(globSync("widget.*.js*", { cwd: join(copy.dist, "loader") }).sort()).toEqual(names.sort());
    for (const { lang, launcher, note } of others) {
      const code = read(`widget.${lang}.js`);
      expect([code.includes(launcher), code.includes(note), code.includes("Open chat")], lang).toEqual([
        true,
        true,
        false,
      ]);
    }
    expect(read("widget.js")).toContain("Open chat");
  });

  it.each([
    ["widget", "frame.html", "/"],
    ["desk", "index.html", "/desk/"],
  ])("pins every script and style sheet of the %s's page by its bytes", (part, page, base) => {
    const html = readFileSync(join(copy.dist, part, page), "utf8");
    const pinned = [...html.matchAll(/(?:src|href)="([^"]+)" integrity="([^"]+)"/g)];
    for (const [, address = "", integrity] of pinned) {
      const file = join(copy.dist, part, address.slice(base.length));
      expect(integrity, address).toBe(integrityOf(readFileSync(file)));
    }
    const map = /<script type="importmap">([^<]*)</.exec(html)?.[1] ?? '{"integrity":{}}';
    const later = (JSON.parse(map) as { integrity: Record<string, string> }).integrity;
    for (const [address, integrity] of Object.entries(later)) {
      const file = join(copy.dist, part, address.slice(base.length));
      expect(integrity, address).toBe(integrityOf(readFileSync(file)));
    }
    const built = globSync("assets/*.{js,css}", { cwd: join(copy.dist, part) });
    const all = [...pinned.map(([, address = ""]) => address), ...Object.keys(later)];
    expect(all.map((address) => address.slice(base.length)).sort()).toEqual(built.sort());
  });

  it("evaluates no text and loads no code from elsewhere", () => {
    const files = globSync("**/*.js", { cwd: copy.dist });
    expect(files.length).toBeGreaterThanOrEqual(3);
    for (const file of files) {
      expect(remoteOrEvaluated(readFileSync(join(copy.dist, file), "utf8")), file).toEqual([]);
    }
  });

  it("LOOK12 uses nothing that the oldest supported browsers lack", () => {
    const files = globSync("**/*.{js,css}", { cwd: copy.dist });
    expect(files.length).toBeGreaterThan(80);
    for (const file of files) {
      expect(newerThanFloor(readFileSync(join(copy.dist, file), "utf8")), file).toEqual([]);
    }
    const style = readFileSync(
      join(copy.dist, globSync("widget/assets/frame-*.css", { cwd: copy.dist })[0] ?? ""),
      "utf8",
    );
    // Compiled from light-dark(), which two of them lack.
    expect(style).toContain("--lightningcss-dark");
    // Only Safari on iOS needs this prefix; without it, text on a phone held sideways gets larger.
    expect(style).toContain("-webkit-text-size-adjust");
  });

  it("LOOK12 a feature that they lack is found (control)", () => {
    const code = "URL.parse(a);Promise.withResolvers();AbortSignal.any([a]);b.values().map(c)";
    expect(newerThanFloor(code)).toHaveLength(4);
    expect(newerThanFloor("a{color:light-dark(red,blue)}")).toEqual(["light-dark("]);
  });

  it("code that does is found (control)", () => {
    const code = 'eval("1");new Function("a");import("https://x.example/a.js");import(name);import("./a.js")';
    expect(remoteOrEvaluated(code)).toHaveLength(4);
  });
});
