import { DatabaseSync } from "node:sqlite";
import fc from "fast-check";
import { afterAll, beforeAll, expect, it } from "vitest";
import { PROBLEM_MEDIA_TYPE, Problem } from "../../shared/errors.ts";
import type { Clock } from "../../shared/server/clock.ts";
import { systemClock } from "../../shared/server/clock.ts";
import { type Door, openDoor, PAGE_ORIGIN } from "./door.test-kit.ts";
import { type MockUpstream, startMockUpstream } from "./mock.ts";
import { anyRequest, type Generated, LIVE_TOKEN } from "./request.test-kit.ts";

/** Both settable: `FUZZ_SEED=1 FUZZ_RUNS=1000 vitest run --project slow fuzz`. */
const SEED = Number(process.env["FUZZ_SEED"] ?? Date.now() % 2 ** 31);
const RUNS = Number(process.env["FUZZ_RUNS"] ?? 20_000);

/** Each request comes so much later than the one before: the limits of a minute are for another test. */
const STEP_MS = 3000;
let time = Date.now();
const clock: Clock = { ...systemClock, now: () => time };

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
  door = await openDoor(mock, { clock });
  rows = new DatabaseSync(door.storePath, { readOnly: true });
});
afterAll(async () => {
  rows.close();
  await door.close();
  await mock.close();
  process.off("unhandledRejection", note);
  process.off("uncaughtException", note);
});

/** Refusals that the BFF makes by itself: the service has nothing to do with them. */
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
  // Nothing was written and nobody asked the service: the state is the one before.
  const at = JSON.stringify([rows.prepare("PRAGMA data_version").get(), mock.requests.length]);
  if (known.at !== at) known = { at, state: readState() };
  return known.state;
}

function readState(): string {
  // The counts of limits change with every request, refused ones too.
  const stored = rows
    .prepare("SELECT key, value FROM entries WHERE key LIKE 'session:%' OR key LIKE 'pointer:%' ORDER BY key")
    .all();
  const events = [...mock.state.conversations.values()].map((conversation) => conversation.events.length);
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
  return await door.bff.app.fetch(request);
}

/** Reads a whole answer; of an event stream only that it is one. */
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
  expect(answer.status, text).toBeLessThan(500);
  if (answer.status < 400) return answer.status;
  expect(stateNow()).toBe(before);
  if (answer.headers.get("content-type") === PROBLEM_MEDIA_TYPE && generated.method !== "HEAD") {
    const { code } = Problem.parse(JSON.parse(text));
    // Whether a file is there, the service alone knows.
    const isFile = code === "not_found" && generated.path.startsWith("/api/conversation/attachments/");
    if (OWN_REFUSALS.has(code) && !isFile)
      expect(mock.requests.length, `${code} called the service`).toBe(called);
  }
  return answer.status;
}

it(`${RUNS} generated requests: nothing of 500 or above, nothing changed by what was refused`, async () => {
  process.stdout.write(`fuzz seed ${SEED} (FUZZ_SEED=${SEED} repeats it)\n`);
  const answered = new Map<number, number>();
  await renewToken();
  const property = fc.asyncProperty(anyRequest, async (generated) => {
    // A generated logout succeeds now and then; without a living session the rest would only meet the gate.
    const status = await check(generated);
    answered.set(status, (answered.get(status) ?? 0) + 1);
    if (generated.method === "DELETE" && generated.path.startsWith("/api/session") && status < 300)
      await renewToken();
  });
  // The requests build on each other's state, so that a smaller one need not fail: the first failure is told as it is.
  await fc.assert(property, { seed: SEED, numRuns: RUNS, endOnFailure: true });
  expect(unhandled).toEqual([]);
  expect(mock.violations).toEqual([]);
  expect([...answered.values()].reduce((sum, count) => sum + count, 0)).toBe(RUNS);
  process.stdout.write(`fuzz answers ${JSON.stringify(Object.fromEntries(answered))}\n`);
  // A fuzz that never gets behind the gate shows nothing: every class of answer was met (control).
  for (const status of [200, 201, 400, 401, 403, 404, 405, 413, 415])
    expect(answered.get(status), `${status}`).toBeGreaterThan(0);
});

it("the fuzz sees a change of state by a refused request (control)", async () => {
  const before = stateNow();
  await renewToken();
  await door.call("POST", "/api/conversation", { token, body: { clientMessageId: "cm-1", body: "Hello" } });
  expect(stateNow()).not.toBe(before);
});
