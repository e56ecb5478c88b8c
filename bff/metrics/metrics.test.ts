import { createServer } from "node:net";
import { describe, expect, it } from "vitest";
import { createFakeService, json } from "../../service/testing/fake/fake-service.ts";
import { listenOnFreePort } from "../../shared/testing/listen.ts";
import { parseConfig } from "../config.ts";
import { createTestBff } from "../testing/test-bff.ts";
import { createTestClock } from "../testing/test-clock.ts";
import { createMetricsDoor } from "./metrics-door.ts";

const TOKEN = "metrics-token-canary";
const bearer = { authorization: `Bearer ${TOKEN}` };

function open(env: Record<string, string> = { METRICS_TOKEN: TOKEN }) {
  const service = createFakeService();
  return { service, bff: createTestBff({ service, env, clock: createTestClock() }) };
}

describe("the metrics", () => {
  it("need the token on the public port", async () => {
    const { bff } = open();
    expect((await bff.request("GET", "/metrics", { headers: bearer })).status).toBe(200);
    for (const authorization of ["", "Bearer x", TOKEN, `Bearer ${TOKEN}x`, "Basic eDp5"]) {
      expect((await bff.request("GET", "/metrics", { headers: { authorization } })).status).toBe(404);
    }
    expect((await bff.request("POST", "/metrics", { headers: bearer })).status).toBe(404);
  });

  it("without a configured token they are not on the public port", async () => {
    const { bff } = open({});
    expect((await bff.request("GET", "/metrics", { headers: bearer })).status).toBe(404);
  });

  it("are the only thing on a port of their own", async () => {
    const door = createMetricsDoor(async () => "text");
    expect((await door(new Request("http://localhost:9464/metrics")))?.status).toBe(200);
    for (const path of ["/", "/api/config", "/metrics/", "/readyz"]) {
      expect(await door(new Request(`http://localhost:9464${path}`))).toBeUndefined();
    }
  });

  it("on that port, are not given to a page that reaches it under a name of its own", async () => {
    const door = createMetricsDoor(async () => "text", undefined, "metrics.shop.example");
    const read = async (host: string) => (await door(new Request(`http://${host}:9464/metrics`)))?.status;
    for (const host of ["127.0.0.1", "[::1]", "10.0.0.7", "localhost", "parley", "metrics.shop.example"]) {
      expect(await read(host)).toBe(200);
    }
    for (const host of ["evil.example", "127.0.0.1.evil.example"]) expect(await read(host)).toBeUndefined();
  });

  it("METRICS_PORT must differ from the chat's port", async () => {
    const { port, close } = await listenOnFreePort(createServer());
    await close();
    expect(parseConfig({ METRICS_PORT: String(port) }, () => "").metrics.port).toBe(port);
    expect(() => parseConfig({ METRICS_PORT: "3000" }, () => "")).toThrow(
      "METRICS_PORT is the port of the chat",
    );
  });

  it("count requests, calls and sessions with our own labels only", async () => {
    const { bff, service } = open();
    const { token } = await bff.startConversation();
    service.answer("turns", () => json({}, 422));
    await bff.post("/api/conversation/messages", { clientMessageId: "k2", body: "x" }, token);
    await bff.request("PROPFIND", "/api/canary");
    const text = await bff.bff.metrics();
    for (const line of [
      'parley_http_requests_total{route="/api/session",method="POST",status="201"} 1',
      'parley_http_requests_total{route="/api/conversation/messages",method="POST",status="502"} 1',
      'parley_http_requests_total{route="none",method="other",status="405"} 1',
      'parley_upstream_calls_total{operation="identify",outcome="ok"} 1',
      'parley_upstream_calls_total{operation="turns",outcome="support_refused"} 1',
      'parley_upstream_call_seconds_bucket{le="0.01",operation="identify"} 1',
      'parley_upstream_circuit{operation="turns"} 0',
      "parley_sessions_started_total 1",
      "parley_streams_open 0",
    ]) {
      expect(text).toContain(`${line}\n`);
    }
    expect(text).not.toContain("canary");
  });

  it("OPS12 what an alert is about from its first time on is 0 before, for each operation and route", async () => {
    const { bff } = open();
    const lines = (await bff.bff.metrics()).split("\n");
    for (const line of [
      "parley_upstream_credential_refused_total 0",
      'parley_upstream_calls_total{operation="turns",outcome="not_confirmed"} 0',
      'parley_upstream_calls_total{operation="actionApprovals",outcome="not_confirmed"} 0',
      'parley_http_requests_total{route="/api/session",method="POST",status="500"} 0',
      'parley_http_requests_total{route="/api/conversation/messages",method="POST",status="500"} 0',
    ]) {
      expect(lines).toContain(line);
    }
  });

  it("have the text format that Prometheus reads", async () => {
    const { bff } = open();
    await bff.startConversation();
    const line = /^(# (HELP|TYPE) [a-z_]+ .+|[a-z_]+(\{([a-z]+="[^"\n]*",?)+\})? [0-9.e+-]+)$/;
    for (const text of (await bff.bff.metrics()).split("\n").filter(Boolean)) expect(text).toMatch(line);
  });

  it("a client can't create series with its own methods, paths or labels", async () => {
    const { bff } = open();
    const count = async () => (await bff.bff.metrics()).split("\n").length;
    await bff.request("PROPFIND", "/api/first");
    await bff.request("GET", "/api/first");
    const before = await count();
    for (let n = 0; n < 50; n += 1) {
      await bff.request(`METHOD${n}`, `/api/canary${n}`);
      await bff.request("GET", `/api/canary"} 1\n${n}`);
    }
    expect(await count()).toBe(before);
  });
});
