import fc from "fast-check";
import { afterAll, beforeAll, expect, it } from "vitest";
import { createTestBff, type TestBff } from "../../bff/testing/test-bff.ts";
import { createPoolTransport } from "../../bff/upstream/pool-transport.ts";
import type { Transport, UpstreamRequest } from "../../bff/upstream/transport.ts";
import { matchOperation } from "../../service/testing/fake/kinds.ts";
import { Problem } from "../../shared/errors.ts";
import { Handoff } from "../../shared/handoff.ts";
import { type Clock, systemClock } from "../../shared/server/clock.ts";
import { environmentOf, PAGE_ORIGIN } from "./door.test-kit.ts";
import type { Endpoint } from "./endpoint.ts";
import { type MockUpstream, startMockUpstream } from "./mock.ts";
import { type Called, PROVES } from "./proof.test-kit.ts";
import { anySpoil, type Spoil, UPSTREAM_WORDS } from "./spoil.test-kit.ts";

/** Both can be set: `FUZZ_SEED=2 FUZZ_RUNS=5000 vitest run --project node spoiled`. */
const SEED = Number(process.env["FUZZ_SEED"] ?? 1);
const RUNS = Number(process.env["FUZZ_RUNS"] ?? 160);
/** Far longer than a run takes on a busy machine. */
const RUN_MS = 1000;

/** Stands for the id of the customer's open hand-off. */
const OPEN = "OPEN";

/** The acts of a customer, with the calls that must be verified before each counts as a success. */
const STEPS = {
  session: ["POST", "/api/session", {}, ["identify", "sessions", "capabilities", "supportSelection"]],
  start: [
    "POST",
    "/api/conversation",
    { clientMessageId: "k1", body: "How long does delivery take?" },
    ["conversations", "turns"],
  ],
  message: [
    "POST",
    "/api/conversation/messages",
    { clientMessageId: "k2", body: "And to\nthe islands?" },
    ["turns"],
  ],
  handoff: ["POST", "/api/conversation/handoff", { reason: "asked" }, ["handoffs"]],
  proposal: ["GET", "/api/conversation/summary", undefined, ["proposeSummary"]],
  summary: ["POST", "/api/conversation/summary", { handoffId: OPEN, text: "Broken." }, ["sendSummary"]],
  end: ["DELETE", "/api/conversation", undefined, ["endConversation"]],
  resume: ["POST", "/api/session", {}, ["messages"]],
  file: ["POST", "/api/conversation/attachments", "%PDF-1.7\n%%EOF\n", ["attachments"]],
  rating: ["POST", "/api/conversation/rating", { score: "up", comment: "good" }, ["ratings"]],
  feedback: ["POST", "/api/conversation/feedback", { score: "up" }, ["feedback"]],
  contact: ["POST", "/api/conversation/contact", { email: "ann@shop.example" }, ["contacts"]],
  read: ["POST", "/api/conversation/read", { seq: 2 }, ["reads"]],
  typing: ["POST", "/api/conversation/typing", {}, ["typing"]],
  erasure: ["DELETE", "/api/conversation/content", undefined, ["eraseConversation"]],
} as const satisfies Record<string, readonly [string, string, object | string | undefined, Endpoint[]]>;
type Step = keyof typeof STEPS;

const TARGETS = (Object.keys(STEPS) as Step[]).flatMap((step) =>
  STEPS[step][3].map((endpoint) => ({ step, endpoint })),
);

/** Retry delays are skipped, and each request comes later than the limits per minute. */
let time = Date.now();
const STEP_MS = 3000;
const SHORT_MS = 2000;
const clock: Clock = {
  ...systemClock,
  now: () => time,
  after: (ms, run) => systemClock.after(ms <= SHORT_MS ? 0 : ms, run),
};

let mock: MockUpstream;
let bff: TestBff;
let spoiling: { readonly endpoint: Endpoint; readonly spoil: Spoil } | undefined;
const called: Called[] = [];
let openHandoff = "";
/** A valid answer of each call, from an earlier customer. */
const others = new Map<Endpoint, string>();
const unhandled: unknown[] = [];
const note = (error: unknown) => void unhandled.push(error);

beforeAll(async () => {
  process.on("unhandledRejection", note);
  mock = await startMockUpstream({ kind: "full" });
  const service = { fetch: () => Promise.reject(new Error("goes by the transport")) };
  bff = createTestBff({ service, env: environmentOf(mock), clock, transport: spoilingTransport(mock.url) });
});
afterAll(async () => {
  await bff.bff.close();
  await mock.close();
  process.off("unhandledRejection", note);
});

/** The real connection to the service, with one endpoint's answers changed on their way. */
function spoilingTransport(url: string): Transport {
  const line = createPoolTransport(url);
  return {
    ...line,
    async call(request) {
      const path = request.path.split("?", 1)[0] ?? "";
      const endpoint = matchOperation(request.method, path)?.operation.id;
      const file = { bytes: 0 };
      const answer = await line.call(counted(request, file));
      const text = Buffer.from(await answer.read(1024 * 1024)).toString();
      const right = { status: answer.status, type: answer.mediaType, text };
      if (!endpoint) throw new Error(`not in the contract: ${path}`);
      const isSpoilt = spoiling?.endpoint === endpoint;
      const given = isSpoilt && spoiling ? spoiling.spoil(right, [...others.values()]) : right;
      if (!isSpoilt) others.set(endpoint, text);
      const sent = typeof request.body === "string" ? JSON.parse(request.body) : undefined;
      called.push({ endpoint, path, sent, uploaded: file.bytes, ...given });
      const read = async () => Buffer.from(given.text);
      return Object.assign(answer, { status: given.status, mediaType: given.type, read });
    },
  };
}

