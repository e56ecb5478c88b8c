import { describe, expect, it, vi } from "vitest";
import * as z from "zod/mini";
import { type FakeService, json } from "../../service/testing/fake/fake-service.ts";
import { Capability } from "../../shared/capability.ts";
import { atTheDoor, PROOF, STEPS } from "../testing/faults.ts";

// The table's own control: verification exists, but accepts everything that can be parsed.
vi.mock("./verified.ts", async (importOriginal) => {
  const real = await importOriginal<typeof import("./verified.ts")>();
  const credulous: typeof real.verify = (operation, sent, { bytes }) => {
    const anything = { ...operation, answer: z.any(), echo: () => true };
    const body = bytes.byteLength === 0 ? Buffer.from("{}") : bytes;
    return real.verify(anything, sent as never, {
      status: 200,
      mediaType: "application/json",
      bytes: body,
    }) as never;
  };
  return { ...real, verify: credulous };
});

/** Faults whose answer is immediate and can be parsed. */
const READABLE = ["200 {}", "200 of another", "201 without an id", "202", "204"];

/** A service that accepts every token and every conversation, so that nothing after the fault reveals it. */
function acceptEverything(service: FakeService): void {
  const route = { channel: "web", agentProvider: "knowledge", reason: "default", ttlSeconds: 300 };
  service.answer("capabilities", () => json({ capabilities: Capability.options }));
  service.answer("supportSelection", () => json(route));
  service.answer("turns", ({ body }) => {
    const { clientMessageId } = body as { clientMessageId: string };
    return json({ message: { id: "m", seq: 2, clientMessageId } }, 201);
  });
}

/** Cells of the table in which a service that proved nothing is believed once `verify` accepts everything. */
async function falseSuccesses(): Promise<string[]> {
  const found: string[] = [];
  for (const step of STEPS) {
    for (const fault of READABLE.filter((name) => !PROOF[step.operation]?.includes(name))) {
      const { answer } = await atTheDoor(step, fault, acceptEverything);
      if (answer.ok) found.push(`${step.operation}: ${fault}`);
    }
  }
  return found;
}

describe("the table is red without verify (control)", () => {
  it("every operation has cells that only verify keeps green", async () => {
    const found = await falseSuccesses();
    const operations = new Set(found.map((cell) => cell.split(":")[0]));
    expect(operations).toEqual(new Set(STEPS.map((step) => step.operation)));
    expect(found).toContain("turns: 200 of another");
    expect(found).toContain("endConversation: 200 {}");
    expect(found.length).toBeGreaterThan(15);
  });
});
