import { expect, it } from "vitest";
import type { DeskConversation } from "../../shared/desk.ts";
import type { LiveEvent } from "../../shared/event.ts";
import { createKit, type Kit, openedKit, openedOn, settled, signedInKit, until } from "./testing/desk-kit.ts";
import { ANA, rowOf, waiting } from "./testing/samples.ts";
import { json } from "./testing/scripted-service.ts";

/** The next answer of `route` is `body`, and stays on its way until it is released. */
function hold(kit: Kit, route: string, body: unknown): () => void {
  const { promise, resolve } = Promise.withResolvers<void>();
  kit.service.script(route, () => promise.then(() => json(body)));
  return resolve;
}

const erase = (kit: Kit, conversationId: string) =>
  kit.service.push({
    type: "conversation.event",
    conversationId,
    event: { type: "conversation.erased" },
  });

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

const EMAIL = "ana@work.example";
const LIVE: Record<string, [LiveEvent, (opened: DeskConversation | undefined) => unknown, unknown]> = {
  "an address": [{ type: "contact.changed", contact: { email: EMAIL } }, (it) => it?.contact?.email, EMAIL],
  "a position": [{ type: "conversation.read", by: "customer", upTo: 3 }, (it) => it?.read?.customer, 3],
};

it.each(Object.entries(LIVE))(
  "a reading does not undo %s that came after it",
  async (_, [event, of, said]) => {
    const kit = await openedKit(ANA);
    const release = hold(kit, `GET /conversations/${ANA}`, waiting());
    void kit.board.refresh();
    kit.service.change(ANA, { contact: { email: EMAIL }, read: { customer: 3 } });
    kit.service.push({ type: "conversation.event", conversationId: ANA, event });
    await until(() => of(kit.board.board.value.opened) === said);
    release();
    await settled();
    expect(of(kit.board.board.value.opened)).toBe(said);
  },
);

it("the first reading of a conversation has what the stream said meanwhile", async () => {
  const kit = await signedInKit();
  const release = hold(kit, `GET /conversations/${ANA}`, waiting());
  kit.board.open(ANA);
  kit.service.change(ANA, { contact: { email: EMAIL } });
  const event = { type: "contact.changed", contact: { email: EMAIL } } as const;
  kit.service.push({ type: "conversation.event", conversationId: ANA, event });
  await settled();
  release();
  await until(() => kit.board.board.value.opened?.contact?.email === EMAIL);
});

it("a reading does not undo the facts that the team typed meanwhile", async () => {
  const kit = await openedKit(ANA);
  const release = hold(kit, `GET /conversations/${ANA}`, waiting());
  void kit.board.refresh();
  await kit.board.describeCustomer(ANA, { name: "Ana R." });
  release();
  await settled();
  expect(kit.board.board.value.opened?.customer.team?.name).toBe("Ana R.");
});

it("a conversation that is erased during a reading is not shown again", async () => {
  const kit = await openedKit(ANA);
  const releases = [hold(kit, "GET /conversations", LIST), hold(kit, `GET /conversations/${ANA}`, waiting())];
  void kit.board.refresh();
  erase(kit, ANA);
  await until(() => kit.board.openedReading.value === "erased");
  for (const release of releases) release();
  await settled();
  expect(kit.board.queue.value).toEqual([]);
  expect(kit.board.board.value.opened).toBeUndefined();
  expect(kit.board.openedReading.value).toBe("erased");
});

it("ERASE1 a conversation that is erased while its page of the list is read does not come back with it", async () => {
  const kit = await openedKit(ANA);
  const place = { state: "ended", after: "1.cnv_ana" } as const;
  kit.service.script("GET /conversations", () => json({ ...LIST, next: [place] }));
  await kit.board.refresh();
  const page = {
    conversations: [rowOf(waiting({ id: "cnv_old", state: "ended" }))],
    next: [],
    epoch: "first",
  };
  const release = hold(kit, "GET /conversations?state=ended&after=1.cnv_ana", page);
  const [shown = place] = kit.board.queueNext.value;
  const reading = kit.board.readMore(shown);
  erase(kit, "cnv_old");
  await until(() => kit.board.lastErased.value === "cnv_old");
  release();
  await reading;
  expect(kit.board.queueNext.value).toEqual([]);
  expect(kit.board.queue.value.map(({ id }) => id)).toEqual([ANA]);
});

it("ERASE1 nor do two that are erased while the customer's earlier ones are read", async () => {
  const start = createKit();
  const { customer } = waiting();
  start.service.state.conversations = [waiting({ customer: { ...customer, visit: 3 } })];
  const rows = ["cnv_3", "cnv_2", "cnv_1"].map((id) => ({
    id,
    status: "ended",
    startedAt: waiting().startedAt,
    firstWords: "My lamp",
  }));
  const release = hold(start, `GET /conversations/${ANA}/earlier`, {
    conversationId: ANA,
    conversations: rows,
  });
  const kit = await openedOn(start, ANA);
  for (const id of ["cnv_3", "cnv_2"]) {
    erase(kit, id);
    await until(() => kit.board.lastErased.value === id);
  }
  release();
  await until(() => kit.board.earlierReading.value !== "reading");
  expect(kit.board.earlier.value.map(({ id }) => id)).toEqual(["cnv_1"]);
});
