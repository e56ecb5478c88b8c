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
