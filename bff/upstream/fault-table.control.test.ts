import { describe, expect, it, vi } from "vitest";
import * as z from "zod/mini";
import { atTheDoor, PROOF, STEPS } from "../testing/faults.ts";

// The table's own control: the boundary is there, and believes everything that can be read at all.
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

/** Faults whose answer is there at once and can be read. */
const READABLE = ["200 {}", "200 of another", "201 without an id", "202", "204"];

/** Cells of the table in which a service that proved nothing is believed once `verify` is. */
async function falseSuccesses(): Promise<string[]> {
  const found: string[] = [];
  for (const step of STEPS) {
    for (const fault of READABLE.filter((name) => !PROOF[step.operation]?.includes(name))) {
      const { answer } = await atTheDoor(step, fault);
      if (answer.ok) found.push(`${step.operation}: ${fault}`);
    }
  }
  return found;
}

describe("the table is red without verify (control)", () => {
  it("every operation has cells that only verify holds", async () => {
    const found = await falseSuccesses();
    const operations = new Set(found.map((cell) => cell.split(":")[0]));
    expect(operations).toEqual(new Set(STEPS.map((step) => step.operation)));
    expect(found).toContain("turns: 200 of another");
    expect(found).toContain("endConversation: 200 {}");
    expect(found.length).toBeGreaterThan(15);
  });
});
