import { describe, expect, it } from "vitest";
import { createFakeService, json } from "../../service/testing/fake/fake-service.ts";
import { createTestBff, problemOf } from "../testing/test-bff.ts";

describe("a service that has only the older selection", () => {
  it.each([404, 405])(
    "support-selection answers %i: one combined provider is requested, and the service decides",
    async (status) => {
      const service = createFakeService();
      service.answer("supportSelection", () => json({ message: "no" }, status));
      const bff = createTestBff({ service, env: { AGENT_PROVIDER: "combined" } });
      const { route } = await bff.startSession();
      expect(route).toMatchObject({ channel: "knowledge", agentProvider: "knowledge" });
      expect(service.calls("providerSelection")[0]?.body).toMatchObject({ provider: "combined" });
    },
  );

  it.each([400, 403, 500])("%i is a failure and does not mean an older service (control)", async (status) => {
    const service = createFakeService();
    service.answer("supportSelection", () => json({}, status));
    const bff = createTestBff({ service });
    expect(await problemOf(await bff.post("/api/session", {}))).toMatch(/^50[23] support_/);
    expect(service.calls("providerSelection")).toEqual([]);
  });
});

describe("ROUTE1 a service that selects something else than the rules ask for", () => {
  const env = {
    ROUTING: '[{"match":{"locales":["de"]},"agentProvider":"german"}]',
    AGENT_PROVIDER: "english",
  };
  const selecting = (agentProvider: string) => {
    const service = createFakeService();
    const answer = { channel: "web", agentProvider, reason: "ours", ttlSeconds: 0 };
    service.answer("supportSelection", () => json(answer));
    return createTestBff({ service, env });
  };
  const doubts = (lines: readonly string[]) =>
    lines.map((line): unknown => JSON.parse(line)).filter((line) => /differs/.test(JSON.stringify(line)));

  it("decides, and the log says so once per rule, without a value", async () => {
    const bff = selecting("knowledge");
    for (const locale of ["de", "en", "de", "en"]) await bff.post("/api/session", { locale });
    const differs = ["agentProvider"];
    const said = {
      level: "warn",
      requestId: expect.any(String),
      differs,
      message: expect.stringContaining("selection differs"),
    };
    expect(doubts(bff.lines)).toEqual([
      { ...said, rule: 1 },
      { ...said, rule: null },
    ]);
  });

  it("says nothing where the service selects what was asked for (control)", async () => {
    const bff = selecting("german");
    await bff.post("/api/session", { locale: "de" });
    expect(doubts(bff.lines)).toEqual([]);
  });
});
