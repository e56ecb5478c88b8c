import { spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { loadavg, tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { Pool } from "undici";
import * as z from "zod/mini";
import { createWorkspace, issueCredential } from "../service/auth/credential.ts";
import { openStore } from "../service/open-store.ts";
import { systemClock } from "../shared/server/clock.ts";
import { systemRandom } from "../shared/server/random.ts";

/**
 * Durable messages per second: a customer's messages over HTTP, with 16 concurrent writers, against a bare loop of one
 * insert and one commit on the same disk in the same run. Budget: at least twice the loop
 * (docs/decisions/0001-budgets.md).
 */
const ROOT = new URL("..", import.meta.url).pathname;
const WRITERS = 16;
const SECONDS = Number(process.argv[2] ?? 4);
const BUDGET = 2;
const BODY =
  "Where is my order? It should have been here on Tuesday, and the tracking page says nothing at all.";

const Port = z.object({ token: z.string() });
const Started = z.object({ conversation: z.object({ id: z.string() }) });

const folder = mkdtempSync(join(tmpdir(), "parley-bench-"));
try {
  const before = bareLoop(join(folder, "bare-1.sqlite"));
  const withPerson = await throughHttp(join(folder, "person"), true);
  const withAgent = await throughHttp(join(folder, "agent"), false);
  const after = bareLoop(join(folder, "bare-2.sqlite"));
  const bare = (before + after) / 2;
  const line = (name: string, rate: number) =>
    console.log(
      `${name.padEnd(58)} ${Math.round(rate).toString().padStart(6)}/s  ${(rate / bare).toFixed(2)} x`,
    );
  console.log(
    `load ${loadavg()
      .map((each) => each.toFixed(1))
      .join(" ")}; ${SECONDS} s each`,
  );
  line("bare loop, one commit per insert (mean of before and after)", bare);
  line("customer's messages through HTTP, a person has them", withPerson.messages);
  line("customer's messages through HTTP, the agent answers each", withAgent.messages);
  line("  the same, with the agent's own messages", withAgent.all);
  // Writes of a group share its commit. If a commit is as cheap as a request, there is little to share.
  const ms = (rate: number) => `${(1000 / rate).toFixed(2)} ms`;
  console.log(`here one commit takes ${ms(bare)}, one message ${ms(withPerson.messages)}`);
  const ok = withPerson.messages >= BUDGET * bare;
  console.log(`${ok ? "ok  " : "LOW "} budget ${BUDGET} x`);
  process.exitCode = ok ? 0 : 1;
} finally {
  rmSync(folder, { recursive: true, force: true });
}

/** Inserts per second, each committed and synced separately. */
function bareLoop(path: string): number {
  const db = new DatabaseSync(path);
  db.exec(
    "PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; CREATE TABLE m (id TEXT PRIMARY KEY, at INTEGER, body TEXT)",
  );
  const insert = db.prepare("INSERT INTO m VALUES (?, ?, ?)");
  const end = performance.now() + SECONDS * 1000;
  let count = 0;
  for (; performance.now() < end; count += 1) insert.run(randomUUID(), Date.now(), BODY);
  db.close();
  return count / SECONDS;
}

/** Acknowledged messages per second of a separate service process; `isWithPerson` keeps the agent silent. */
async function throughHttp(
  dataDir: string,
  isWithPerson: boolean,
): Promise<{ messages: number; all: number }> {
  const credential = await prepare(dataDir);
  const service = await startService(dataDir);
  const pool = new Pool(service.url, { connections: WRITERS });
  const post = async (path: string, bearer: string, body: unknown) => {
    const answer = await pool.request({
      method: "POST",
      path,
      headers: {
        authorization: `Bearer ${bearer}`,
        "content-type": "application/json",
        accept: "application/json",
      },
      body: JSON.stringify(body),
    });
    const text = await answer.body.text();
    if (answer.statusCode >= 300) throw new Error(`${path} answered ${answer.statusCode}: ${text}`);
    return JSON.parse(text) as unknown;
  };
  try {
    const customers = await Promise.all(
      Array.from({ length: WRITERS }, async (_, index) => {
        const { token } = Port.parse(
          await post("/v1/sdk/sessions", credential, { externalId: `bench-${index}` }),
        );
        const { conversation } = Started.parse(await post("/v1/support/conversations", token, {}));
        if (isWithPerson) await post("/v1/support/handoffs", token, { conversationId: conversation.id });
        return { token, path: `/v1/support/conversations/${conversation.id}/turns` };
      }),
    );
    const end = performance.now() + SECONDS * 1000;
    let messages = 0;
    await Promise.all(
      customers.map(async ({ token, path }) => {
        while (performance.now() < end) {
          const body = {
            clientMessageId: randomUUID(),
            content: { body: BODY, format: "plain" },
            attachments: [],
          };
          await post(path, token, body);
          messages += 1;
        }
      }),
    );
    const all = countMessages(join(dataDir, "service.sqlite"));
    if (all < messages) throw new Error(`${messages} were acknowledged, ${all} are there.`);
    return { messages: messages / SECONDS, all: all / SECONDS };
  } finally {
    await pool.close();
    await service.stop();
  }
}

async function prepare(dataDir: string): Promise<string> {
  const store = openStore(dataDir, { clock: systemClock, random: systemRandom }, () => undefined);
  const workspace = await createWorkspace(store, systemRandom, "bench");
  const { credential } = await issueCredential(store, systemRandom, {
    workspaceId: workspace.id,
    label: "bench",
  });
  await store.close();
  return credential;
}

async function startService(dataDir: string): Promise<{ url: string; stop(): Promise<void> }> {
  const child = spawn(process.execPath, ["service/main.ts"], {
    cwd: ROOT,
    env: { ["DATA_DIR"]: dataDir, ["PORT"]: "0", ["LOG_LEVEL"]: "error" },
    stdio: ["ignore", "pipe", "inherit"],
  });
  // Keep reading: a full pipe would block the service, which prints the desk's link next.
  let printed = "";
  await new Promise<void>((resolve) => {
    child.once("exit", () => resolve());
    child.stdout.setEncoding("utf8").on("data", (chunk: string) => {
      printed += chunk;
      if (printed.includes("/v1")) resolve();
    });
  });
  const url = /http:\/\/[\d.:]+/.exec(printed)?.[0];
  if (!url) throw new Error(`The service did not start: ${printed}`);
  return {
    url,
    async stop() {
      const ended = once(child, "exit");
      child.kill("SIGTERM");
      await ended;
    },
  };
}

function countMessages(path: string): number {
  const db = new DatabaseSync(path, { readOnly: true });
  const row = db.prepare("SELECT count(*) AS count FROM events WHERE type = 'message.created'").get();
  db.close();
  return Number(row?.["count"] ?? 0);
}
