import { expect, it } from "vitest";
import type { DeskConversation, DeskEvent, DeskSummary } from "../../shared/desk.ts";
import type { DurableEvent, LiveEvent } from "../../shared/event.ts";
import { createKit, type Kit, openedKit, openedOn, settled, signedInKit, until } from "./testing/desk-kit.ts";
import { ANA, at, MIRA, message, rowOf, waiting } from "./testing/samples.ts";
import { json } from "./testing/scripted-service.ts";

/** The next answer of `route` is `body`, and stays on its way until it is released. */
function hold(kit: Kit, route: string, body: unknown): () => void {
  const { promise, resolve } = Promise.withResolvers<void>();
  kit.service.script(route, () => promise.then(() => json(body)));
  return resolve;
}

const happened = (event: LiveEvent | DurableEvent, conversationId = ANA): DeskEvent => ({
  type: "conversation.event",
  conversationId,
  event,
});
const rowNow = (more: Partial<DeskSummary>): DeskEvent => ({
  type: "queue.changed",
  conversation: rowOf(waiting(), more),
});
const erase = (kit: Kit, conversationId: string) =>
  kit.service.push(happened({ type: "conversation.erased" }, conversationId));

const READ = `GET /conversations/${ANA}`;
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
type Said = [event: DeskEvent, of: (opened: DeskConversation | undefined) => unknown, said: unknown];
const UNORDERED: Record<string, Said> = {
  "an address": [
    happened({ type: "contact.changed", contact: { email: EMAIL } }),
    (opened) => opened?.contact?.email,
    EMAIL,
  ],
  "a position": [
    happened({ type: "conversation.read", by: "customer", upTo: 3 }),
    (opened) => opened?.read?.customer,
    3,
  ],
  "a rated answer": [
    happened({ type: "feedback.changed", feedback: { messageId: "msg_2", score: "up" } }),
    (opened) => opened?.messages[0]?.feedback,
    "up",
  ],
  "who is there": [rowNow({ presence: { online: true } }), (opened) => opened?.presence?.online, true],
};

it.each(Object.entries(UNORDERED))(
  "a reading does not undo %s that came after it",
  async (_, [event, of, said]) => {
    const kit = await openedKit(ANA);
    const release = hold(kit, READ, waiting());
    void kit.board.refresh();
    kit.service.change(ANA, {
      contact: { email: EMAIL },
      read: { customer: 3 },
      messages: waiting().messages.map((message) => ({ ...message, feedback: "up" })),
      presence: { online: true },
    });
    kit.service.push(event);
    await until(() => of(kit.board.board.value.opened) === said);
    release();
    await settled();
    expect(of(kit.board.board.value.opened)).toBe(said);
  },
);

it("a handoff event and the row that follows it need one reading", async () => {
  const kit = await openedKit(ANA);
  const before = kit.service.callsOf(READ).length;
  const handoff = { id: "hnd_1", status: "accepted" as const, human: { name: MIRA.name } };
  const taken = { state: "taken" as const, takenBy: MIRA, lastSeq: 4 };
  const release = hold(kit, READ, { ...waiting(), ...taken, handoff });
  kit.service.push(happened({ type: "handoff.accepted", seq: 4, at: at(4), handoff }));
  kit.service.push(rowNow(taken));
  await until(() => kit.board.queue.value[0]?.lastSeq === 4);
  release();
  await settled();
  expect(kit.service.callsOf(READ)).toHaveLength(before + 1);
  expect(kit.board.board.value.opened?.takenBy).toEqual(MIRA);
});

it("the first reading of a conversation has the message that was written meanwhile", async () => {
  const kit = await signedInKit();
  const release = hold(kit, READ, waiting());
  kit.board.open(ANA);
  const written = message(4, "customer", "And the cable");
  const { messages } = kit.service.change(ANA, { messages: [...waiting().messages, written], lastSeq: 4 });
  kit.service.push(happened({ type: "message.created", seq: 4, at: at(4), message: written }));
  kit.service.push(rowNow({ lastSeq: 4 }));
  await until(() => kit.board.queue.value[0]?.lastSeq === 4);
  release();
  await until(() => kit.board.board.value.opened?.messages.length === messages.length);
});

it("a slow service is asked once more, whatever happens during a reading", async () => {
  const kit = await openedKit(ANA);
  const before = kit.service.callsOf(READ).length;
  const release = hold(kit, READ, waiting());
  void kit.board.refresh();
  kit.service.change(ANA, { read: { customer: 3 }, contact: { email: EMAIL } });
  for (const upTo of [1, 2, 3])
    kit.service.push(happened({ type: "conversation.read", by: "customer", upTo }));
  kit.service.push(happened({ type: "contact.changed", contact: { email: EMAIL } }));
  await until(() => kit.board.board.value.opened?.contact?.email === EMAIL);
  release();
  await settled();
  expect(kit.service.callsOf(READ)).toHaveLength(before + 2);
  expect(kit.board.board.value.opened?.read?.customer).toBe(3);
});

it("the first reading of a conversation has what the stream said meanwhile", async () => {
  const kit = await signedInKit();
  const release = hold(kit, READ, waiting());
  kit.board.open(ANA);
  kit.service.change(ANA, { contact: { email: EMAIL } });
  kit.service.push(happened({ type: "contact.changed", contact: { email: EMAIL } }));
  await settled();
  release();
  await until(() => kit.board.board.value.opened?.contact?.email === EMAIL);
});

it("a reading does not undo the facts that the team typed meanwhile", async () => {
  const kit = await openedKit(ANA);
  const release = hold(kit, READ, waiting());
  void kit.board.refresh();
  await kit.board.describeCustomer(ANA, { name: "Ana R." });
  release();
  await settled();
  expect(kit.board.board.value.opened?.customer.team?.name).toBe("Ana R.");
});

it("a conversation that is erased during a reading is not shown again", async () => {
  const kit = await openedKit(ANA);
  const releases = [hold(kit, "GET /conversations", LIST), hold(kit, READ, waiting())];
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
  await until(() => kit.board.erased.value.has("cnv_old"));
  release();
  await reading;
  expect(kit.board.queueNext.value).toEqual([]);
  expect(kit.board.queue.value.map(({ id }) => id)).toEqual([ANA]);
});

it("ERASE1 two conversations that are erased while the customer's earlier ones are read are not shown", async () => {
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
    await until(() => kit.board.erased.value.has(id));
  }
  release();
  await until(() => kit.board.earlierReading.value !== "reading");
  expect(kit.board.earlier.value.map(({ id }) => id)).toEqual(["cnv_1"]);
});
