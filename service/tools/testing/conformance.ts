import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";

// The exam of the Model Context Protocol for clients, as each revision requires it: npm run conformance.

const ROOT = fileURLToPath(new URL("../../../", import.meta.url));
const CLIENT = `node ${fileURLToPath(new URL("conformance-client.ts", import.meta.url))}`;
const SUITE = `${ROOT}node_modules/@modelcontextprotocol/conformance/dist/index.js`;
/** All clients of a revision run at once: on two busy cores the exam's own 30 s were too short for one of them. */
const TIMEOUT_MS = 180_000;

for (const revision of ["2026-07-28", "2025-11-25"]) {
  const exam = ["client", "--command", CLIENT, "--requirements", revision, "--timeout", String(TIMEOUT_MS)];
  const { status } = spawnSync(process.execPath, [SUITE, ...exam], { stdio: "inherit", cwd: ROOT });
  if (status !== 0) process.exitCode = 1;
}
