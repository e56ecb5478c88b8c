import { expect, it } from "vitest";
import { type Kit, openedKit, settled, until } from "./testing/desk-kit.ts";
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

it("a conversation that is erased during a reading is not shown again", async () => {
  const kit = await openedKit(ANA);
  const releases = [hold(kit, "GET /conversations", LIST), hold(kit, `GET /conversations/${ANA}`, waiting())];
  void kit.board.refresh();
  kit.service.push({
    type: "conversation.event",
    conversationId: ANA,
    event: { type: "conversation.erased" },
  });
  await until(() => kit.board.openedReading.value === "erased");
  for (const release of releases) release();
  await settled();
  expect(kit.board.queue.value).toEqual([]);
  expect(kit.board.board.value.opened).toBeUndefined();
  expect(kit.board.openedReading.value).toBe("erased");
});
