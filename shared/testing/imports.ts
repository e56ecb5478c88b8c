import { globSync, readFileSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";

/** The repository's folder. */
export const ROOT = resolve(import.meta.dirname, "../..");

/** One import of a relative path; both paths are relative to the repository. */
export interface Import {
  readonly file: string;
  readonly target: string;
}

/** Whether only tests use a file: tests, their stages, and the suite that `npm run test:contract` runs. */
export function isTest(path: string): boolean {
  return (
    /\.(test|spec|test-kit)\.tsx?$/.test(path) ||
    /(^|\/)testing[/-]/.test(path) ||
    path.startsWith("e2e/contract/")
  );
}

/** The relative imports in a file's text: static, dynamic, types, styles, and `require`. */
export function importsIn(file: string, text: string): Import[] {
  const specifiers = text.matchAll(/\b(?:from|import|require)\s*\(?\s*["'`](\.{1,2}\/[^"'`?]+)/g);
  return [...specifiers].map(([, specifier = ""]) => ({
    file,
    target: relative(ROOT, resolve(ROOT, dirname(file), specifier)),
  }));
}

/** The text of a file. */
export const read = (file: string) => readFileSync(join(ROOT, file), "utf8");

/** Every relative import of the rooms. */
export function readImports(): Import[] {
  const files = globSync(
    "{widget,compat,packages,bff,service,shared,tools,demo,start}/**/*.{ts,tsx,js,jsx,mjs,cjs,mts,cts}",
    {
      cwd: ROOT,
      // Its controls are texts that look like imports.
      exclude: ["shared/directions.test.ts"],
    },
  );
  return files.flatMap((file) => importsIn(file, read(file)));
}
