import { describe, expect, test, vi } from "vitest";
import { type EventReader, readEventStream, seqsOf } from "../../service/testing/event-reader.ts";
import { ServiceEvent } from "../../shared/event.ts";
import { jsonOf } from "../../shared/json.ts";
import { endConversation, startConversation } from "../../shared/v1/conversations.ts";
import { streamEvents } from "../../shared/v1/events.ts";
import { requestHandoff } from "../../shared/v1/handoffs.ts";
import { readMessages } from "../../shared/v1/messages.ts";
import { sendTurn } from "../../shared/v1/turns.ts";
import { type Call, type Client, newKey } from "./client.ts";
import { sendStreamedTurn } from "./streamed-turn.ts";

export const JSON_ANSWER = { accept: "application/json" };
export const turnOf = (clientMessageId: string, body = "Hello") => ({
  clientMessageId,
  content: { body, format: "plain" as const },
  attachments: [],
});

export async function open(client: Client) {
  const { token } = await client.openSession();
  return { token, id: await client.startConversation(token) };
}

/** For a service that declares `turns`. */
export function describeTurns(client: Client): void {
  describe("turns", () => {
    test("as JSON: the message, under the key and with the text that were sent", async () => {
      const at = await open(client);
      const text = "Où est mon colis ?\nIt is <b>late</b> & I need it.";
      await client.call(sendTurn, { ...at, body: turnOf(newKey(), text), headers: JSON_ANSWER });
    });

    test("as a stream: a BFF believes it, and each answer in it is completed or ends with an error", async () => {
      await sendStreamedTurn(client, await open(client), turnOf(newKey()));
    });

    test("refuses an empty text, another customer's conversation and an ended one", async () => {
      const at = await open(client);
      const other = await client.openSession();
      await client.refuses(sendTurn, { ...at, body: turnOf(newKey(), "") }, "it has no text.");
      const foreign = { ...at, token: other.token, body: turnOf(newKey()) };
      if (client.provesCustomer(sendTurn))
        await client.refuses(sendTurn, foreign, "the conversation is another customer's.");
      await client.call(endConversation, at);
      await client.refuses(sendTurn, { ...at, body: turnOf(newKey()) }, "the conversation has ended.");
    });
  });
}

/** For a service that declares `turns` and `idempotency`. */
export function describeIdempotency(client: Client): void {
  describe("idempotency", () => {
    test("a turn sent again gets the first answer, another text under its key is refused", async () => {
      const at = await open(client);
      const key = newKey();
      const first = await client.call(sendTurn, { ...at, body: turnOf(key), headers: JSON_ANSWER });
      expect(await client.call(sendTurn, { ...at, body: turnOf(key), headers: JSON_ANSWER })).toEqual(first);
      const other = await client.send(sendTurn, { ...at, body: turnOf(key, "Other"), headers: JSON_ANSWER });
      expect(other.status).toBe(422);
    });

    test("a start and a handoff sent again under one key take effect once", async () => {
      const { token } = await client.openSession();
      const start = { token, body: { subject: "One" }, headers: { "idempotency-key": newKey() } };
      const first = await client.call(startConversation, start);
      expect(await client.call(startConversation, start)).toEqual(first);
      expect((await client.send(startConversation, { ...start, body: { subject: "Two" } })).status).toBe(422);
      const conversationId = first.conversation.id;
      const ask = { token, body: { conversationId }, headers: { "idempotency-key": newKey() } };
      expect(await client.call(requestHandoff, ask)).toEqual(await client.call(requestHandoff, ask));
    });
  });
}

/** For a service that declares `turns` and `messages`. */
export function describeMessages(client: Client): void {
  describe("messages", () => {
    test("contain what was sent, in the order of seq, and continue after a position", async () => {
      const at = await open(client);
      const sent = await client.call(sendTurn, {
        ...at,
        body: turnOf(newKey(), "First"),
        headers: JSON_ANSWER,
      });
      const whole = await client.call(readMessages, at);
      const seqs = whole.messages.map(({ seq }) => seq);
      expect(seqs).toEqual([...seqs].sort((a, b) => a - b));
      expect(whole.messages.find(({ id }) => id === sent.message.id)).toMatchObject({
        role: "customer",
        body: "First",
      });
      const rest = await client.call(readMessages, { ...at, query: `?after=${sent.message.seq}` });
      expect(rest.messages.every(({ seq }) => seq > sent.message.seq)).toBe(true);
    });

    test("end before a position where there are pages from the end, and begin with the log elsewhere", async () => {
      const at = await open(client);
      const headers = JSON_ANSWER;
      await client.call(sendTurn, { ...at, body: turnOf(newKey(), "First"), headers });
      const { message } = await client.call(sendTurn, { ...at, body: turnOf(newKey(), "Second"), headers });
      const whole = await client.call(readMessages, at);
      const page = await client.call(readMessages, { ...at, query: `?before=${message.seq}&limit=1` });
      const isBefore = page.messages.every(({ seq }) => seq < message.seq);
      if (!isBefore) expect(page.messages).toEqual(whole.messages.slice(0, page.messages.length));
      if (page.nextBefore !== undefined) expect(isBefore).toBe(true);
    });

    test("are not shown to another customer", async () => {
      const at = await open(client);
      const other = await client.openSession();
      if (!client.provesCustomer(readMessages)) return;
      await client.refuses(readMessages, { ...at, token: other.token }, "it is another customer's.");
    });
  });
}

