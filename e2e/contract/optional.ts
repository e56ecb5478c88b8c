import { describe, expect, test } from "vitest";
import { readEventStream, seqsOf } from "../../service/testing/event-reader.ts";
import { endConversation, startConversation } from "../../shared/v1/conversations.ts";
import { streamEvents } from "../../shared/v1/events.ts";
import { requestHandoff } from "../../shared/v1/handoffs.ts";
import { readMessages } from "../../shared/v1/messages.ts";
import { sendTurn } from "../../shared/v1/turns.ts";
import { type Client, newKey } from "./client.ts";
import { sendStreamedTurn } from "./streamed-turn.ts";

export const NDJSON = { accept: "application/x-ndjson" };
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

/** For a service that declares `turns` and `events`. */
export function describeEvents(client: Client): void {
  describe("events", () => {
    test("carry what happens, each durable one with its seq, and continue after Last-Event-ID", async () => {
      const at = await open(client);
      const reader = readEventStream(await client.send(streamEvents, at));
      const sent = await client.call(sendTurn, { ...at, body: turnOf(newKey()), headers: JSON_ANSWER });
      const seen = await reader.until((read) => seqsOf(read).includes(sent.message.seq));
      await reader.leave();
      for (const { id, event } of seen) if ("seq" in event) expect(id).toBe(String(event.seq));
      const [first = 0] = seqsOf(seen);
      const headers = { "last-event-id": String(first) };
      const resumed = readEventStream(await client.send(streamEvents, { ...at, headers }));
      const rest = await resumed.until((read) => seqsOf(read).includes(sent.message.seq));
      await resumed.leave();
      const seqs = seqsOf(rest);
      expect(seqs).toEqual(Array.from({ length: seqs.length }, (_, index) => first + 1 + index));
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
