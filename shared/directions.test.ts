import { globSync, readFileSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import { describe, expect, it } from "vitest";

const ROOT = resolve(import.meta.dirname, "..");
const PARTS = ["widget", "bff", "service", "shared"] as const;
type Part = (typeof PARTS)[number];

/** Which part may import which (docs/architecture.md). */
const ALLOWED: Record<Part, readonly Part[]> = {
  shared: ["shared"],
  widget: ["widget", "shared"],
  bff: ["bff", "shared"],
  service: ["service", "shared"],
};

/** The one exception: the BFF's start brings the service up in its own process when no BASE_URL is set. */
const EXCEPTIONS = ["bff/main.ts", "bff/embedded-service.ts"];

interface Import {
  readonly file: string;
  readonly target: string;
}

function partOf(path: string): Part | undefined {
  return PARTS.find((part) => path.startsWith(`${part}/`));
}

function isTest(file: string): boolean {
  return /\.(test|test-kit)\.tsx?$/.test(file) || file.includes("/testing/");
}

/** Every relative import of the parts, static, dynamic or of types. */
function readImports(): Import[] {
  const files = globSync("{widget,bff,service,shared}/**/*.{ts,tsx}", { cwd: ROOT });
  return files.flatMap((file) => {
    const text = readFileSync(join(ROOT, file), "utf8");
    const specifiers = text.matchAll(/(?:from|import)\s*\(?\s*["'](\.{1,2}\/[^"']+)["']/g);
    return [...specifiers].map(([, specifier = ""]) => ({
      file,
      target: relative(ROOT, resolve(ROOT, dirname(file), specifier)),
    }));
  });
}

/** One sentence for each import that goes the wrong way. Tests may use real parts of the system in place of fakes. */
function wrongImports(imports: readonly Import[]): string[] {
  return imports.flatMap(({ file, target }) => {
    const from = partOf(file);
    const to = partOf(target);
    if (!from || !to || ALLOWED[from].includes(to)) return [];
    if (EXCEPTIONS.includes(file) || (isTest(file) && from !== "shared")) return [];
    return [`${file} imports ${target}, but ${from} may import only ${ALLOWED[from].join(" and ")}.`];
  });
}

describe("import directions", () => {
  it("widget, bff and service meet in shared alone", () => {
    expect(wrongImports(readImports())).toEqual([]);
  });

  it("the loader carries nothing of zod, Preact or the panel", () => {
    const loader = globSync("widget/loader/**/*.ts", { cwd: ROOT }).filter((file) => !isTest(file));
    const heavy = loader.filter((file) =>
      /from ["'](zod|preact|@preact|\.\.\/app|\.\.\/ui)/.test(readFileSync(join(ROOT, file), "utf8")),
    );
    expect(heavy).toEqual([]);
  });

  it("only a main.ts, or a command of its own named x-main.ts, touches process", () => {
    const files = globSync("{widget,bff,service,shared}/**/*.ts", { cwd: ROOT }).filter(
      (file) => !isTest(file) && !/(^|[/-])(main|build)\.ts$/.test(file),
    );
    const touching = files.filter((file) =>
      /\bprocess\.(env|argv|exit|on|cwd|stdout|stderr)\b/.test(readFileSync(join(ROOT, file), "utf8")),
    );
    expect(touching).toEqual([]);
  });

  it("a wrong import is named in one sentence (control)", () => {
    expect(wrongImports([{ file: "widget/app/chat.ts", target: "bff/config.ts" }])).toEqual([
      "widget/app/chat.ts imports bff/config.ts, but widget may import only widget and shared.",
    ]);
  });
});
