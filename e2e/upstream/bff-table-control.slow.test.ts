import { expect, it, vi } from "vitest";
import { CELLS, type Cell, runCell } from "./cell.test-kit.ts";
import { openDoor } from "./door.test-kit.ts";
import type { FaultName } from "./faults.ts";
import { startMockUpstream } from "./mock.ts";

// Replaces the verification of answers by trust: whatever arrives counts as the answer.
vi.mock("../../bff/upstream/verified.ts", async (importOriginal) => {
  const real = await importOriginal<typeof import("../../bff/upstream/verified.ts")>();
  const believe = (_operation: unknown, _sent: unknown, { bytes }: { bytes: Uint8Array }) => {
    try {
      return real.recall(JSON.parse(new TextDecoder().decode(bytes)));
    } catch {
      return real.recall({});
    }
  };
  return { ...real, verify: believe };
});

/** Lies that are well-formed, so that only verification can detect them. */
const READABLE: readonly FaultName[] = [
  "accepted-202",
  "wrong-content-type",
  "redirect-302",
  "redirect-307",
  "other-id",
  "object-200",
  "html-200",
];
const lies = CELLS.filter(({ fault, verdict }) => READABLE.includes(fault) && verdict === "fails");

async function falseSuccess(cell: Cell): Promise<boolean> {
  const mock = await startMockUpstream({ kind: cell.kind });
  const door = await openDoor(mock);
  try {
    // The request takes effect despite the lie: otherwise a token that was never issued would stop the next step.
    const { complaints } = await runCell(cell, mock, door, true);
    return complaints.some((complaint) => complaint.startsWith("FALSE SUCCESS"));
  } finally {
    await door.close();
    await mock.close();
  }
}

it("without verify() the table is red for each of the seven endpoints and for turns (control)", async () => {
  const red = new Map<string, FaultName[]>();
  for (const cell of lies) {
    if (await falseSuccess(cell)) red.set(cell.endpoint, [...(red.get(cell.endpoint) ?? []), cell.fault]);
  }
  for (const endpoint of [
    "identify",
    "sessions",
    "providerSelection",
    "supportSelection",
    "conversations",
    "handoffs",
    "endConversation",
    "turns",
  ]) {
    expect(red.get(endpoint), endpoint).toEqual(
      expect.arrayContaining(["accepted-202", "redirect-302", "redirect-307", "wrong-content-type"]),
    );
  }
  expect(red.get("handoffs")).toContain("other-id");
  expect(red.get("turns")).toContain("other-id");
  expect(red.get("endConversation")).toEqual(expect.arrayContaining(["object-200", "html-200", "other-id"]));
});
