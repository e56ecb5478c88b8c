import { describe, expect, it } from "vitest";
import { createFakeService, json } from "../../service/testing/fake/fake-service.ts";
import { atTheDoor, FAULTS, PROOF, STEPS, type Step } from "../testing/faults.ts";
import { createTestBff } from "../testing/test-bff.ts";

describe.each(STEPS)("$operation", (step) => {
  const { operation } = step;
  const faults = Object.keys(FAULTS).filter((fault) => !PROOF[operation]?.includes(fault));

  it("healthy: 2xx", async () => {
    const service = createFakeService();
    if (operation === "providerSelection") service.answer("supportSelection", () => json({}, 404));
    const act = await step.takes(createTestBff({ service }));
    expect((await act()).ok).toBe(true);
  });

  it.each(faults)("%s: never a 2xx", async (fault) => {
    if (operation === "supportSelection" && fault === "404") return expectFallback(step);
    const { answer } = await atTheDoor(step, fault);
    expect(answer.status).toBeGreaterThanOrEqual(409);
    const { code, detail } = (await answer.json()) as { code: string; detail: string };
    expect(code).toMatch(/^(not_confirmed|support_\w+|no_conversation|storage_full)$/);
    expect(detail).not.toMatch(/\b(sent|delivered|connected|ended|deleted)\b/);
  });

  it.each(PROOF[operation] ?? [])("%s: proof by the contract", async (fault) => {
    const { answer } = await atTheDoor(step, fault);
    expect(answer.status).toBe(operation === "identify" ? 201 : 200);
  });
});

/** 404 on support-selection is not final: the older selection is tried (contract). */
async function expectFallback(step: Step): Promise<void> {
  const { answer, service } = await atTheDoor(step, "404");
  expect(answer.status).toBe(201);
  expect(service.calls("providerSelection")).toHaveLength(1);
}
