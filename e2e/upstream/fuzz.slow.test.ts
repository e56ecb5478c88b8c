import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import fc from "fast-check";
import { afterAll, beforeAll, expect, it } from "vitest";
import { createTestOutgoing } from "../../bff/testing/test-outgoing.ts";
import { FAILURES, PROBLEM_MEDIA_TYPE, Problem } from "../../shared/errors.ts";
import type { Clock } from "../../shared/server/clock.ts";
import { systemClock } from "../../shared/server/clock.ts";
import { type Door, openDoor, PAGE_ORIGIN } from "./door.test-kit.ts";
import { type MockUpstream, startMockUpstream } from "./mock.ts";
import { anyRequest, type Generated, LIVE_TOKEN } from "./request.test-kit.ts";

/** Both can be set: `FUZZ_SEED=1 FUZZ_RUNS=1000 vitest run --project slow fuzz`. */
const SEED = Number(process.env["FUZZ_SEED"] ?? Date.now() % 2 ** 31);
const RUNS = Number(process.env["FUZZ_RUNS"] ?? 5000);

/** Each request comes this much later than the previous one: another test covers the limits per minute. */
const STEP_MS = 3000;
let time = Date.now();
/** The BFF's periodic work would look like a change by the request that runs just then. */
const clock: Clock = { ...systemClock, now: () => time, every: () => () => undefined };

const folder = mkdtempSync(join(tmpdir(), "parley-fuzz-"));
let mock: MockUpstream;
let door: Door;
let rows: DatabaseSync;
let token = "";
const unhandled: unknown[] = [];
const note = (error: unknown) => void unhandled.push(error);

beforeAll(async () => {
  process.on("unhandledRejection", note);
  process.on("uncaughtException", note);
  mock = await startMockUpstream({ kind: "full" });
  const storePath = join(folder, "bff.sqlite");
  door = await openDoor(mock, { clock, storePath });
  rows = new DatabaseSync(storePath, { readOnly: true });
});
afterAll(async () => {
  rows.close();
  await door.close();
  await mock.close();
  rmSync(folder, { recursive: true });
  process.off("unhandledRejection", note);
  process.off("uncaughtException", note);
});

/** Refusals of the BFF itself, without a call of the service. */
const OWN_REFUSALS = new Set([
  "bad_json",
  "bad_request",
  "unauthenticated",
  "session_expired",
  "origin_not_allowed",
  "not_found",
  "method_not_allowed",
  "body_too_large",
  "unsupported_media_type",
  "rate_limited",
]);

let known = { at: "", state: "" };

/** Everything that a request could change, in the BFF's store and in the service. */
function stateNow(): string {
  // Nothing was written and the service was not called: the state is unchanged.
  const at = JSON.stringify([rows.prepare("PRAGMA data_version").get(), mock.requests.length]);
  if (known.at !== at) known = { at, state: readState() };
  return known.state;
}

function readState(): string {
  // The counts of limits change with every request, even refused ones. The service's token, which expires after 15
  // minutes, is renewed by the call that needs it, whatever the service then answers.
  const stored = rows
    .prepare(
      `SELECT key, json_remove(value, '$.sealedToken', '$.tokenExpiresAt') AS value FROM entries
       WHERE key LIKE 'session:%' OR key LIKE 'pointer:%' ORDER BY key`,
    )
    .all();
  // An agent's answer comes later, from a turn that was taken and is counted itself.
  const events = [...mock.conversations.values()].map(
    (conversation) =>
      conversation.events.filter((event) => !("message" in event) || event.message.role !== "agent").length,
  );
  return JSON.stringify([stored, events]);
}

async function renewToken(): Promise<void> {
  const answer = await door.call("POST", "/api/session", { body: {} });
  token = (answer.json as { token: string }).token;
}

async function send({ method, path, headers, body }: Generated): Promise<Response> {
  const filled = { ...headers };
  if (filled["authorization"] === LIVE_TOKEN) filled["authorization"] = `Bearer ${token}`;
  const request = new Request(new URL(path, PAGE_ORIGIN), {
    method,
    headers: filled,
    ...(body === undefined ? {} : { body: Uint8Array.from(body) }),
  });
  const { outgoing, answerOf } = createTestOutgoing();
  return answerOf(await door.bff.app.fetch(request, { outgoing }));
}

