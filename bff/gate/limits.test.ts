import { describe, expect, it } from "vitest";
import { createFakeService } from "../../service/testing/fake/fake-service.ts";
import { png } from "../../service/testing/files.ts";
import { networkOf } from "../../shared/server/client-address.ts";
import { createUseCounts } from "../../shared/server/use-counts.ts";
import { parseConfig } from "../config.ts";
import type { Use } from "../request/request-context.ts";
import { withEventLines } from "../testing/event-lines.ts";
import { createTestBff, problemOf } from "../testing/test-bff.ts";
import { createTestClock } from "../testing/test-clock.ts";
import { takeUses } from "./limits.ts";

/** Takes uses of one rule, which are counted in memory. */
function openRule(onUse: (use: Use) => void = () => undefined): (key: string) => Promise<unknown> {
  const clock = createTestClock();
  const deps = { clock, counts: createUseCounts(clock), onUse };
  return (key) => takeUses(deps, [[{ name: "test", max: 1, windowMs: 60_000 }, key]]);
}

function open(env: Record<string, string> = {}) {
  const service = createFakeService();
  withEventLines(service);
  const clock = createTestClock();
  const bff = createTestBff({ service, clock, env });
  const from = (remoteAddress: string) => ({ incoming: { socket: { remoteAddress } } });
  const start = (address: string) =>
    bff.request("POST", "/api/session", {
      headers: { "content-type": "application/json" },
      body: "{}",
      env: from(address),
    });
  const stream = (token: string, address: string) =>
    bff.request("GET", "/api/conversation/events", { token, env: from(address) });
  const send = (token: string, n: number) =>
    bff.post("/api/conversation/messages", { clientMessageId: `k${n}`, body: "x" }, token);
  return { bff, clock, start, stream, send };
}

/** A file that goes on until `signal` aborts. */
const endless = (signal: AbortSignal) =>
  new ReadableStream<Uint8Array>({
    start(controller) {
      controller.enqueue(png());
      signal.addEventListener("abort", () => controller.close());
    },
  });

