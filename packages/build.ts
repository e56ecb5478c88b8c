import { execFileSync } from "node:child_process";
import { copyFileSync, cpSync, globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { resolve } from "node:path";

/**
 * Builds the npm packages into `dist/packages`: a folder and a tarball of each. Their version is the repository's, and
 * their types are those of the loader.
 */
const ROOT = resolve(import.meta.dirname, "..");
const EMITTED = `${ROOT}/dist/emitted`;
const PACKAGES = `${ROOT}/dist/packages`;
const TYPES = "widget/parley.d.ts";

const readManifest = (path: string) =>
  JSON.parse(readFileSync(`${ROOT}/${path}`, "utf8")) as { readonly version?: string };
const { version = "" } = readManifest("package.json");

function buildPackage(name: string): void {
  const folder = `${PACKAGES}/${name}`;
  mkdirSync(folder, { recursive: true });
  for (const file of globSync("*.{js,d.ts}", { cwd: `${EMITTED}/packages/${name}` })) {
    const text = readFileSync(`${EMITTED}/packages/${name}/${file}`, "utf8");
    // The types lie beside the code that names them, and the compiler leaves `.ts` in declarations.
    const local = text
      .replaceAll(`../../${TYPES}`, "./parley.js")
      .replaceAll(/"\.\.\/js\/boot\.[jt]s"/g, '"./js/boot.js"')
      .replaceAll(/"(\.\/[\w-]+)\.ts"/g, '"$1.js"');
    writeFileSync(`${folder}/${file}`, local);
  }
  const whole = { ...readManifest(`packages/${name}/package.json`), version };
  writeFileSync(`${folder}/package.json`, `${JSON.stringify(whole, null, 2)}\n`);
  copyFileSync(`${ROOT}/packages/${name}/README.md`, `${folder}/README.md`);
  copyFileSync(`${ROOT}/LICENSE`, `${folder}/LICENSE`);
}

for (const folder of [EMITTED, PACKAGES]) rmSync(folder, { recursive: true, force: true });
const typescript = `${ROOT}/node_modules/typescript/bin/tsc`;
execFileSync(process.execPath, [typescript, "-p", `${ROOT}/packages`], { stdio: "inherit" });
for (const name of ["js", "react"]) buildPackage(name);
copyFileSync(`${ROOT}/${TYPES}`, `${PACKAGES}/js/parley.d.ts`);
// As a dependency, npm would look @parley/js up on its registry, where nobody owns the name (docs/decisions/0067-packages.md).
for (const file of globSync("*.{js,d.ts}", { cwd: `${PACKAGES}/js` }))
  cpSync(`${PACKAGES}/js/${file}`, `${PACKAGES}/react/js/${file}`);
rmSync(EMITTED, { recursive: true });
for (const name of ["js", "react"]) {
  const pack = ["pack", `${PACKAGES}/${name}`, "--pack-destination", PACKAGES, "--ignore-scripts"];
  execFileSync("npm", pack, { stdio: "inherit" });
}
