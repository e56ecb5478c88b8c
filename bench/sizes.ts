import { globSync, readFileSync, statSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { namedIn } from "../widget/pin-html.ts";

const ROOT = fileURLToPath(new URL("../", import.meta.url));
for (const file of globSync("dist/compat/*.js.br", { cwd: ROOT }).sort()) {
  console.log(`     ${file.slice("dist/".length, -".br".length)}: ${statSync(ROOT + file).size} B brotli`);
}
const html = readFileSync(`${ROOT}dist/widget/frame.html`, "utf8");
const first = namedIn(html).map((address) => `dist/widget${address}.br`);
const locales = globSync("dist/widget/assets/locale-*.json.br", { cwd: ROOT }).map((file) => ({
  name: file.replace(/.*locale-(.*)-.{8}\.json\.br/, "language $1"),
  files: [file],
  limit: 3000,
}));
/** The largest loader of another language than English, whose words are as many bytes as its letters are. */
const [spoken = { file: "none", bytes: 0 }] = globSync("dist/loader/widget.*.js.br", { cwd: ROOT })
  .map((file) => ({ file, bytes: statSync(ROOT + file).size }))
  .sort((one, other) => other.bytes - one.bytes);
const part = (name: string) => globSync(`dist/widget/assets/${name}-*.{js,css}.br`, { cwd: ROOT });

/** Budgets in bytes of brotli 11: see docs/decisions/0001-budgets.md, 0018-parts.md and 0019-languages.md. */
const BUDGETS = [
  { name: "loader", files: ["dist/loader/widget.js.br"], limit: 4000 },
  {
    name: `loader, largest language (${spoken.file.split(".")[1]})`,
    files: [spoken.file],
    limit: 4000,
  },
  { name: "panel, first open", files: first, limit: 36_000 },
  { name: "panel, with a conversation", files: [...first, ...part("conversation-part")], limit: 60_000 },
  { name: "files, rating, menu", files: part("extras-part"), limit: 15_000 },
  ...locales,
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
