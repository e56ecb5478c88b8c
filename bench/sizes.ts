import { globSync, readFileSync, statSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { namedIn } from "../widget/pin-html.ts";

const ROOT = fileURLToPath(new URL("../", import.meta.url));
for (const file of globSync("dist/compat/*.js.br", { cwd: ROOT }).sort()) {
  console.log(`     ${file.slice("dist/".length, -".br".length)}: ${statSync(ROOT + file).size} B brotli`);
}
const html = readFileSync(`${ROOT}dist/widget/frame.html`, "utf8");
const first = namedIn(html).map((address) => `dist/widget${address}.br`);
const largestOf = (files: readonly string[]) =>
  files.toSorted((one, other) => statSync(ROOT + other).size - statSync(ROOT + one).size).slice(0, 1);
const part = (name: string) => globSync(`dist/widget/assets/${name}-*.{js,css}.br`, { cwd: ROOT });

const loaders = globSync("dist/loader/widget{,.*}.js.br", { cwd: ROOT });

/** Budgets in bytes of brotli 11: docs/decisions/0046-room-in-the-bytes.md. */
const BUDGETS = [
  { name: "loader, largest language", files: largestOf(loaders), limit: 4400 },
  { name: "panel, first open", files: first, limit: 43_560 },
  {
    name: "panel, with a conversation",
    files: globSync("dist/widget/assets/*.{js,css}.br", { cwd: ROOT }),
    limit: 79_860,
  },
  { name: "part: conversation", files: part("conversation-part"), limit: 15_000 },
  { name: "part: events of the conversation", files: part("stream-part"), limit: 15_000 },
  { name: "part: files, rating, menu", files: part("extras-part"), limit: 15_000 },
  {
    name: "texts, largest language",
    files: largestOf(globSync("dist/widget/assets/locale-*.json.br", { cwd: ROOT })),
    limit: 3990,
  },
];

let failed = 0;
for (const { name, files, limit } of BUDGETS) {
  const bytes = files.reduce((sum, file) => sum + statSync(ROOT + file).size, 0);
  const ok = files.length > 0 && bytes <= limit;
  if (!ok) failed += 1;
  console.log(`${ok ? "ok  " : "OVER"} ${name}: ${bytes} of ${limit} B brotli in ${files.length} file(s)`);
}
console.log(`     frame.html: ${html.length} B, not compressed`);
process.exitCode = failed === 0 ? 0 : 1;
