import { describe, expect, it } from "vitest";
import { createFakeService, type FakeService, json } from "../../service/testing/fake/fake-service.ts";
import { Failure } from "../../shared/errors.ts";
import { HEARTBEAT_MS } from "../../shared/limits.ts";
import { createSqliteStore } from "../store/sqlite-store.ts";
import { messageEvent, withEventLines } from "../testing/event-lines.ts";
import { createTestBff, dataOf, problemOf, readBlocks } from "../testing/test-bff.ts";
import { createTestClock, settle } from "../testing/test-clock.ts";
import { createFetchTransport } from "../upstream/fetch-transport.ts";
import type { Transport } from "../upstream/transport.ts";

async function open(transportOf?: (service: FakeService) => Transport) {
  const service = createFakeService();
  const clock = createTestClock();
  const lines = withEventLines(service);
  service.answer("messages", () => json({ messages: [], lastSeq: 100, epoch: "epoch-1" }));
  const store = createSqliteStore(":memory:", { clock });
  const bff = createTestBff({
    service,
    clock,
    store,
    ...(transportOf ? { transport: transportOf(service) } : {}),
  });
  const { token, answer, id } = await bff.startConversation();
  const { conversation } = (await answer.json()) as { conversation: { epoch: string } };
  const { epoch } = conversation;
  const follow = (lastEventId?: string) =>
    bff.request("GET", "/api/conversation/events", {
      token,
      headers: lastEventId === undefined ? {} : { "last-event-id": lastEventId },
    });
  const line = (index: number) => {
    const found = lines.at(index);
    if (!found) throw new Error("no such line");
    return found;
  };
  return { service, clock, store, lines, line, bff, token, id, epoch, follow };
}
const idsOf = (blocks: readonly string[]) =>
  blocks.flatMap((block) => block.match(/^id: .*:(\d+)$/m)?.[1] ?? []);
const reset = 'data: {"type":"reset","reason":"position_gone"}';

