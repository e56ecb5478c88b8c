import { createHash } from "node:crypto";
import { copyFileSync, existsSync, globSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { resolve } from "node:path";
import { brotliCompressSync, constants, gzipSync } from "node:zlib";
import { readLoaderWords } from "./loader-words.ts";
import { integrityOf, namedIn, pinHtml } from "./pin-html.ts";

const ROOT = resolve(import.meta.dirname, "..");
const RECORD = `${ROOT}/dist/build.json`;

/** The sources of a build and its result; `npm start` builds only if the sources have changed since. */
interface BuildRecord {
  readonly sources: string;
  readonly version: string;
  /** Subresource Integrity value of the loader. */
  readonly loaderIntegrity: string;
}

/** One hash over all inputs of a bundle. */
function hashSources(): string {
  const files = globSync(
    ["widget/**/*.{ts,tsx,css,html,svg,json}", "compat/*.js", "shared/**/*.ts", "package-lock.json"],
    { cwd: ROOT, exclude: (name) => name.includes(".test.") },
  ).sort();
  const hash = createHash("sha256");
  for (const file of files) hash.update(`${file}\0`).update(readFileSync(`${ROOT}/${file}`));
  return hash.digest("hex");
}

function readRecord(): BuildRecord | undefined {
  return existsSync(RECORD) ? (JSON.parse(readFileSync(RECORD, "utf8")) as BuildRecord) : undefined;
}

/** Pins what the two pages load; `base` is where a page's files are served. */
function pinPages(): void {
  for (const [page, base] of [
    ["widget/frame.html", "/"],
    ["desk/index.html", "/desk/"],
  ] as const) {
    const path = `${ROOT}/dist/${page}`;
    const fileOf = (address: string) => `${path.replace(/[^/]+$/, "")}${address.slice(base.length)}`;
    const html = readFileSync(path, "utf8");
    const files = globSync("assets/*.{js,css}", { cwd: resolve(path, "..") }).map((file) => base + file);
    const later = files.filter((address) => !namedIn(html).includes(address)).sort();
    const pinned = pinHtml(html, (address) => readFileSync(fileOf(address)), later);
    writeFileSync(path, pinned);
  }
}

/** Writes `.br` and `.gz` next to each text file, once here, so that no server compresses at run time. */
function precompress(): void {
  for (const file of globSync("dist/{widget,desk,loader,compat}/**/*.{js,css,svg,json}", { cwd: ROOT })) {
    const bytes = readFileSync(`${ROOT}/${file}`);
    const params = { [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY };
    writeFileSync(`${ROOT}/${file}.br`, brotliCompressSync(bytes, { params }));
    writeFileSync(`${ROOT}/${file}.gz`, gzipSync(bytes, { level: 9 }));
  }
}

async function buildAll(): Promise<BuildRecord> {
  // Otherwise a shell that was set up for development would ship its bundles, with the paths of its machine in them.
  process.env["NODE_ENV"] = "production";
  // Imported here, because a start with an up-to-date build must not pay for the bundler.
  const [{ build }, { COMPAT, compatConfig, deskConfig, frameConfig, loaderConfig }] = await Promise.all([
    import("vite"),
    import("./bundles.ts"),
  ]);
  const { version } = JSON.parse(readFileSync(`${ROOT}/package.json`, "utf8")) as { version: string };
  await build(frameConfig(ROOT));
  await build(deskConfig(ROOT));
  await build(loaderConfig(ROOT, version, readLoaderWords()));
  for (const name of COMPAT) await build(compatConfig(ROOT, name));
  copyFileSync(`${ROOT}/widget/parley.d.ts`, `${ROOT}/dist/parley.d.ts`);
  pinPages();
  precompress();
  const loader = readFileSync(`${ROOT}/dist/loader/widget.js`);
  const record: BuildRecord = {
    sources: hashSources(),
    version,
    loaderIntegrity: integrityOf(loader),
  };
  mkdirSync(`${ROOT}/dist`, { recursive: true });
  writeFileSync(RECORD, `${JSON.stringify(record, null, 2)}\n`);
  return record;
}

if (process.argv.includes("--watch")) {
  const { watchAll } = await import("./watch.ts");
  await watchAll(ROOT);
} else if (!process.argv.includes("--if-stale") || readRecord()?.sources !== hashSources()) {
  const record = await buildAll();
  // As the server names it (bff/static/pinned-loaders.ts).
  const hash = Buffer.from(record.loaderIntegrity.replace("sha384-", ""), "base64").toString("base64url");
  const address = `/v/${record.version}-${hash.slice(0, 32)}/widget.js`;
  console.log(`Built version ${record.version}; ${address} ${record.loaderIntegrity}`);
}
