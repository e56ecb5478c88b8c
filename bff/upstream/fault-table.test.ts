import { describe, expect, it } from "vitest";
import { createFakeService, json, type Seen } from "../../service/testing/fake/fake-service.ts";
import { V1_CONTRACT } from "../../shared/v1/contract.ts";
import { atTheDoor, FAULTS, PROOF, STEPS, type Step } from "../testing/faults.ts";
import { createTestBff } from "../testing/test-bff.ts";

describe.each(STEPS)("$operation", (step) => {
  const { operation } = step;
  const faults = Object.keys(FAULTS).filter((fault) => !PROOF[operation]?.includes(fault));

  it("healthy: 2xx", async () => {
    const service = createFakeService(step.kind && { kind: step.kind });
    if (operation === "providerSelection") service.answer("supportSelection", () => json({}, 404));
    // The log of this service has no answer.
    if (operation === "feedback") service.answer("feedback", echoFeedback);
    const act = await step.takes(createTestBff({ service }), service);
    expect((await act()).ok).toBe(true);
  });

  it.each(faults)("%s: never a 2xx", async (fault) => {
    if (operation === "supportSelection" && fault === "404") return expectFallback(step);
    const { answer } = await atTheDoor(step, fault);
    expect(answer.status).toBeGreaterThanOrEqual(409);
    const { code, detail } = (await answer.json()) as { code: string; detail: string };
    const expected =
      fault === "429" ? /^rate_limited$/ : /^(not_confirmed|support_\w+|no_conversation|storage_full)$/;
    expect(code).toMatch(expected);
    expect(detail).not.toMatch(/\b(sent|delivered|connected|ended|deleted)\b/);
  });

  it.each(PROOF[operation] ?? [])("%s: proof by the contract", async (fault) => {
    const { answer } = await atTheDoor(step, fault);
    expect(answer.status).toBe(operation === "identify" ? 201 : 200);
  });
});

it("the table has every call that changes something, except link, whose refusal starts the customer without the conversation", () => {
  const tried = new Set(STEPS.map(({ operation }) => operation));
  const missing = V1_CONTRACT.filter(
    ({ method, id }) => method !== "GET" && id !== "search" && !tried.has(id),
  );
  expect(missing.map(({ id }) => id)).toEqual(["link"]);
});

function echoFeedback({ path, body }: Seen): Response {
  return json({ feedback: { ...(body as object), conversationId: path.split("/")[4] } });
}

/** 404 on support-selection is not final: the older selection is tried (contract). */
async function expectFallback(step: Step): Promise<void> {
  const { answer, service } = await atTheDoor(step, "404");
  expect(answer.status).toBe(201);
  expect(service.calls("providerSelection")).toHaveLength(1);
}
