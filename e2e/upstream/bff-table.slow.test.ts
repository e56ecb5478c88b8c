import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { CELLS, type Cell, nameOf, type Outcome, ROWS, runCell } from "./cell.test-kit.ts";
import { openDoor } from "./door.test-kit.ts";
import { FAULT_NAMES, type FaultName, OF_EACH_ANSWER } from "./faults.ts";
import { startMockUpstream } from "./mock.ts";

/**
 * The faults that only a timeout ends, and a timeout for them: short enough for a table, long enough for healthy
 * answers.
 */
const ENDLESS: readonly FaultName[] = ["hang", "never-ending-body"];
const ENDLESS_MS = 3000;
const AT_ONCE = 12;
const TABLE_MS = 240_000;

/** Every cell has its own upstream and BFF, so that no breaker, budget or cache affects another. */
async function run(cell: Cell): Promise<Outcome> {
  const mock = await startMockUpstream({ kind: cell.kind, tls: cell.fault === "tls-error", slowMs: 60 });
  // A call that ends by itself gets the product's own time limit: a busy machine is not the service's fault.
  const door = await openDoor(mock, ENDLESS.includes(cell.fault) ? { upstreamTotalMs: ENDLESS_MS } : {});
  try {
    return await runCell(cell, mock, door);
  } finally {
    await door.close();
    await mock.close();
  }
}

/** What the panel sees of a cell: the BFF's answer, without the id of the request. */
function shownBy(cell: Cell): string {
  const outcome = outcomes.get(cell);
  if (outcome === undefined || outcome instanceof Error) return nameOf(cell);
  const { status, json } = outcome.answer;
  return JSON.stringify([status, { ...(json as object), requestId: undefined }]);
}

const outcomes = new Map<Cell, Outcome | Error>();
beforeAll(async () => {
  const waiting = [...CELLS];
  const work = async () => {
    for (let cell = waiting.shift(); cell; cell = waiting.shift()) {
      outcomes.set(
        cell,
        await run(cell).catch((cause: unknown) => new Error(nameOf(cell as Cell), { cause })),
      );
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
}, TABLE_MS);
afterAll(() => outcomes.clear());

describe.each(ROWS)("$endpoint ($kind, $step)", ({ kind, step, endpoint }) => {
  const cells = CELLS.filter(
    (cell) => cell.kind === kind && cell.step === step && cell.endpoint === endpoint,
  );
  it.each(cells)("$fault: $verdict", (cell) => {
    const outcome = outcomes.get(cell);
    if (outcome instanceof Error) throw outcome;
    expect(outcome?.complaints).toEqual([]);
  });

  // With only the seven endpoints, the panel is shown one fault of each sort.
  it.skipIf(kind === "seven")(
    "answers with no failure but those that OF_EACH_ANSWER causes, which the panel meets",
    () => {
      const failing = cells.filter(({ verdict }) => verdict === "fails");
      const met = failing.filter(({ fault }) => OF_EACH_ANSWER.includes(fault)).map(shownBy);
      expect(failing.filter((cell) => !met.includes(shownBy(cell))).map(nameOf)).toEqual([]);
    },
  );
});

describe("the table itself", () => {
  it("has every endpoint of the seven, and turns, under every fault that can affect it", () => {
    const endpoints = new Set(CELLS.map(({ endpoint }) => endpoint));
    expect([...endpoints].sort()).toEqual([
      "attachments",
      "capabilities",
      "conversations",
      "endConversation",
      "eraseConversation",
      "handoffs",
      "identify",
      "messages",
      "providerSelection",
      "sessions",
      "supportSelection",
      "turns",
    ]);
    expect(CELLS.length).toBeGreaterThan(ROWS.length * (FAULT_NAMES.length - 2));
  });
});
