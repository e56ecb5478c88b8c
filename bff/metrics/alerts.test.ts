import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { createFakeService, json } from "../../service/testing/fake/fake-service.ts";
import { createTestBff } from "../testing/test-bff.ts";
import { createTestClock } from "../testing/test-clock.ts";
import { createFetchTransport } from "../upstream/fetch-transport.ts";

const DOCUMENT = readFileSync(new URL("../../docs/observability.md", import.meta.url), "utf8");

async function open() {
  const service = createFakeService();
  const clock = createTestClock();
  const real = createFetchTransport(service);
  const state = { isBroken: false };
  const call: typeof real.call = async (request) => {
    if (state.isBroken) throw new TypeError("canary");
    return real.call(request);
  };
  const bff = createTestBff({ service, clock, transport: { ...real, call } });
  const { token } = await bff.startConversation();
  const send = async (key = "k2") => {
    const sent = bff.post("/api/conversation/messages", { clientMessageId: key, body: "x" }, token);
    await clock.advance(1000);
    return sent;
  };
  const follow = (lastEventId: string) =>
    bff.request("GET", "/api/conversation/events", { token, headers: { "last-event-id": lastEventId } });
  /** The value of a series now. */
  const read = async (series: string): Promise<number> => {
    const line = (await bff.bff.metrics()).split("\n").find((one) => one.startsWith(`${series} `));
    return Number(line?.split(" ").at(-1));
  };
  return { service, clock, state, bff, token, send, follow, read };
}
type Opened = Awaited<ReturnType<typeof open>>;

/** The sum of a metric's series that a rule of the document selects; all its selectors are of the form `label!="value"`. */
function selected(text: string, metric: string): number {
  const rule = new RegExp(`\\| \`.*?rate\\(${metric}(\\{[^}]*\\})?.* \\|`).exec(DOCUMENT);
  if (!rule) throw new Error(`no rule about ${metric}`);
  const left = [...(rule[1] ?? "").matchAll(/(\w+)!=("[^"]*")/g)].map(
    ([, label, value]) => `${label}=${value}`,
  );
  const series = text.split("\n").filter((line) => line.startsWith(`${metric}{`));
  const counted = series.filter((line) => !left.some((one) => line.includes(one)));
  return counted.reduce((sum, line) => sum + Number(line.split(" ").at(-1)), 0);
}

describe("OPS12 the metric of an alert", () => {
  it.each<[fault: string, series: string, cause: (opened: Opened) => Promise<unknown>]>([
    [
      "a refused credential",
      "parley_upstream_credential_refused_total",
      ({ service, bff }) => {
        service.answer("identify", () => json({}, 401));
        return bff.post("/api/session", {});
      },
    ],
    [
      "an answer that proves nothing",
      'parley_upstream_calls_total{operation="turns",outcome="not_confirmed"}',
      ({ service, send }) => {
        service.answer("turns", () => json({ message: {} }, 201));
        return send();
      },
    ],
    [
      "a fault of this program",
      'parley_http_requests_total{route="/api/conversation/messages",method="POST",status="500"}',
      ({ state, send }) => {
        state.isBroken = true;
        return send();
      },
    ],
    [
      "a panel whose position is gone",
      'parley_stream_resets_total{reason="position_gone"}',
      ({ follow }) => follow("other-epoch:1"),
    ],
  ])("grows with %s", async (_, series, cause) => {
    const opened = await open();
    expect(await opened.read(series)).toBe(0);
    await cause(opened);
    expect(await opened.read(series)).toBe(1);
  });

  it.each(["full", "turns", "seven", "provider-only"] as const)(
    "counts no failed call while a service of the kind %s works",
    async (kind) => {
      const service = createFakeService({ kind });
      const bff = createTestBff({ service, clock: createTestClock() });
      await bff.startConversation();
      expect(selected(await bff.bff.metrics(), "parley_upstream_calls_total")).toBe(0);
      service.answer("identify", () => json({}, 422));
      await bff.post("/api/session", {});
      expect(selected(await bff.bff.metrics(), "parley_upstream_calls_total"), "control").toBe(1);
    },
  );

  it("counts no panel as waiting while its customer's connection sends a file slowly", async () => {
    const { clock, bff, token } = await open();
    const upload = (body: BodyInit) =>
      bff.request("POST", "/api/conversation/attachments", {
        token,
        headers: { "idempotency-key": "file-1", "x-file-name": "a.png" },
        body,
      });
    const before = selected(await bff.bff.metrics(), "parley_http_request_seconds_bucket");
    const sent = upload(new ReadableStream({ start: (file) => void clock.after(5000, () => file.close()) }));
    await clock.advance(5000);
    await sent;
    expect(selected(await bff.bff.metrics(), "parley_http_request_seconds_bucket")).toBe(before);
  });

  it("says all the time that an operation is down, also while few customers call", async () => {
    expect(DOCUMENT).toContain("| `max(parley_upstream_circuit) > 0` for 1 minute |");
    const { service, clock, send, read } = await open();
    service.answer("turns", () => json({}, 503));
    for (let n = 0; n < 5; n += 1) await send();
    const values = new Set<number>();
    for (let n = 0; n < 3; n += 1) {
      for (let second = 0; second < 20; second += 1) {
        values.add(await read('parley_upstream_circuit{operation="turns"}'));
        await clock.advance(1000);
      }
      await send();
    }
    expect(values).toEqual(new Set([2, 1]));
    service.mend("turns");
    await clock.advance(5000);
    await send();
    expect(await read('parley_upstream_circuit{operation="turns"}')).toBe(0);
  });
});
