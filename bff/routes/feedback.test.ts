import { describe, expect, it } from "vitest";
import { createFakeService, json } from "../../service/testing/fake/fake-service.ts";
import { Capability } from "../../shared/capability.ts";
import { createTestBff, problemOf } from "../testing/test-bff.ts";

async function open(capabilities?: readonly string[]) {
  const service = createFakeService({ agent: "assistant" });
  if (capabilities) service.answer("capabilities", () => json({ capabilities }));
  const bff = createTestBff({ service });
  const { token, id } = await bff.startConversation();
  const give = (score: unknown, messageId: unknown = "msg_1", by = token) =>
    bff.post("/api/conversation/feedback", { messageId, score }, by);
  return { service, bff, token, id, give };
}

describe("HELP1 feedback at the BFF", () => {
  it("is passed on for an answer in the session's own conversation, confirmed by the service's echo, and read again", async () => {
    const { service, bff, token, id, give } = await open();
    const answers = () =>
      service
        .logOf(id)
        .flatMap((event) =>
          event.type === "message.created" && event.message.role === "agent" ? event.message.id : [],
        );
    await expect.poll(answers).toHaveLength(1);
    const [messageId] = answers();
    const read = async () => {
      const { conversation } = await (await bff.post("/api/session", {}, token)).json();
      return conversation.messages.map(({ feedback }: { feedback?: string }) => feedback);
    };
    for (const score of ["down", null]) {
      const answer = await give(score, messageId);
      expect([answer.status, await answer.json()]).toEqual([200, { feedback: { messageId, score } }]);
      expect(await read()).toEqual([undefined, score ?? undefined]);
    }
    expect(service.calls("feedback").map(({ path, body }) => [path, body])).toEqual([
      [`/v1/support/conversations/${id}/feedback`, { messageId, score: "down" }],
      [`/v1/support/conversations/${id}/feedback`, { messageId, score: null }],
    ]);
  });

  it.each([
    ["another score", (id: string) => ({ conversationId: id, messageId: "msg_1", score: "down" })],
    ["no score", (id: string) => ({ conversationId: id, messageId: "msg_1", score: null })],
    ["another answer", (id: string) => ({ conversationId: id, messageId: "msg_2", score: "up" })],
    ["another conversation", () => ({ conversationId: "conv-2", messageId: "msg_1", score: "up" })],
    ["nothing", () => undefined],
  ])("TRUTH1 an answer with %s confirms nothing", async (_name, feedbackFor) => {
    const { service, id, give } = await open();
    service.answer("feedback", () => json({ feedback: feedbackFor(id) }));
    expect(await problemOf(await give("up"))).toBe("502 not_confirmed");
  });

  it.each([
    ["sideways", "msg_1"],
    [undefined, "msg_1"],
    ["up", "../x"],
    ["up", undefined],
  ])("the score %j for the message %j is refused before the service is asked", async (score, messageId) => {
    const { service, bff, token } = await open();
    const answer = await bff.post("/api/conversation/feedback", { messageId, score }, token);
    expect(await problemOf(answer)).toBe("400 bad_request");
    expect(service.calls("feedback")).toEqual([]);
  });

  it("a message that is no answer of this conversation is not found, also in another customer's name", async () => {
    const { service, bff, id, give } = await open();
    const own = service
      .logOf(id)
      .flatMap((event) => (event.type === "message.created" ? event.message.id : []));
    const other = await bff.startConversation();
    expect(await problemOf(await give("up", "msg_0"))).toBe("404 not_found");
    expect(await problemOf(await give("up", own[0]))).toBe("404 not_found");
    expect(await problemOf(await give("up", own[0], other.token))).toBe("404 not_found");
  });

  it("counts in the limit of calls", async () => {
    const { bff, token, give } = await open();
    let last = await give("up");
    for (let count = 0; count < 200 && last.status !== 429; count += 1) last = await give("up");
    expect(await problemOf(last)).toBe("429 rate_limited");
    expect(bff.lines.join("\n")).not.toContain(token);
  });

  it.each(["feedback", "events"])("LESS1 without %s is not offered", async (missing) => {
    const { service, bff, give } = await open(Capability.options.filter((one) => one !== missing));
    expect((await bff.startSession()).capabilities).not.toContain("feedback");
    expect((await give("up")).status).toBe(404);
    expect(service.calls("feedback")).toEqual([]);
  });
});
