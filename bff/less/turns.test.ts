import { describe, expect, it } from "vitest";
import { json } from "../../service/testing/fake/fake-service.ts";
import { problemOf } from "../testing/test-bff.ts";
import { settle } from "../testing/test-clock.ts";
import { completed, delta, type TurnLine } from "../testing/turn-lines.ts";
import { HELLO, openTurns, said } from "./testing/open-turns.ts";

describe("LONG3 the log of a service without events", () => {
  it.each([
    ["", false, 11],
    [", and half as many again with a person", true, 16],
  ])(
    "takes messages up to its bound%s; a repeated one is confirmed, and the next conversation takes the rest",
    async (_, hasPerson, most) => {
      const { begin, bff, token, line, lines, send, snapshot, service } = await openTurns();
      await begin();
      line(0).send(completed("It is on its way."));
      line(0).end();
      await settle();
      if (hasPerson) await bff.post("/api/conversation/handoff", {}, token);
      let count = 0;
      const sendLong = async () => {
        count += 1;
        const taken = send({ clientMessageId: `long-${count}`, body: "?".repeat(5000) });
        await settle();
        lines[count]?.send(completed("!".repeat(20_000)));
        lines[count]?.end();
        await settle();
        return taken;
      };
      const statuses: number[] = [];
      while (statuses.at(-1) !== 409) statuses.push((await sendLong()).status);
      expect(statuses).toEqual([...Array(most).fill(201), 409]);
      expect((await send({ clientMessageId: "long-1", body: "?".repeat(5000) })).status).toBe(201);
      service.answer("conversations", () => json({ conversation: { id: "conv-2", status: "open" } }, 201));
      const started = bff.post("/api/conversation", { clientMessageId: "next", body: "More" }, token);
      await settle();
      lines.at(-1)?.send(completed("Here."));
      expect((await started).status).toBe(201);
      expect((await snapshot()).id).toBe("conv-2");
    },
  );
});

describe("turns without events: a message", () => {
  it("is confirmed by the first event of the answer, and not before", async () => {
    const { bff, token, line, snapshot, service } = await openTurns();
    let isAnswered = false;
    const answer = bff.post("/api/conversation", HELLO, token).finally(() => {
      isAnswered = true;
    });
    await settle();
    expect(line(0).accept).toBe("application/x-ndjson");
    line(0).send({ type: "usage", tokens: 1 }, { type: "response.mood", mood: "sunny" });
    await settle();
    expect([isAnswered, (await snapshot()).messages]).toEqual([false, []]);
    line(0).send(delta("It "));
    const taken = await answer;
    expect(taken.status).toBe(201);
    expect(await taken.json()).toMatchObject({
      conversation: { id: [...service.conversations.keys()][0], status: "open" },
      message: { seq: 2, clientMessageId: "k1", role: "customer", body: HELLO.body },
    });
  });

  it.each([
    ["a stream that ends without a word", (line: TurnLine) => line.end()],
    ["a stream that is cut", (line: TurnLine) => line.cut()],
    [
      "an error for a first word",
      (line: TurnLine) => {
        line.send({ type: "error", code: "x", message: "canary" });
        line.end();
      },
    ],
    [
      "half a line",
      (line: TurnLine) => {
        line.write('{"type":"response.del');
        line.end();
      },
    ],
    [
      "a page",
      (line: TurnLine) => {
        line.write("<p>Message sent</p>\n");
        line.end();
      },
    ],
    ["a line without an end", (line: TurnLine) => line.write("x".repeat(256 * 1024 + 1))],
    ["bytes that are no text", (line: TurnLine) => line.write(new Uint8Array([0xff, 0x0a]))],
  ])("%s confirms nothing, and the same key may be tried again", async (_, fault) => {
    const { begin, line, send, snapshot, bff } = await openTurns();
    await begin();
    line(0).send(completed("It is on its way."));
    line(0).end();
    await settle();
    const second = { clientMessageId: "k2", body: "Since when?" };
    const lost = send(second);
    await settle();
    fault(line(1));
    expect(await problemOf(await lost)).toBe("502 not_confirmed");
    expect((await snapshot()).messages).toHaveLength(2);
    const again = send(second);
    await settle();
    line(2).send(completed("Since Monday."));
    expect((await again).status).toBe(201);
    expect(line(2).clientMessageId).toBe("k2");
    expect(bff.answered.join("")).not.toContain("canary");
  });

  it.each([
    ["202", () => new Response("", { status: 202, headers: { "content-type": "application/x-ndjson" } })],
    ["an HTML page", () => new Response("<p>Sent", { headers: { "content-type": "text/html" } })],
    ["JSON that is nothing", () => json({}, 201)],
    ["JSON of another key", () => json({ message: { id: "m", seq: 1, clientMessageId: "other" } }, 201)],
  ])("%s instead of a stream confirms nothing", async (_, answer) => {
    const { bff, token, service } = await openTurns();
    service.answer("turns", answer);
    expect(await problemOf(await bff.post("/api/conversation", HELLO, token))).toBe("502 not_confirmed");
  });

  it("may be confirmed by JSON if no answer streams", async () => {
    const { bff, token, service, snapshot } = await openTurns();
    service.answer("turns", () => json({ message: { id: "m", seq: 7, clientMessageId: "k1" } }, 201));
    expect((await bff.post("/api/conversation", HELLO, token)).status).toBe(201);
    expect(said(await snapshot())).toEqual([["customer", HELLO.body]]);
  });

  it("is confirmed from the log by its key, and not sent again", async () => {
    const { begin, line, send, lines } = await openTurns();
    const first = (await (await begin()).json()) as { message: object };
    expect(await (await send(HELLO)).json()).toEqual({ message: first.message });
    line(0).end();
    await settle();
    expect(await (await send(HELLO)).json()).toEqual({ message: first.message });
    expect(await problemOf(await send({ ...HELLO, body: "Another" }))).toBe("422 key_reused");
    expect(lines).toHaveLength(1);
  });

  it("LESS5 a late confirmation is a timeout, and the answer still reaches the log", async () => {
    const { bff, token, clock, line, lines, snapshot } = await openTurns();
    const late = bff.post("/api/conversation", HELLO, token);
    await settle();
    await clock.advance(8001);
    expect(await problemOf(await late)).toBe("504 support_timeout");
    const again = bff.post("/api/conversation", HELLO, token);
    await settle();
    line(0).send(completed("Here."));
    expect((await again).status).toBe(201);
    await settle();
    expect(lines).toHaveLength(1);
    expect(said(await snapshot())).toEqual([
      ["customer", HELLO.body],
      ["agent", "Here."],
    ]);
  });

  it("LESS5 waits for the end of the running turn, one at a time", async () => {
    const { begin, line, lines, send, clock } = await openTurns();
    await begin();
    const second = send({ clientMessageId: "k2", body: "And?" });
    await settle();
    expect(lines).toHaveLength(1);
    line(0).end();
    await settle();
    line(1).send(delta("And "));
    expect((await second).status).toBe(201);
    const third = send({ clientMessageId: "k3", body: "Well?" });
    await settle();
    await clock.advance(8001);
    expect(await problemOf(await third)).toBe("409 in_flight");
  });
});
