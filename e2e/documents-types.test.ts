import { spawnSync } from "node:child_process";
import { copyFileSync, mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";

const ROOT = fileURLToPath(new URL("../", import.meta.url));
const STUB = /^window\.Parley = .*$/m;

/** A strict compiler's errors for a site's script with the served types; empty if there are none. */
function complaintsAbout(script: string): string {
  const folder = mkdtempSync(join(tmpdir(), "parley-types-"));
  copyFileSync(`${ROOT}widget/parley.d.ts`, join(folder, "parley.d.ts"));
  writeFileSync(join(folder, "site.ts"), script);
  const options = [
    "--noEmit",
    "--strict",
    "--exactOptionalPropertyTypes",
    "--lib",
    "es2022,dom",
    "--types",
    "",
    "--module",
    "nodenext",
    "--allowImportingTsExtensions",
    "--skipLibCheck",
  ];
  const compiler = [`${ROOT}node_modules/typescript/bin/tsc`, ...options, "site.ts", "parley.d.ts"];
  return spawnSync(process.execPath, compiler, { cwd: folder, encoding: "utf8" }).stdout;
}

it.each(["README.md", "docs/api.md"])("the stub of %s compiles with the served types", (document) => {
  const [stub] = STUB.exec(readFileSync(ROOT + document, "utf8")) ?? [];
  expect(stub).toContain("Parley.q");
  expect(complaintsAbout(`${stub}\nParley("open").then(() => Parley.isOpen);\n`)).toBe("");
});

it("a wrong call does not compile (control)", () => {
  expect(complaintsAbout('Parley("opn");\nwindow.Parley = 7;\n')).toMatch(/opn[\s\S]*number/);
});

it("PKG1 every option may be undefined, as a property that a component passes on is", () => {
  const site = `
    import { type BootOptions, boot } from "${ROOT}packages/js/boot.ts";
    declare const none: { [Name in keyof BootOptions]-?: undefined };
    window.parleySettings = undefined;
    void Parley.update(none);
    boot({ ...none, origin: "https://chat.example.com" });
    boot({ ...none, src: "https://chat.example.com/widget.js" });
  `;
  expect(complaintsAbout(site)).toBe("");
});
