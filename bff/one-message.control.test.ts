import { mkdtempSync, rmSync } from "node:fs";
import { type Profiler, Session } from "node:inspector/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, expect, it } from "vitest";
import { startEmbeddedService } from "../service/embedded.ts";
import type { SessionState } from "../shared/api/session.ts";
import { systemClock } from "../shared/server/clock.ts";
import { type Listening, listen } from "../shared/server/listen.ts";
import { parseHours } from "./routing/support-hours.ts";
import { createSqliteStore } from "./store/sqlite-store.ts";
import { createTestBff, ORIGIN } from "./testing/test-bff.ts";
import { createTestClock } from "./testing/test-clock.ts";
import { createFetchTransport } from "./upstream/fetch-transport.ts";

/** How many files of the BFF may take part in one message, from its server to the store and back. */
const MAX_FILES = 25;

const ROOT = fileURLToPath(new URL("..", import.meta.url));

const closing: (() => unknown)[] = [];
let server: Listening;
let token: string;
const inspector = new Session();

beforeAll(async () => {
  const dataDir = mkdtempSync(join(tmpdir(), "parley-one-message-"));
  closing.push(() => rmSync(dataDir, { recursive: true, force: true }));
  const quiet = () => undefined;
  const log = { debug: quiet, info: quiet, warn: quiet, error: quiet };
  const service = await startEmbeddedService({ dataDir, env: {}, log });
  closing.push(() => service.close());
  // The test's clock runs no timer of the BFF, so only the message calls functions.
  const clock = createTestClock();
  const { bff } = createTestBff({
    service: service.app,
    transport: createFetchTransport(service.app, { isQuiet: true }),
    store: createSqliteStore(join(dataDir, "bff.sqlite"), { clock }),
    clock,
    log,
    env: { APPLICATION_CREDENTIAL: service.credential, APPLICATION_PUBLIC_KEY: service.publicKey },
  });
  closing.push(() => bff.close());
  server = await listen({ app: bff.app, host: "127.0.0.1", port: 0, clock: systemClock });
  closing.push(() => server.stop());
  const session = (await (await post("/api/session", {})).json()) as SessionState;
  ({ token } = session);
  await post("/api/conversation", { clientMessageId: "first", body: "Hello" });
  inspector.connect();
  await inspector.post("Profiler.enable");
  await inspector.post("Profiler.startPreciseCoverage", { callCount: true, detailed: false });
});

afterAll(async () => {
  inspector.disconnect();
  for (const close of closing.toReversed()) await close();
});

function post(path: string, body: unknown): Promise<Response> {
  return fetch(server.url + path, {
    method: "POST",
    headers: {
      origin: ORIGIN,
      "content-type": "application/json",
      ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
    },
    body: JSON.stringify(body),
  });
}

/** The BFF's own files with a function that ran during `work`. */
async function filesOf(work: () => Promise<unknown>): Promise<readonly string[]> {
  await inspector.post("Profiler.takePreciseCoverage");
  await work();
  const { result } = await inspector.post("Profiler.takePreciseCoverage");
  // Vitest reads each export through a getter without a name, also that of a constant.
  const ran = ({ functions }: Profiler.ScriptCoverage) =>
    functions.some(({ functionName, ranges: [range] }) => functionName !== "" && (range?.count ?? 0) > 0);
  const paths = result.filter(ran).map(({ url }) => url.split(ROOT)[1] ?? "");
  const names = paths.map((path) => /^(bff\/(?!testing\/).+(?<!\.test)\.ts)/.exec(path)?.[1]);
  return [...new Set(names.filter((name) => name !== undefined))].sort();
}

const send = async (clientMessageId: string) => {
  const answer = await post("/api/conversation/messages", { clientMessageId, body: "How are you?" });
  expect(answer.status).toBe(201);
};

it("one message passes at most 25 files of the BFF, from its server to the store and back", async () => {
  const files = await filesOf(() => send("second"));
  expect(files).toEqual(expect.arrayContaining(["bff/gate/gate.ts", "bff/store/sqlite-store.ts"]));
  expect(files.length, files.join("\n")).toBeLessThanOrEqual(MAX_FILES);
});

it("a file that a message would also pass is counted", async () => {
  const files = await filesOf(() => send("third"));
  const more = await filesOf(async () => {
    await send("fourth");
    parseHours("Mon-Fri 09:00-17:00 UTC", (fault) => expect.fail(fault));
  });
  expect(more.filter((name) => !files.includes(name))).toEqual([
    "bff/routing/hours.ts",
    "bff/routing/support-hours.ts",
  ]);
});
