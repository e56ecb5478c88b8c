import { randomUUID } from "node:crypto";
import { setPriority } from "node:os";
import { parentPort, workerData } from "node:worker_threads";
import { Pool } from "undici";
import * as z from "zod/mini";

const Task = z.object({
  name: z.enum(["messages", "hand-offs", "files", "erasures", "readiness"]),
  url: z.string(),
  /** The attacker's one address. */
  address: z.string(),
});
export type FloodName = z.infer<typeof Task>["name"];

/** An attacker has a machine of their own: this thread leaves the processor to the servers. */
const NICE = 10;
const AT_ONCE = 16;
/** After this many requests the flood counts as running. */
const WARM = 50;
const LONG_TEXT = "€".repeat(5000);
const FILE = Buffer.concat([Buffer.from("%PDF-1.7\n"), Buffer.alloc(3_000_000), Buffer.from("\n%%EOF\n")]);

/** Floods one product from one address until a message stops it. It ignores every limit. */
async function flood(): Promise<void> {
  const { name, url, address } = Task.parse(workerData);
  setPriority(NICE);
  const pool = new Pool(url, { connections: AT_ONCE });
  const counts = { taken: 0, refused: 0 };
  const began = performance.now();
  let isOver = false;
  parentPort?.once("message", () => {
    isOver = true;
  });

  const call = async (method: "GET" | "POST" | "DELETE", path: string, token?: string, given?: unknown) => {
    const isFile = Buffer.isBuffer(given);
    const answer = await pool.request({
      method,
      path,
      headers: {
        origin: url,
        "x-forwarded-for": address,
        ...(given === undefined || isFile ? {} : { "content-type": "application/json" }),
        ...(isFile ? { "x-file-name": "a.pdf", "idempotency-key": randomUUID() } : {}),
        ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
      },
      body: given === undefined ? null : isFile ? given : JSON.stringify(given),
    });
    const text = await answer.body.text();
    const isTaken = answer.statusCode < 300;
    counts[isTaken ? "taken" : "refused"] += 1;
    if (counts.taken + counts.refused === WARM) parentPort?.postMessage("running");
    return isTaken ? text : undefined;
  };
  const message = () => ({ clientMessageId: randomUUID(), body: LONG_TEXT });
  /** A session with a conversation, or the last one that the limits allowed. */
  let last: string | undefined;
  const start = async () => {
    const opened = await call("POST", "/api/session", undefined, {});
    const token =
      opened === undefined ? last : z.object({ token: z.string() }).parse(JSON.parse(opened)).token;
    last = token;
    await call("POST", "/api/conversation", token, message());
    return token;
  };
  const acts: Readonly<Record<FloodName, () => Promise<unknown>>> = {
    async messages() {
      const token = await start();
      for (let count = 0; count < 20; count += 1) {
        await call("POST", "/api/conversation/messages", token, message());
        await call("POST", "/api/session", token, {});
      }
    },
    "hand-offs": async () => call("POST", "/api/conversation/handoff", await start(), {}),
    files: async () => call("POST", "/api/conversation/attachments", await start(), FILE),
    erasures: async () => call("DELETE", "/api/conversation/content", await start()),
    readiness: () => call("GET", "/readyz"),
  };
  await Promise.all(
    Array.from({ length: AT_ONCE }, async () => {
      // A refused file's connection may be closed while it is still being sent.
      while (!isOver) await acts[name]().catch(() => undefined);
    }),
  );
  await pool.close();
  const { user, system } = process.threadCpuUsage();
  parentPort?.postMessage({ ...counts, share: (user + system) / 1000 / (performance.now() - began) });
}

await flood();