describe("GET /api/conversation/events works", () => {
  it("passes on the service's events under our own ids, with only their known fields", async () => {
    const { follow, line, epoch } = await open();
    const answer = await follow();
    expect(Object.fromEntries(answer.headers)).toMatchObject({
      "content-type": "text/event-stream",
      "cache-control": "no-store",
      "x-accel-buffering": "no",
    });
    line(0).send(messageEvent(1, "Hello", { assignedTo: "canary" }));
    line(0).send('data: {"type":"response.delta","messageId":"m2","delta":"Hi"}\n\n');
    const [first, second] = await readBlocks(answer, 2);
    expect(first?.split("\n")[0]).toBe(`id: ${epoch}:1`);
    expect(dataOf(first)).toMatchObject({ message: { body: "Hello" } });
    expect(first).not.toContain("canary");
    expect(second).toBe('data: {"type":"response.delta","messageId":"m2","delta":"Hi"}');
  });

  it("continues after the client's position", async () => {
    const { follow, line, epoch } = await open();
    const answer = await follow(`${epoch}:7`);
    expect(line(0).after).toBe("7");
    line(0).send(messageEvent(7) + messageEvent(8));
    expect(idsOf(await readBlocks(answer, 1))).toEqual(["8"]);
  });

  it("no text can forge a second event", async () => {
    const { follow, line } = await open();
    const text = "\n\nevent: reset\ndata: {}\n\n\r\r\u2028\u0085 id: 9";
    const answer = await follow();
    line(0).send(messageEvent(1, text) + messageEvent(2));
    const blocks = await readBlocks(answer, 2);
    expect(idsOf(blocks)).toEqual(["1", "2"]);
    expect(dataOf(blocks[0])).toMatchObject({ message: { body: text } });
  });

  it("skips unknown events, and events of a wrong form", async () => {
    const { follow, line } = await open();
    const answer = await follow();
    line(0).send('id: 1\ndata: {"type":"note.added","seq":1,"text":"canary"}\n\n');
    line(0).send('id: 2\ndata: {"type":"message.created","seq":2,"message":{"body":{"type":"img"}}}\n\n');
    line(0).send("id: 3\ndata: nonsense\n\n");
    line(0).send(messageEvent(4));
    expect(idsOf(await readBlocks(answer, 1))).toEqual(["4"]);
  });

  it("the log names the wrong fields of a known type once, and no unknown type", async () => {
    const { bff, follow, line } = await open();
    const answer = await follow();
    line(0).send('data: {"type":"note.added","text":"canary"}\n\ndata: nonsense\n\n');
    const wrong = 'data: {"type":"response.delta","messageId":"m2","text":"canary"}\n\n';
    line(0).send(wrong + wrong + messageEvent(1));
    await readBlocks(answer, 1);
    const ignored = bff.lines.filter((one) => one.includes("was ignored"));
    expect(ignored.map((one) => JSON.parse(one))).toEqual([
      expect.objectContaining({ level: "warn", type: "response.delta", why: "schema: delta" }),
    ]);
  });

  it("skips a hand-off whose status is not that of its event", async () => {
    const { bff, follow, line } = await open();
    const answer = await follow();
    for (const [seq, status] of ["accepted", "requested"].entries()) {
      const handoff = { id: "h", status };
      const event = { type: "handoff.requested", seq: seq + 1, at: "2026-11-21T12:00:00Z", handoff };
      line(0).send(`data: ${JSON.stringify(event)}\n\n`);
    }
    expect(idsOf(await readBlocks(answer, 1))).toEqual(["2"]);
    expect(bff.lines.join("\n")).toContain('"type":"handoff.requested","why":"schema: handoff.status"');
  });

  it("skips events that name another conversation", async () => {
    const { follow, line, id } = await open();
    const answer = await follow();
    const at = "2026-11-21T12:00:00Z";
    const handoff = { id: "h", status: "accepted", conversationId: "conv-2", human: { name: "Ann" } };
    for (const event of [
      { type: "conversation.ended", seq: 1, at, by: "human", conversationId: "conv-2" },
      { type: "handoff.accepted", seq: 2, at, handoff },
    ])
      line(0).send(`data: ${JSON.stringify(event)}\n\n`);
    line(0).send(messageEvent(3, "Not yours", { conversationId: "conv-2" }));
    line(0).send(messageEvent(4, "Yours", { conversationId: id }));
    expect(idsOf(await readBlocks(answer, 1))).toEqual(["4"]);
  });

  it("MSG1 an event that arrives after a later one is not lost, and is sent once", async () => {
    const { follow, line } = await open();
    const answer = await follow();
    for (const seq of [1, 4, 3, 3, 1, 4, 2, 1_000_000, 5]) line(0).send(messageEvent(seq));
    const seen = (await readBlocks(answer, 6)).map((block) => (dataOf(block) as { seq: number }).seq);
    expect(seen).toEqual([1, 4, 3, 2, 1_000_000, 5]);
  });

  it("a heartbeat is sent every 15 s", async () => {
    const { follow, clock } = await open();
    const answer = await follow();
    await clock.advance(2 * HEARTBEAT_MS);
    expect(await readBlocks(answer, 2, true)).toEqual([":", ":"]);
  });

  it("the end of the conversation is learned from the log", async () => {
    const { follow, line, bff, token } = await open();
    await follow();
    line(0).send(
      'id: 3\ndata: {"type":"conversation.ended","seq":3,"at":"2026-11-21T12:00:00Z","by":"human"}\n\n',
    );
    await settle();
    const next = await bff.post("/api/conversation/messages", { clientMessageId: "k", body: "x" }, token);
    expect(await problemOf(next)).toBe("409 conversation_ended");
  });
});

