import { describe, expect, it } from "vitest";
import { Failure } from "../../shared/errors.ts";
import { settle } from "../testing/test-clock.ts";
import { completed, delta, type TurnLine } from "../testing/turn-lines.ts";
import { HELLO, openTurns, said } from "./testing/open-turns.ts";

describe("turns without events: quick replies", () => {
  const choices = [
    { id: "1", label: "Returns", send: "How do I return something?" },
    { id: "2", choice: "handoff" },
  ];

  it("belong to the message that completes after them, live and in the snapshot, with only the known fields", async () => {
    const { begin, line, events, snapshot } = await openTurns();
    await begin();
    line(0).send({ type: "choices", choices: choices.map((choice) => ({ ...choice, secret: "canary" })) });
    line(0).send(completed("Which one?"));
    line(0).end();
    await settle();
    const [, , answer] = await events(3);
    expect(answer?.["message"]).toMatchObject({ body: "Which one?", choices });
    const { messages } = await snapshot();
    expect(messages.at(-1)).toMatchObject({ body: "Which one?", choices });
    expect(JSON.stringify([answer, messages])).not.toContain("canary");
  });

  it.each([
    ["more than six", Array.from({ length: 7 }, (_, index) => ({ ...choices[0], id: `${index}` }))],
    ["one without a label", [{ id: "1", send: "x" }]],
    ["one that does nothing", [{ id: "1", label: "x" }]],
    ["one that does something unknown", [{ id: "1", label: "x", choice: "refund" }]],
  ])("%s: the list is left out, and the answer stays", async (_, faulty) => {
    const { begin, line, snapshot } = await openTurns();
    await begin();
    line(0).send({ type: "choices", choices: faulty }, completed("Which one?"));
    line(0).end();
    await settle();
    const last = (await snapshot()).messages.at(-1);
    expect(last?.body).toBe("Which one?");
    expect(last).not.toHaveProperty("choices");
  });

  it("are left out of an incomplete answer", async () => {
    const { begin, line, snapshot } = await openTurns();
    await begin();
    line(0).send({ type: "choices", choices });
    line(0).cut();
    await settle();
    const last = (await snapshot()).messages.at(-1);
    expect(last).toMatchObject({ body: "It ", incomplete: true });
    expect(last).not.toHaveProperty("choices");
  });
});

describe("turns without events: the answer", () => {
  it("reaches followers live, is complete in the log, and resumes at any position", async () => {
    const { begin, line, snapshot, events } = await openTurns();
    await begin();
    const followed = events(5);
    await settle();
    line(0).send(delta("is "), { type: "citation", citationId: "c1", title: "Shipping" });
    line(0).send(completed("It is on its way."));
    line(0).end();
    const seen = await followed;
    expect(seen.map(({ type }) => type)).toEqual([
      "conversation.started",
      "message.created",
      "response.snapshot",
      "response.delta",
      "message.created",
    ]);
    expect(seen[2]).toMatchObject({ text: "It " });
    expect(seen[4]).toMatchObject({
      seq: 3,
      message: { role: "agent", body: "It is on its way.", citations: [{ title: "Shipping" }] },
    });
    expect((seen[4] as unknown as { message: { id: string } }).message.id).toBe(seen[2]?.["messageId"]);
    const { epoch, lastSeq } = await snapshot();
    expect(lastSeq).toBe(3);
    expect((await events(1, `${epoch}:2`))[0]).toEqual(seen[4]);
    expect((await events(1, `${epoch}:9`))[0]).toMatchObject({ type: "reset" });
    expect((await events(1, "other:2"))[0]).toMatchObject({ type: "reset" });
  });

  it.each([
    ["cut", (line: TurnLine) => line.cut()],
    ["ended before it was whole", (line: TurnLine) => line.end()],
  ])("that is %s is stored as far as it arrived, and marked as incomplete", async (_, leave) => {
    const { begin, line, snapshot } = await openTurns();
    await begin();
    line(0).send(delta("is on"));
    leave(line(0));
    await settle();
    expect(said(await snapshot()).at(-1)).toEqual(["agent", "It is on", "cut"]);
  });

  it("that broke off and could not be stored is no answer in progress for a later follower", async () => {
    let fails = false;
    const { begin, line, send, events } = await openTurns((store) => ({
      ...store,
      write: (changes, signal) =>
        fails ? Promise.reject(new Failure("unavailable")) : store.write(changes, signal),
    }));
    await begin();
    fails = true;
    line(0).cut();
    await settle();
    fails = false;
    const followed = events(3);
    await settle();
    const next = send({ clientMessageId: "k2", body: "Hello?" });
    await settle();
    line(1).send(completed("Yes"));
    await next;
    expect((await followed)[2]).toMatchObject({ type: "message.created", message: { body: "Hello?" } });
  });

  it("is ended when it falls silent, and the next message is sent", async () => {
    const { begin, line, snapshot, clock, send } = await openTurns();
    await begin();
    await clock.advance(20_001);
    expect(line(0).isCancelled).toBe(true);
    expect(said(await snapshot()).at(-1)).toEqual(["agent", "It ", "cut"]);
    const next = send({ clientMessageId: "k2", body: "Hello?" });
    await settle();
    line(1).send(delta("Yes"));
    expect((await next).status).toBe(201);
  });

  it("LESS4 is ended after a minute", async () => {
    const { begin, line, clock, snapshot } = await openTurns();
    await begin();
    for (let second = 0; second < 60; second += 10) {
      line(0).send(delta("x"));
      await clock.advance(10_000);
    }
    await clock.advance(1);
    expect(line(0).isCancelled).toBe(true);
    expect(said(await snapshot()).at(-1)?.[2]).toBe("cut");
  });

  it("LESS4 continues when the browser leaves", async () => {
    const { bff, token, begin, line, snapshot } = await openTurns();
    await begin();
    const stream = await bff.request("GET", "/api/conversation/events", { token });
    await stream.body?.cancel();
    line(0).send(completed("It is here."));
    line(0).end();
    await settle();
    expect(said(await snapshot()).at(-1)).toEqual(["agent", "It is here."]);
  });

  it("is cut at the limit and marked as cut", async () => {
    const { begin, line, snapshot } = await openTurns();
    await begin();
    line(0).send(completed("😀".repeat(20_001)));
    await settle();
    const last = (await snapshot()).messages.at(-1);
    expect(last?.body).toBe("😀".repeat(20_000));
    expect(last?.incomplete).toBe(true);
  });

  it("that fails becomes a notice without the service's text", async () => {
    const { begin, line, snapshot, bff } = await openTurns();
    await begin();
    line(0).send({ type: "error", code: "overloaded", message: "canary" });
    line(0).end();
    await settle();
    expect(said(await snapshot()).slice(1)).toEqual([
      ["agent", "It ", "cut"],
      ["system", "agent_failed"],
    ]);
    expect(bff.answered.join("") + bff.lines.join("")).not.toContain("canary");
  });

  it("repeated ids of the service become separate messages", async () => {
    const { begin, line, send, snapshot } = await openTurns();
    await begin();
    line(0).send(completed("One"));
    line(0).end();
    await settle();
    const next = send({ clientMessageId: "k2", body: "And?" });
    await settle();
    line(1).send(completed("Two"));
    await next;
    await settle();
    expect(said(await snapshot()).map(([, body]) => body)).toEqual([HELLO.body, "One", "And?", "Two"]);
    expect(new Set((await snapshot()).messages.map(({ id }) => id)).size).toBe(4);
  });
});
