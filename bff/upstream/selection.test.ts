import { describe, expect, it } from "vitest";
import { createScriptedService, json } from "../testing/scripted-service.ts";
import { createTestBff, problemOf } from "../testing/test-bff.ts";

describe("a service that has the older selection alone", () => {
  it.each([404, 405])("support-selection answers %i: one combined provider is asked for", async (status) => {
    const service = createScriptedService();
    service.answer("supportSelection", () => json({ message: "no" }, status));
    const bff = createTestBff({ service, env: { AGENT_PROVIDER: "combined" } });
    const { route } = await bff.startSession();
    expect(route).toMatchObject({ channel: "combined", agentProvider: "combined" });
    expect(service.calls("providerSelection")[0]?.body).toMatchObject({ provider: "combined" });
  });

  it.each([400, 403, 500])("control: %i is a failure and no older service", async (status) => {
    const service = createScriptedService();
    service.answer("supportSelection", () => json({}, status));
    const bff = createTestBff({ service });
    expect(await problemOf(await bff.post("/api/session", {}))).toMatch(/^50[23] support_/);
    expect(service.calls("providerSelection")).toEqual([]);
  });
});
