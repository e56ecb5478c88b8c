import { expect, it } from "vitest";
import { type Kit, openedKit, settled } from "./testing/desk-kit.ts";
import { ANA, rowOf, waiting } from "./testing/samples.ts";
import { json } from "./testing/scripted-service.ts";

/** The next answer of `route` is `body`, and stays on its way until it is released. */
function hold(kit: Kit, route: string, body: unknown): () => void {
  const { promise, resolve } = Promise.withResolvers<void>();
  kit.service.script(route, () => promise.then(() => json(body)));
  return resolve;
}

const LIST = { conversations: [rowOf(waiting())], next: [], epoch: "first" };

it("a list that was asked for before a newer one, and arrives after it, is not shown", async () => {
  const kit = await openedKit(ANA);
  const release = hold(kit, "GET /conversations", LIST);
  void kit.board.refresh();
  kit.service.change(ANA, { lastSeq: 4 });
  await kit.board.take();
  expect(kit.board.queue.value[0]?.state).toBe("taken");
  release();
  await settled();
  expect(kit.board.queue.value[0]?.state).toBe("taken");
});
