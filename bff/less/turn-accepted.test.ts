import { describe, expect, it } from "vitest";
import { createFakeService } from "../../service/testing/fake/fake-service.ts";
import { createTestBff, problemOf } from "../testing/test-bff.ts";
import { settle } from "../testing/test-clock.ts";
import { completed, type TurnLine, withTurnLines } from "../testing/turn-lines.ts";

const HELLO = { clientMessageId: "k1", body: "Where is my parcel?" };
const accepted = (clientMessageId: string, body?: string) => ({
  type: "turn.accepted",
  message: { id: "m1", clientMessageId, seq: 2, body },
});

/** The first message of a conversation, whose stream `speak` writes; returns the log afterwards. */
async function send(speak: (line: TurnLine, conversationId: string) => void) {
  const service = createFakeService({ kind: "turns" });
  const lines = withTurnLines(service);
  const bff = createTestBff({ service });
  const { token } = await bff.startSession();
  const answer = bff.post("/api/conversation", HELLO, token);
  await settle();
  const [line] = lines;
  const [conversationId] = service.conversations.keys();
  if (!line || conversationId === undefined) throw new Error("no turn");
  speak(line, conversationId);
  const response = await answer;
  await settle();
  const { conversation } = (await (await bff.post("/api/session", {}, token)).json()) as {
    conversation: { messages: { role: string; body: string; notice?: string }[] } | null;
  };
  const said = (conversation?.messages ?? []).map(({ role, body, notice }) => [role, notice ?? body]);
  return { bff, response, said };
}

describe("a turn's stream that begins with turn.accepted", () => {
  it("confirms the message before the agent's first word", async () => {
    const { response, said } = await send((line) => line.send(accepted("k1")));
    expect(response.status).toBe(201);
    expect(said).toEqual([["customer", HELLO.body]]);
  });

  it.each([
    ["message", accepted("k2")],
    ["text", accepted("k1", "Where is my")],
  ])("confirms nothing if it names another %s", async (_, other) => {
    const { response, said } = await send((line) => line.send(other, completed("It is here.")));
    expect(await problemOf(response)).toBe("502 not_confirmed");
    expect(said).toEqual([]);
  });

  it("skips an event that names another conversation, and accepts one that names this one", async () => {
    const other = { ...completed("Not for you."), conversationId: "conv-2" };
    const { said } = await send((line, conversationId) => {
      line.send(other, accepted("k1"), other, { ...completed("For you."), conversationId });
      line.end();
    });
    expect(said).toEqual([
      ["customer", HELLO.body],
      ["agent", "For you."],
    ]);
  });

  it("the log names the wrong field of an answer that is then missing", async () => {
    const { bff, said } = await send((line) => {
      line.send(accepted("k1"), { type: "usage.new" }, { ...completed("canary"), content: "canary" });
      line.cut();
    });
    expect(said.at(-1)).toEqual(["system", "agent_failed"]);
    const ignored = bff.lines.filter((one) => one.includes("was ignored"));
    expect(ignored).toHaveLength(1);
    expect(ignored[0]).toMatch(/"type":"response.completed","why":"schema: content"/);
    expect(ignored[0]).not.toContain("canary");
  });

  it("followed by the end is not a failed answer", async () => {
    const { said } = await send((line) => {
      line.send(accepted("k1"));
      line.end();
    });
    expect(said).toEqual([["customer", HELLO.body]]);
  });

  it("followed by a lost connection is a failed answer (control)", async () => {
    const { said } = await send((line) => {
      line.send(accepted("k1"));
      line.cut();
    });
    expect(said).toEqual([
      ["customer", HELLO.body],
      ["system", "agent_failed"],
    ]);
  });
});
