import { describe, expect, it } from "vitest";
import { createFakeService } from "../../service/testing/fake/fake-service.ts";
import { follow } from "../testing/bff-pair.ts";
import { messageEvent, withEventLines } from "../testing/event-lines.ts";
import { createTestBff, readBlocks } from "../testing/test-bff.ts";
import { createTestClock, settle } from "../testing/test-clock.ts";
import { delta, withTurnLines } from "../testing/turn-lines.ts";
import { createFetchTransport } from "../upstream/fetch-transport.ts";
import type { Transport } from "./transport.ts";

const bug = () => new TypeError("canary: cannot read properties of undefined");
const throwBug = () => {
  throw bug();
};
const reset = () => Object.assign(new Error("reset"), { code: "ECONNRESET" });

/** A BFF whose own code throws, while `isBroken`, at one place of every call. */
function open(breakAt: "request" | "body") {
  const service = createFakeService();
  const real = createFetchTransport(service);
  const state = { isBroken: false };
  const transport: Transport = {
    ...real,
    async call(request) {
      if (state.isBroken && breakAt === "request") throw bug();
      const answer = await real.call(request);
      if (!state.isBroken) return answer;
      return { ...answer, read: () => Promise.reject(bug()) };
    },
  };
  return { state, service, bff: createTestBff({ service, transport }) };
}

describe.each(["request", "body"] as const)("a fault of our own code, in the %s of a call", (place) => {
  it("is internal to the customer, never an outage, and its stack is logged without its message", async () => {
    const { state, bff } = open(place);
    const { token } = await bff.startConversation();
    state.isBroken = true;
    const answer = await bff.post("/api/conversation/messages", { clientMessageId: "m2", body: "Hi" }, token);
    expect(answer.status).toBe(500);
    expect(await answer.json()).toMatchObject({ code: "internal" });
    const logged = bff.lines.find((line) => line.includes("unexpected error")) ?? "{}";
    expect(JSON.parse(logged)).toMatchObject({ level: "error", error: "TypeError" });
    expect(logged).toContain("own-fault.test.ts");
    expect(bff.lines.join("\n")).not.toContain("canary");
    expect(bff.lines.join("\n")).not.toContain("support_unreachable");
  });

  it("opens no circuit: the next valid call goes through", async () => {
    const { state, bff, service } = open(place);
    const { token } = await bff.startConversation();
    state.isBroken = true;
    const send = (id: string) =>
      bff.post("/api/conversation/messages", { clientMessageId: id, body: "Hi" }, token);
    for (let n = 0; n < 8; n += 1) expect((await send(`m${n}`)).status).toBe(500);
    state.isBroken = false;
    expect((await send("right")).status).toBe(201);
    expect(service.calls("turns").at(-1)?.body).toMatchObject({ clientMessageId: "right" });
  });
});

describe("a fault of our own code, in an open stream", () => {
  it.each<[string, string | undefined, () => Promise<void>]>([
    ["that is thrown", "TypeError", throwBug],
    ["that rejects", "TypeError", () => Promise.reject(bug())],
    ["that is none, but a lost connection (control)", undefined, () => Promise.reject(reset())],
  ])("%s is logged with its stack, and the stream goes on", async (_, error, broken) => {
    const clock = createTestClock();
    const service = createFakeService();
    const lines = withEventLines(service);
    const real = createFetchTransport(service);
    let isBroken = true;
    const transport: Transport = {
      ...real,
      async open(request) {
        const answer = await real.open(request);
        return isBroken ? { ...answer, each: broken } : answer;
      },
    };
    const bff = createTestBff({ service, transport, clock });
    const { token } = await bff.startConversation();
    const stream = await follow(bff, token);
    await settle();
    const logged = bff.lines.find((line) => line.includes("unexpected error")) ?? "{}";
    expect(JSON.parse(logged).error).toBe(error);
    expect(logged.includes("own-fault.test.ts")).toBe(error !== undefined);
    expect(bff.lines.join("\n")).not.toContain("canary");

    isBroken = false;
    await clock.advance(1000);
    lines.at(-1)?.send(messageEvent(9));
    expect(await readBlocks(stream, 1)).toEqual([expect.stringContaining("message 9")]);
  });
});

describe("a fault of our own code, in the answer to a message that was taken", () => {
  it("is logged with its stack", async () => {
    const service = createFakeService({ kind: "turns" });
    const lines = withTurnLines(service);
    const real = createFetchTransport(service);
    const transport: Transport = {
      ...real,
      async open(request) {
        const answer = await real.open(request);
        return { ...answer, body: firstThenBug(answer.body) };
      },
    };
    const bff = createTestBff({ service, transport });
    const { token } = await bff.startSession();
    const sent = bff.post("/api/conversation", { clientMessageId: "k1", body: "Hi" }, token);
    await settle();
    lines[0]?.send(delta("It "));
    expect((await sent).status).toBe(201);
    await settle();
    const logged = bff.lines.find((line) => line.includes("unexpected error")) ?? "{}";
    expect(JSON.parse(logged)).toMatchObject({ level: "error", error: "TypeError" });
    expect(logged).toContain("own-fault.test.ts");
    expect(bff.lines.join("\n")).not.toContain("canary");
  });
});

async function* firstThenBug(body: AsyncIterable<Uint8Array>) {
  for await (const chunk of body) {
    yield chunk;
    throwBug();
  }
}

describe("a lost connection (control)", () => {
  it("is an outage, and opens the circuit", async () => {
    const service = createFakeService();
    const bff = createTestBff({ service });
    const { token } = await bff.startConversation();
    service.answer("turns", () => Promise.reject(reset()));
    const codes = new Set<string>();
    for (let n = 0; n < 6; n += 1) {
      const body = { clientMessageId: `m${n}`, body: "Hi" };
      const answer = await bff.post("/api/conversation/messages", body, token);
      codes.add(((await answer.json()) as { code: string }).code);
    }
    expect(codes).toEqual(new Set(["support_unreachable"]));
    expect(service.calls("turns").length).toBeLessThan(1 + 6 * 3);
  });
});
