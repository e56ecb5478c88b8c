import * as fc from "fast-check";
import { afterEach, describe, expect, it, vi } from "vitest";
import type { Store } from "./store/store.ts";
import { openStage, type Stage } from "./testing/authorisation-stage.ts";
import { operations, runOperations } from "./testing/two-workspaces.ts";

vi.setConfig({ testTimeout: 120_000 });

const RUNS = 10;
const OPERATIONS = 220;

let stage: Stage | undefined;
afterEach(async () => {
  await stage?.close();
  stage = undefined;
});

describe(`two workspaces with the same customers, ${RUNS * OPERATIONS} mixed operations`, () => {
  it("no data of one is read, changed or received in the other", async () => {
    let done = 0;
    let allowed = 0;
    await fc.assert(
      fc.asyncProperty(operations(OPERATIONS), async (list) => {
        const opened = await openStage();
        try {
          const outcome = await runOperations(opened, list);
          done += outcome.done;
          allowed += outcome.allowed;
          expect(outcome.crossed).toEqual([]);
        } finally {
          await opened.close();
        }
      }),
      // Shrinking would repeat the whole run; a failure names its seed, which reproduces it.
      { numRuns: RUNS, endOnFailure: true },
    );
    expect(done).toBeGreaterThanOrEqual(2000);
    // Enough operations were allowed: the model does not pass because everything is refused.
    expect(allowed).toBeGreaterThan(done / 5);
  });

  it("a desk that lists every workspace is detected (control)", async () => {
    const open = (store: Store): Store => ({
      ...store,
      desk: {
        ...store.desk,
        async listDeskConversations() {
          const all = await store.workspaces.list();
          return (await Promise.all(all.map(({ id }) => store.desk.listDeskConversations(id)))).flat();
        },
      },
    });
    stage = await openStage({ wrap: open });
    const operation = { who: "ann", pick: 0 } as const;
    const outcome = await runOperations(stage, [
      { ...operation, side: 0, does: "start" },
      { ...operation, side: 0, does: "say" },
      { ...operation, side: 1, does: "list" },
    ]);
    expect(outcome.crossed).toHaveLength(1);
  });
});
