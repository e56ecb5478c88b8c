import { once } from "node:events";
import { type AddressInfo, createServer } from "node:net";
import { describe, expect, it } from "vitest";
import { parseConfig } from "../config.ts";
import { createScriptedService, json } from "../testing/scripted-service.ts";
import { createTestBff } from "../testing/test-bff.ts";
import { createTestClock } from "../testing/test-clock.ts";
import { createMetricsApp } from "./metrics-door.ts";
import { createRegistry } from "./registry.ts";

const TOKEN = "metrics-token-canary";
const bearer = { authorization: `Bearer ${TOKEN}` };

function open(env: Record<string, string> = { METRICS_TOKEN: TOKEN }) {
  const service = createScriptedService();
  return { service, bff: createTestBff({ service, env, clock: createTestClock() }) };
}

describe("the metrics", () => {
  it("are there for who has the token, and for nobody else", async () => {
    const { bff } = open();
    expect((await bff.request("GET", "/metrics", { headers: bearer })).status).toBe(200);
    for (const authorization of ["", "Bearer x", TOKEN, `Bearer ${TOKEN}x`, "Basic eDp5"]) {
      expect((await bff.request("GET", "/metrics", { headers: { authorization } })).status).toBe(404);
    }
    expect((await bff.request("POST", "/metrics", { headers: bearer })).status).toBe(404);
  });

  it("without a token they are nowhere on this port", async () => {
    const { bff } = open({});
    expect((await bff.request("GET", "/metrics", { headers: bearer })).status).toBe(404);
  });

  it("on a port of their own they are alone", () => {
    const app = createMetricsApp(() => "text");
    expect(app.fetch(new Request("http://localhost:9464/metrics")).status).toBe(200);
    for (const path of ["/", "/api/config", "/metrics/", "/readyz"]) {
      expect(app.fetch(new Request(`http://localhost:9464${path}`)).status).toBe(404);
    }
  });

  it("METRICS_PORT is another port than the chat's", async () => {
    const server = createServer().listen(0, "127.0.0.1");
    await once(server, "listening");
    const { port } = server.address() as AddressInfo;
    server.close();
    expect(parseConfig({ METRICS_PORT: String(port) }, () => "").metrics.port).toBe(port);
    expect(() => parseConfig({ METRICS_PORT: "3000" }, () => "")).toThrow(
      "METRICS_PORT is the port of the chat",
    );
  });

  it("count what happened, by names of ours", async () => {
    const { bff, service } = open();
    const { token } = await bff.startConversation();
    service.answer("turns", () => json({}, 422));
    await bff.post("/api/conversation/messages", { clientMessageId: "k2", body: "x" }, token);
    await bff.request("PROPFIND", "/api/canary");
    const text = bff.bff.metrics();
    for (const line of [
      'parley_http_requests_total{route="/api/session",method="POST",status="201"} 1',
      'parley_http_requests_total{route="/api/conversation/messages",method="POST",status="502"} 1',
      'parley_http_requests_total{route="none",method="other",status="405"} 1',
      'parley_upstream_calls_total{operation="identify",outcome="ok"} 1',
      'parley_upstream_calls_total{operation="turns",outcome="support_refused"} 1',
      'parley_upstream_call_seconds_bucket{operation="identify",le="0.01"} 1',
      'parley_upstream_circuit{operation="turns"} 0',
      "parley_sessions_started_total 1",
      "parley_streams_open 0",
    ]) {
      expect(text).toContain(`${line}\n`);
    }
    expect(text).not.toContain("canary");
  });

  it("are of the form that Prometheus reads", async () => {
    const { bff } = open();
    await bff.startConversation();
    const line = /^(# (HELP|TYPE) [a-z_]+ .+|[a-z_]+(\{([a-z]+="[^"\n]*",?)+\})? [0-9.e+-]+)$/;
    for (const text of bff.bff.metrics().trimEnd().split("\n")) expect(text).toMatch(line);
  });

  it("no input makes series without end", () => {
    const registry = createRegistry();
    const counter = registry.counter("hits_total", "Hits.");
    for (let n = 0; n < 10_000; n += 1) counter.add({ path: `/${n}` });
    const lines = registry.text().trimEnd().split("\n");
    expect(lines.length).toBeLessThanOrEqual(203);
    expect(lines.at(-1)).toBe('hits_total{overflow="true"} 9800');
  });

  it("a label's value can't break its line", () => {
    const registry = createRegistry();
    registry.counter("hits_total", "Hits.").add({ path: 'a"} 1\nfake_total 2\\' });
    expect(registry.text()).toContain('hits_total{path="a\\"} 1\\nfake_total 2\\\\"} 1\n');
  });
});