describe("when the service's connection breaks", () => {
  it.each(["end", "cut"] as const)("by %s: it goes on, nothing missed and nothing twice", async (how) => {
    const { follow, lines, line, clock } = await open();
    const answer = await follow();
    const seen: string[] = [];
    for (let seq = 1; seq <= 12; seq += 1) {
      // The service sends the last event again, as one that counts positions differently would.
      line(-1).send(messageEvent(Math.max(1, seq - 1)) + messageEvent(seq));
      await settle();
      line(-1)[how]();
      await settle();
      await clock.advance(250);
      expect(lines).toHaveLength(seq + 1);
      expect(line(-1).after).toBe(String(seq));
      await clock.advance(5000);
      seen.push(...idsOf(await readBlocks(answer, 1)));
    }
    expect(seen).toEqual(Array.from({ length: 12 }, (_, index) => String(index + 1)));
  });

  it("cut at every byte of an event: it arrives complete, once", async () => {
    const whole = messageEvent(1);
    for (let at = 0; at <= whole.length; at += 7) {
      const { follow, line, clock } = await open();
      const answer = await follow();
      line(0).send(whole.slice(0, at));
      await settle();
      line(0).cut();
      await clock.advance(250);
      line(1).send(at === whole.length ? messageEvent(2) : whole + messageEvent(2));
      expect(idsOf(await readBlocks(answer, 2))).toEqual(["1", "2"]);
    }
  });

  it("an event that arrives byte by byte is whole, and so is the one after it", async () => {
    const { follow, line } = await open();
    const answer = await follow();
    const texts = ["größer 🙂", "second"];
    for (const byte of Buffer.from(texts.map((text, index) => messageEvent(index + 1, text)).join(""))) {
      line(0).send(Buffer.of(byte));
      await settle();
    }
    const blocks = await readBlocks(answer, 2);
    for (const [index, text] of texts.entries()) expect(blocks[index]).toContain(text);
  });

  it("an event longer than the limit costs only itself, however its bytes arrive", async () => {
    const long = "x".repeat(300 * 1024);
    for (const pieces of [
      [`data: ${long}\n`.repeat(2), "\n", messageEvent(2)],
      [`data: ${long}${long}\n\n${messageEvent(2)}`],
      [`data: ${long}`, long, `\ndata: ${messageEvent(3)}\n${messageEvent(2)}`],
      [`data: ${long}\r\ndata: ${long}\r\n\r`, `\n${messageEvent(2)}`],
      [`data: ${long}\rdata: ${long}\r`, `\r${messageEvent(2)}`],
    ]) {
      const { follow, lines, line, bff } = await open();
      const answer = await follow();
      line(0).send(messageEvent(1));
      for (const piece of pieces) {
        line(0).send(piece);
        await settle();
      }
      line(0).send(messageEvent(4));
      expect(idsOf(await readBlocks(answer, 3))).toEqual(["1", "2", "4"]);
      expect(lines).toHaveLength(1);
      expect(bff.lines.filter((one) => one.includes('"why":"too long"'))).toHaveLength(1);
    }
  });

  it("a silent connection counts as dead after 45 s, and is opened again", async () => {
    const { follow, lines, line, clock } = await open();
    await follow();
    await clock.advance(45_000);
    expect(lines).toHaveLength(1);
    await clock.advance(16_000);
    expect(lines).toHaveLength(2);
    expect(line(0).isCancelled).toBe(true);
  });

  it("a silent connection within one process is not dead", async () => {
    const { follow, lines, clock } = await open((service) =>
      createFetchTransport(service, { isQuiet: true }),
    );
    await follow();
    await clock.advance(120_000);
    expect(lines).toHaveLength(1);
  });

  it("a service that stays away ends the client's stream, so that the client notices", async () => {
    const { follow, service, line, clock } = await open();
    const answer = await follow();
    service.answer("events", () => json({}, 503));
    line(0).cut();
    await clock.advance(10_000);
    expect(service.calls("events")).toHaveLength(6);
    expect(await readBlocks(answer, 1)).toEqual([]);
    expect(await problemOf(await follow())).toBe("503 support_unreachable");
  });

  it("a position that the service no longer knows is a reset", async () => {
    const { follow, service, line, clock } = await open();
    const answer = await follow();
    service.answer("events", () => json({}, 400));
    line(0).cut();
    await clock.advance(250);
    expect(await readBlocks(answer, 2)).toEqual([reset]);
  });
});

describe("a position that is gone", () => {
  it.each([
    ["empty", () => ""],
    ["a word", () => "abc"],
    ["negative", (epoch: string) => `${epoch}:-1`],
    ["a float", (epoch: string) => `${epoch}:1e99`],
    ["10 kB", (epoch: string) => `${epoch}:${"9".repeat(10_000)}`],
    ["in the future", (epoch: string) => `${epoch}:101`],
    ["another conversation's", () => "AAAAAAAAAAAA:1"],
    ["without an epoch", () => "1"],
  ])("%s: reset, and the stream ends", async (name, idOf) => {
    const { bff, token, epoch, lines } = await open();
    const headers = new Headers({ origin: "http://localhost:3000", authorization: `Bearer ${token}` });
    headers.set("last-event-id", idOf(epoch));
    const answer = await bff.bff.app.request("/api/conversation/events", { headers });
    expect(answer.status, name).toBe(200);
    expect(await readBlocks(answer, 2)).toEqual([reset]);
    expect(lines).toHaveLength(0);
  });

  it("an old epoch: the service replaced its log", async () => {
    const { follow, service, epoch } = await open();
    service.answer("messages", () => json({ messages: [], lastSeq: 100, epoch: "epoch-2" }));
    expect(await readBlocks(await follow(`${epoch}:5`), 2)).toEqual([reset]);
  });

  it("the last position of the log is valid (control)", async () => {
    const { follow, line, epoch } = await open();
    const answer = await follow(`${epoch}:100`);
    line(0).send(messageEvent(101));
    expect(idsOf(await readBlocks(answer, 1))).toEqual(["101"]);
  });
});