/** Reads a whole answer; for an event stream, only checks that it is one. */
async function read(answer: Response): Promise<string> {
  if (answer.headers.get("content-type") !== "text/event-stream") return await answer.text();
  await answer.body?.cancel();
  return "";
}

async function check(generated: Generated): Promise<number> {
  time += STEP_MS;
  const before = stateNow();
  const called = mock.requests.length;
  const answer = await send(generated);
  const text = await read(answer);
  const told = `FUZZ_SEED=${SEED}: ${answer.status} to ${generated.method} ${generated.path}`;
  expect(answer.status, `${told}: ${text}`).toBeLessThan(500);
  if (answer.status < 400) return answer.status;
  expect(stateNow(), `${told} changed the state`).toBe(before);
  if (answer.headers.get("content-type") === PROBLEM_MEDIA_TYPE && generated.method !== "HEAD") {
    const { code, detail } = Problem.parse(JSON.parse(text));
    // Only the service knows whether a file or an answer exists, and how long its log is.
    const isMissing =
      code === "not_found" && /^\/api\/conversation\/(attachments\/|feedback$)/.test(generated.path);
    const isPastTheLog = generated.path === "/api/conversation/read" && detail === FAILURES.bad_request[2];
    if (OWN_REFUSALS.has(code) && !isMissing && !isPastTheLog)
      expect(mock.requests.length, `${told}, ${code}, called the service`).toBe(called);
  }
  return answer.status;
}

it(`${RUNS} generated requests: no status of 500 or above, and refused requests change nothing`, async () => {
  process.stdout.write(`fuzz seed ${SEED} (FUZZ_SEED=${SEED} repeats it)\n`);
  const answered = new Map<number, number>();
  await renewToken();
  const property = fc.asyncProperty(anyRequest, async (generated) => {
    // A generated logout sometimes succeeds; without a live session the remaining requests would only reach the gate.
    const status = await check(generated);
    answered.set(status, (answered.get(status) ?? 0) + 1);
    if (generated.method === "DELETE" && generated.path.startsWith("/api/session") && status < 300)
      await renewToken();
  });
  // The requests build on each other's state, so a shrunk sequence need not fail: the first failure is reported as it
  // is.
  await fc.assert(property, { seed: SEED, numRuns: RUNS, endOnFailure: true });
  expect(unhandled).toEqual([]);
  expect(mock.violations).toEqual([]);
  expect([...answered.values()].reduce((sum, count) => sum + count, 0)).toBe(RUNS);
  process.stdout.write(`fuzz answers ${JSON.stringify(Object.fromEntries(answered))}\n`);
  // A fuzz that never gets past the gate proves nothing: every class of answer occurred (control).
  for (const status of [200, 201, 400, 401, 403, 404, 405, 413, 415])
    expect(answered.get(status), `${status}`).toBeGreaterThan(0);
});

it("the fuzz detects a change of state by a refused request (control)", async () => {
  const before = stateNow();
  await renewToken();
  await door.call("POST", "/api/conversation", { token, body: { clientMessageId: "cm-1", body: "Hello" } });
  expect(stateNow()).not.toBe(before);
});

it("a refused request that renews the service's token changes nothing else", async () => {
  await renewToken();
  await door.call("POST", "/api/conversation", { token, body: { clientMessageId: "cm-1", body: "Hello" } });
  const tokens = () =>
    rows.prepare("SELECT value ->> '$.sealedToken' AS sealed FROM entries WHERE key LIKE 'session:%'").all();
  const [before, sealed] = [stateNow(), tokens()];
  time += 15 * 60_000;
  const { status } = await door.call("GET", "/api/conversation/attachments/att_1", { token });
  expect(status).toBe(404);
  expect(tokens()).not.toEqual(sealed);
  expect(stateNow()).toBe(before);
});