/** An agent that is away answers nothing, so its answer is waited for only this long. */
const ANSWER = { timeout: 10_000 };

/** The events of a conversation. One of an unknown type is ignored, one of a wrong form is a fault. */
async function follow(client: Client, at: Call, events: ServiceEvent[] = []): Promise<EventReader> {
  const response = await client.open(streamEvents, at);
  return readEventStream(response ?? new Response(), (data) => {
    const event: unknown = jsonOf(data);
    const { error } = ServiceEvent.safeParse(event);
    const paths = error?.issues.map(({ path }) => path.join(".")) ?? [];
    if (paths.some((path) => path !== "type"))
      client.reject(streamEvents, event, `a field of an event is missing or wrong (${paths.join(", ")}).`);
    events.push(event as ServiceEvent);
    return event as ServiceEvent;
  });
}

/** For a service that declares `turns` and `events`; `hasTranscript`: `messages` too. */
export function describeEvents(client: Client, hasTranscript: boolean): void {
  describe("events", () => {
    test("carry what happens, each durable one with its seq, and continue after Last-Event-ID", async () => {
      const at = await open(client);
      const reader = await follow(client, at);
      const sent = await client.call(sendTurn, { ...at, body: turnOf(newKey()), headers: JSON_ANSWER });
      const seen = await reader.until((read) => seqsOf(read).includes(sent.message.seq));
      await reader.leave();
      for (const { id, event } of seen) if ("seq" in event) expect(id).toBe(String(event.seq));
      const [first = 0] = seqsOf(seen);
      const headers = { "last-event-id": String(first) };
      const resumed = await follow(client, { ...at, headers });
      const rest = await resumed.until((read) => seqsOf(read).includes(sent.message.seq));
      await resumed.leave();
      const seqs = seqsOf(rest);
      expect(seqs).toEqual(Array.from({ length: seqs.length }, (_, index) => first + 1 + index));
    });

    test("carry the answer, a handoff and the end, and the transcript says the same", async () => {
      const at = await open(client);
      const events: ServiceEvent[] = [];
      const reader = await follow(client, at, events);
      const whole = reader.until(() => events.some(({ type }) => type === "conversation.ended"));
      await client.call(sendTurn, { ...at, body: turnOf(newKey()), headers: JSON_ANSWER });
      const isAnswer = (event: ServiceEvent) =>
        event.type === "message.created" && event.message.role === "agent";
      await Promise.race([
        whole,
        vi.waitFor(() => expect(events.some(isAnswer)).toBe(true), ANSWER).catch(() => undefined),
      ]);
      const { handoff } = await client.call(requestHandoff, { ...at, body: { conversationId: at.id } });
      const asked = hasTranscript ? await client.call(readMessages, at) : undefined;
      if (asked && asked.conversation?.handoff?.id !== handoff.id)
        client.reject(
          readMessages,
          asked,
          "it does not say that a person was asked for (conversation.handoff).",
        );
      await client.call(endConversation, at);
      await whole;
      await reader.leave();
      expect(events.map(({ type }) => type)).toEqual(
        expect.arrayContaining([expect.stringMatching(/^handoff\.(?:requested|accepted)$/)]),
      );
      if (!hasTranscript) return;
      const ended = await client.call(readMessages, at);
      if (ended.conversation?.status !== "ended")
        client.reject(
          readMessages,
          ended,
          "it does not say that the conversation has ended (conversation.status).",
        );
      const ids = events.flatMap((event) => (event.type === "message.created" ? [event.message.id] : []));
      expect(ids).toEqual([...new Set(ids)]);
      expect(ended.messages.map(({ id }) => id)).toEqual(expect.arrayContaining(ids));
    });

    test("are refused to another customer, and from a position that does not exist", async () => {
      const at = await open(client);
      const other = await client.openSession();
      if (client.provesCustomer(streamEvents)) {
        await client.refuses(streamEvents, { ...at, token: other.token }, "it is another customer's.");
      }
      const future = { ...at, headers: { "last-event-id": "999999" } };
      await client.refuses(streamEvents, future, "the log has no such position.");
    });
  });
}