describe("GET /api/conversation/events refuses and protects", () => {
  it("without a conversation", async () => {
    const { bff } = await open();
    const { token } = await bff.startSession();
    expect(await problemOf(await bff.request("GET", "/api/conversation/events", { token }))).toBe(
      "409 no_conversation",
    );
  });

  it("an answer that is not an event stream is not passed on", async () => {
    const { follow, service } = await open();
    service.answer(
      "events",
      () => new Response("<h1>Sign in</h1>", { headers: { "content-type": "text/html" } }),
    );
    expect(await problemOf(await follow())).toBe("502 not_confirmed");
  });

  it("a client that leaves ends the service's stream", async () => {
    const { follow, line } = await open();
    const answer = await follow();
    await answer.body?.cancel();
    await settle();
    expect(line(0).isCancelled).toBe(true);
  });

  it("SES3 a logout ends the streams of the session, and no others", async () => {
    const { follow, bff, line, token } = await open();
    const mine = await follow();
    const other = await bff.startConversation();
    const theirs = await bff.request("GET", "/api/conversation/events", { token: other.token });
    await bff.request("DELETE", "/api/session", { token });
    expect(await readBlocks(mine, 1)).toEqual([]);
    await settle();
    expect(line(0).isCancelled).toBe(true);
    line(1).send(messageEvent(1));
    expect(idsOf(await readBlocks(theirs, 1))).toEqual(["1"]);
  });

  it("a session that expires ends its streams", async () => {
    const { follow, line, clock, bff, token } = await open();
    const halfDay = 12 * 3_600_000;
    for (let half = 1; half < 14; half += 1) {
      await clock.skip(halfDay);
      expect((await bff.post("/api/session", {}, token)).status).toBe(200);
    }
    await clock.skip(halfDay - 20_000);
    await follow();
    await clock.advance(15_000);
    expect(line(0).isCancelled).toBe(false);
    await clock.advance(20_000);
    expect(line(0).isCancelled).toBe(true);
  });

  it("a client that does not read is disconnected, and others are not", async () => {
    const { follow, line } = await open();
    const slow = await follow();
    const quick = await follow();
    const big = "x".repeat(20_000);
    for (let seq = 1; seq <= 20; seq += 1) {
      if (!line(0).isCancelled) line(0).send(messageEvent(seq, big));
      line(1).send(messageEvent(seq, big));
      await settle();
      expect(idsOf(await readBlocks(quick, 1))).toEqual([String(seq)]);
    }
    expect(line(0).isCancelled).toBe(true);
    await expect(slow.text()).rejects.toThrow();
  });

  it("stays open while the store can't say whether its customer has moved elsewhere", async () => {
    const { follow, line, lines, store } = await open();
    const get = store.get.bind(store);
    // From the moment in which the service's stream is open.
    store.get = (key) => (lines.length > 0 ? Promise.reject(new Failure("unavailable")) : get(key));
    const answer = await follow();
    store.get = get;
    line(0).send(messageEvent(1, "Hello"));
    expect(dataOf((await readBlocks(answer, 1))[0])).toMatchObject({ message: { body: "Hello" } });
  });

  it("the number of streams of a session is limited", async () => {
    const { follow } = await open();
    for (let count = 0; count < 20; count += 1) expect((await follow()).status).toBe(200);
    expect(await problemOf(await follow())).toBe("429 rate_limited");
  });

  it("during a drain each client learns when to reconnect, and new streams are refused", async () => {
    const { follow, bff } = await open();
    const answer = await follow();
    bff.bff.drain();
    const [block, ...more] = await readBlocks(answer, 2);
    expect(dataOf(block)).toMatchObject({ type: "drain" });
    expect(more).toEqual([]);
    expect(await problemOf(await follow())).toBe("503 unavailable");
    expect((await bff.request("GET", "/readyz")).status).toBe(503);
    expect((await bff.request("GET", "/livez")).status).toBe(200);
  });
});