function counted(request: UpstreamRequest, file: { bytes: number }): UpstreamRequest {
  const { body } = request;
  if (body === undefined || typeof body === "string") return request;
  async function* count(bytes: AsyncIterable<Uint8Array>) {
    for await (const chunk of bytes) {
      file.bytes += chunk.byteLength;
      yield chunk;
    }
  }
  return { ...request, body: count(body) };
}

async function take(step: Step, token: string | undefined) {
  time += STEP_MS;
  const [method, path, given] = STEPS[step];
  const body = step === "feedback" ? { ...STEPS[step][2], messageId: newestAnswer() } : given;
  const isFile = typeof body === "string";
  const headers: Record<string, string> = isFile
    ? { "idempotency-key": "f1", "x-file-name": "a.pdf" }
    : body
      ? { "content-type": "application/json" }
      : {};
  const answer = await bff.request(method, path, {
    token,
    headers: { origin: PAGE_ORIGIN, ...headers },
    ...(body === undefined ? {} : { body: isFile ? body : JSON.stringify(body).replace(OPEN, openHandoff) }),
  });
  const text = await answer.text();
  return { ok: answer.ok, text, json: JSON.parse(text) as Record<string, unknown> };
}

/** The id of the agent's answer in the conversation that was started last. */
const newestAnswer = () =>
  mock
    .logOf([...mock.conversations.keys()].at(-1) ?? "")
    .flatMap((event) => (event.type === "message.created" ? event.message : []))
    .find(({ role }) => role === "agent")?.id;

/** A customer, prepared as far as `step` requires. */
async function customerBefore(step: Step): Promise<string | undefined> {
  if (step === "session") return undefined;
  const { json } = await take("session", undefined);
  const token = String(json["token"]);
  if (step !== "start") expect(await take("start", token)).toMatchObject({ ok: true });
  if (step === "feedback") await expect.poll(newestAnswer).toBeDefined();
  if (step === "proposal" || step === "summary") {
    const { json: asked } = await take("handoff", token);
    openHandoff = Handoff.parse(asked["handoff"]).id;
  }
  return token;
}

/** Reports without proof, and data that nobody must read. */
function complaintsOf(step: Step, answer: Awaited<ReturnType<typeof take>>): string[] {
  const complaints: string[] = [];
  if (answer.ok) {
    for (const endpoint of STEPS[step][3])
      if (!called.some((one) => one.endpoint === endpoint && PROVES[endpoint]?.(one)))
        complaints.push(`success without proof of ${endpoint}`);
    const { message } = answer.json;
    const sent = STEPS[step][2];
    if (message !== undefined) expect(message).toMatchObject(sent as object);
  } else {
    const { code } = Problem.parse(answer.json);
    if (code === "internal") complaints.push("a bug of ours");
  }
  const { credential, handoffSecret } = mock.secrets;
  const secrets = [credential, handoffSecret, ...[...mock.tokens.keys()].slice(-2)];
  const written = `${bff.answered.join("\n")}\n${bff.lines.join("\n")}`;
  for (const secret of secrets) if (written.includes(secret)) complaints.push("a secret was told");
  // A target's name and a log's messages are the service's to choose; all its other text stays inside.
  const isTold = step !== "session" && step !== "resume" && answer.text.includes(UPSTREAM_WORDS);
  if (isTold || bff.lines.join("\n").includes(UPSTREAM_WORDS))
    complaints.push("the service's words were told");
  return complaints;
}

/** Erased or lost data does not come back, and neither does anything that started under another id. */
function mayStayAway(step: Step): boolean {
  const started = [...mock.conversations.keys()].at(-1) ?? "";
  const isElsewhere = called.some(
    ({ endpoint, text }) => endpoint === "conversations" && !text.includes(`"${started}"`),
  );
  return step === "erasure" || isElsewhere || called.some(({ status }) => status === 404);
}

it(
  `${RUNS} spoiled answers: no unproven success, none of their text, and the next call works`,
  async () => {
    const counts = { successes: 0, failures: 0 };
    const property = fc.asyncProperty(
      fc.constantFrom(...TARGETS),
      anySpoil,
      async ({ step, endpoint }, [name, spoil]) => {
        const token = await customerBefore(step);
        called.length = bff.lines.length = bff.answered.length = 0;
        spoiling = { endpoint, spoil };
        const answer = await take(step, token);
        spoiling = undefined;
        counts[answer.ok ? "successes" : "failures"] += 1;
        expect(complaintsOf(step, answer), `${step}, ${endpoint} ${name}: ${answer.text}`).toEqual([]);
        const again = await take(step, token);
        expect(again.ok || mayStayAway(step), `${name}: the next call, ${again.text}`).toBe(true);
      },
    );
    await fc.assert(property, { seed: SEED, numRuns: RUNS, endOnFailure: true });
    expect(unhandled).toEqual([]);
    // Spoiling that changes nothing, or everything, would prove nothing (control).
    expect(Math.min(counts.successes, counts.failures)).toBeGreaterThan(RUNS / 10);
  },
  30_000 + RUNS * RUN_MS,
);
