import { globSync, readFileSync, statSync } from "node:fs";
import { fileURLToPath } from "node:url";

const ROOT = fileURLToPath(new URL("../", import.meta.url));

/** Budgets in bytes of brotli 11: see docs/decisions/0001-budgets.md. */
const BUDGETS = [
  { name: "loader", files: "dist/loader/widget.js.br", limit: 3000 },
  { name: "panel, first open", files: "dist/widget/assets/*.{js,css}.br", limit: 30_000 },
] as const;

let failed = 0;
for (const { name, files, limit } of BUDGETS) {
  const found = globSync(files, { cwd: ROOT });
  const bytes = found.reduce((sum, file) => sum + statSync(ROOT + file).size, 0);
  const ok = found.length > 0 && bytes <= limit;
  if (!ok) failed += 1;
  console.log(`${ok ? "ok  " : "OVER"} ${name}: ${bytes} of ${limit} B brotli in ${found.length} file(s)`);
}
const html = readFileSync(`${ROOT}dist/widget/frame.html`).length;
console.log(`     frame.html: ${html} B, not compressed`);
process.exitCode = failed === 0 ? 0 : 1;