describe("limits", () => {
  it("an answer says how much is left and when it resets", async () => {
    const { bff, clock, send } = open({ LIMIT_SENDS_PER_SESSION: "3" });
    const { token } = await bff.startConversation();
    await clock.advance(20_000);
    const sent = await send(token, 2);
    expect(sent.headers.get("ratelimit-policy")).toBe('"sends";q=3;w=60');
    expect(sent.headers.get("ratelimit")).toBe('"sends";r=1;t=40');
    await send(token, 3);
    const refused = await send(token, 4);
    expect(refused.headers.get("ratelimit")).toBe('"sends";r=0;t=40');
    expect(refused.headers.get("retry-after")).toBe("40");
    expect(await problemOf(refused)).toBe("429 rate_limited");
    await clock.advance(40_000);
    expect((await send(token, 4)).status).toBe(201);
  });

  it.each([
    ["SENDS_PER_CUSTOMER", "customer-sends"],
    ["SENDS_PER_ADDRESS", "address-sends"],
    ["CALLS_PER_SESSION", "calls"],
  ])("LIMIT_%s", async (variable, name) => {
    const { bff, send } = open({ [`LIMIT_${variable}`]: "2" });
    const { token } = await bff.startConversation();
    const act = (n: number) =>
      name === "calls" ? bff.post("/api/conversation/handoff", {}, token) : send(token, n);
    const codes: number[] = [];
    for (let n = 2; n <= 4; n += 1) codes.push((await act(n)).status);
    expect(codes.at(-1)).toBe(429);
    expect(codes[0]).toBe(201);
  });

  it("a message counts once for each 2,000 bytes begun, in the limit of its address only", async () => {
    const { bff, clock } = open({ LIMIT_SENDS_PER_ADDRESS: "8", LIMIT_SENDS_PER_SESSION: "5" });
    const { token } = await bff.startConversation();
    let keys = 0;
    const send = async (body: string) => {
      keys += 1;
      const message = { clientMessageId: `long-${keys}`, body };
      return (await bff.post("/api/conversation/messages", message, token)).status;
    };
    const long = "é".repeat(4000);
    // The start counted once, and each of these counts five times.
    expect([await send(long), await send(long)]).toEqual([201, 429]);
    await clock.advance(60_000);
    const short = [];
    for (let count = 0; count < 6; count += 1) short.push(await send("e"));
    expect(short).toEqual([201, 201, 201, 201, 201, 429]);
  });

  it("GATE5 a limit refuses before the body is read", async () => {
    const { bff } = open({ LIMIT_SENDS_PER_SESSION: "1" });
    const { token } = await bff.startConversation();
    let isRead = false;
    const body = new ReadableStream(
      {
        pull() {
          isRead = true;
        },
      },
      { highWaterMark: 0 },
    );
    const headers = { "content-type": "application/json" };
    const answer = await bff.request("POST", "/api/conversation/messages", { token, headers, body });
    expect([answer.status, isRead]).toEqual([429, false]);
  });

  it.each([
    ["HANDOFFS_PER_CUSTOMER", "POST", "/api/conversation/handoff"],
    ["HANDOFFS_PER_ADDRESS", "POST", "/api/conversation/handoff"],
    ["ERASURES_PER_ADDRESS", "DELETE", "/api/conversation/content"],
  ])("LIMIT_%s counts for an hour", async (variable, method, path) => {
    const { bff, clock, start } = open({ [`LIMIT_${variable}`]: "2" });
    const { token } = await bff.startConversation();
    const isOfAddress = variable.endsWith("ADDRESS");
    // A limit of an address counts over customers, one of a customer over addresses.
    const act = async (n: number) => {
      const by = isOfAddress ? (await bff.startConversation()).token : token;
      const address = isOfAddress ? "198.51.100.1" : `198.51.100.${n}`;
      const env = { incoming: { socket: { remoteAddress: address } } };
      const headers = { "content-type": "application/json" };
      const body = method === "POST" ? { body: "{}" } : {};
      return (await bff.request(method, path, { token: by, env, headers, ...body })).status;
    };
    expect((await start("198.51.100.9")).status).toBe(201);
    const codes = [await act(1), await act(2), await act(3)];
    await clock.advance(50 * 60_000);
    codes.push(await act(4));
    await clock.advance(10 * 60_000);
    codes.push(await act(5));
    expect(codes.map((code) => code === 429)).toEqual([false, false, true, true, false]);
  });

  it("files of one address count by megabytes that are begun, however many sessions send them", async () => {
    const { bff } = open({ LIMIT_UPLOAD_MB_PER_ADDRESS: "3" });
    const send = async (bytes: number) => {
      const { token } = await bff.startConversation();
      const file = new Uint8Array(bytes);
      file.set(png());
      const headers = {
        "idempotency-key": `f${bytes}`,
        "x-file-name": "a.png",
        "content-length": String(bytes),
      };
      const path = "/api/conversation/attachments";
      return (await bff.request("POST", path, { token, headers, body: file })).status === 429;
    };
    expect([await send(1_500_000), await send(1000), await send(1001)]).toEqual([false, false, true]);
  });

  it("new sessions count by address and by network, however the address changes", async () => {
    const { start } = open({ LIMIT_SESSIONS_PER_ADDRESS: "2", LIMIT_SESSIONS_PER_NETWORK: "3" });
    const statuses: number[] = [];
    const addresses = ["198.51.100.1", "198.51.100.1", "198.51.100.1", "198.51.100.2", "198.51.100.3"];
    for (const address of [...addresses, "203.0.113.1"]) statuses.push((await start(address)).status);
    expect(statuses).toEqual([201, 201, 429, 201, 429, 201]);
  });

  it("streams count by session and by address, and a closed stream frees its place", async () => {
    const { bff, stream } = open({ LIMIT_STREAMS_PER_SESSION: "2", LIMIT_STREAMS_PER_ADDRESS: "3" });
    const [one, two] = [await bff.startConversation(), await bff.startConversation()];
    const first = await stream(one.token, "198.51.100.1");
    expect((await stream(one.token, "198.51.100.1")).status).toBe(200);
    expect((await stream(one.token, "198.51.100.9")).status).toBe(429);
    expect((await stream(two.token, "198.51.100.1")).status).toBe(200);
    const refused = await stream(two.token, "198.51.100.1");
    expect(refused.headers.get("retry-after")).toBe("30");
    await first.body?.cancel();
    expect((await stream(two.token, "198.51.100.1")).status).toBe(200);
  });

  it("a refused stream or upload counts in the metrics, by the limit that refused it", async () => {
    const { bff, stream } = open({ LIMIT_STREAMS_PER_SESSION: "1", LIMIT_STREAMS_PER_ADDRESS: "1" });
    const [one, two] = [await bff.startConversation(), await bff.startConversation()];
    await stream(one.token, "198.51.100.1");
    for (const { token } of [one, two]) expect((await stream(token, "198.51.100.1")).status).toBe(429);
    const sending = new AbortController();
    const upload = () =>
      bff.request("POST", "/api/conversation/attachments", {
        token: one.token,
        headers: { "idempotency-key": "file-1", "x-file-name": "a.png" },
        body: endless(sending.signal),
      });
    const uploads = Array.from({ length: 9 }, upload);
    await expect.poll(() => bff.bff.metrics()).toContain('parley_rate_limited_total{limit="open-uploads"} 1');
    sending.abort();
    await Promise.all(uploads);
    const text = await bff.bff.metrics();
    for (const limit of ["streams", "address-streams"])
      expect(text).toContain(`parley_rate_limited_total{limit="${limit}"} 1`);
  });

  it("simultaneous streams of one session get no more places than successive ones", async () => {
    const { bff, stream } = open({ LIMIT_STREAMS_PER_SESSION: "2" });
    const { token } = await bff.startConversation();
    const answers = await Promise.all(Array.from({ length: 10 }, () => stream(token, "198.51.100.1")));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(2);
  });

  it("a flood of addresses is bounded in memory and resets no active address", async () => {
    const take = openRule();
    for (let n = 0; n < 50_000; n += 1) {
      await take(`address ${n}`);
      if (n % 4000 === 0 && n > 0) await expect(take(`address ${n - 1}`)).rejects.toThrow();
    }
    // The oldest were dropped.
    await take("address 0");
  });

  it("onUse is called for every use, refused ones too", async () => {
    const uses: Use[] = [];
    const take = openRule((use) => uses.push(use));
    await take("a");
    await expect(take("a")).rejects.toThrow();
    expect(uses.map(({ remaining, isRefused }) => [remaining, isRefused])).toEqual([
      [0, false],
      [0, true],
    ]);
  });

  it("a limit that is not a number stops the start", () => {
    for (const value of ["0", "-1", "many", "1000000"]) {
      expect(() => parseConfig({ LIMIT_SENDS_PER_SESSION: value }, () => "")).toThrow(
        "LIMIT_SENDS_PER_SESSION must be a whole number from 1 to 100000.",
      );
    }
  });
});

describe("the network of an address", () => {
  it.each([
    ["198.51.100.7", "198.51.100.0/24"],
    ["20010db8000012/56", "20010db80000/48"],
    ["unknown", "unknown"],
  ])("%s: %s", (address, network) => {
    expect(networkOf(address)).toBe(network);
  });
});
