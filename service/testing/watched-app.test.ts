import { expect, test } from "vitest";
import { takeDeviations } from "./deviations.ts";
import { openTestService } from "./test-service.ts";

/** The deviations that a hand-off causes at a service whose store names this place in the queue. */
async function deviationsWith(place: number): Promise<readonly string[]> {
  const { store, workspace } = await openTestService();
  const handoffs = { ...store.handoffs, readWait: async () => ({ place }) };
  const watched = await openTestService({ store: { ...store, handoffs } });
  const ann = await watched.customer("ann", workspace);
  const answer = await ann.post("/v1/support/handoffs", { conversationId: await ann.start() });
  expect(answer.status).toBe(201);
  return takeDeviations();
}

test("API1 nothing is noted of a test's service whose answers are described (control)", async () => {
  expect(await deviationsWith(1)).toEqual([]);
});

test("API1 an answer of a test's service that is not described is noted, and would fail the test", async () => {
  expect(await deviationsWith(0)).toEqual([
    expect.stringMatching(/handoffs answered 201 with a body that it does not/),
  ]);
});
