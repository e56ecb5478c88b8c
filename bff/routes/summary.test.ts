import { describe, expect, it } from "vitest";
import { createFakeService, json } from "../../service/testing/fake/fake-service.ts";
import { requestHandoff } from "../../shared/api/conversation.ts";
import { Capability } from "../../shared/capability.ts";
import { createTestBff, problemOf } from "../testing/test-bff.ts";
import { createTestClock, whileTimePasses } from "../testing/test-clock.ts";

const TEXT = "The lamp is broken.\nIt is urgent.";
const PATH = "/api/conversation/summary";
const HOUR_MS = 3_600_000;

/** A customer who waits for a person. */
async function openWaiting(capabilities?: readonly string[]) {
  const service = createFakeService();
  if (capabilities) service.answer("capabilities", () => json({ capabilities }));
  const clock = createTestClock();
  const bff = createTestBff({ service, clock });
  const { token, id } = await bff.startConversation();
  const asked = await bff.post("/api/conversation/handoff", {}, token);
  const { handoff } = requestHandoff.answer.parse(await asked.json());
  return {
    service,
    clock,
    bff,
    id,
    token,
    handoffId: handoff.id,
    propose: () => bff.request("GET", PATH, { token }),
    send: (text: unknown = TEXT, handoffId: unknown = handoff.id) =>
      bff.post(PATH, { handoffId, text }, token),
  };
}

describe("HAND6 a summary at the BFF", () => {
  it("is proposed and sent for the session's own conversation, and confirmed by the service's echo", async () => {
    const { service, propose, send, id, handoffId } = await openWaiting();
    const proposed = await propose();
    const proposal = { summary: { handoffId, sentences: expect.any(Array) } };
    expect([proposed.status, await proposed.json()]).toEqual([200, proposal]);
    const sent = await send();
    expect([sent.status, await sent.json()]).toEqual([
      200,
      { summary: { handoffId, sentences: [{ text: TEXT }] } },
    ]);
    expect(service.calls("sendSummary").map(({ path, body }) => [path, body])).toEqual([
      [`/v1/support/conversations/${id}/summary`, { handoffId, text: TEXT }],
    ]);
  });

  it.each([
    [
      "another text",
      (id: string, handoffId: string) => ({
        conversationId: id,
        handoffId,
        sentences: [{ text: "Broken." }],
      }),
    ],
    [
      "less of it",
      (id: string, handoffId: string) => ({
        conversationId: id,
        handoffId,
        sentences: [{ text: "The lamp is broken.", seq: 2 }],
      }),
    ],
    [
      "another hand-off",
      (id: string) => ({ conversationId: id, handoffId: "hand_2", sentences: [{ text: TEXT }] }),
    ],
    [
      "another conversation",
      (_id: string, handoffId: string) => ({
        conversationId: "conv-2",
        handoffId,
        sentences: [{ text: TEXT }],
      }),
    ],
    ["no sentence", (id: string, handoffId: string) => ({ conversationId: id, handoffId, sentences: [] })],
  ])("TRUTH1 an answer with %s confirms nothing", async (_name, summaryFor) => {
    const { service, send, id, handoffId } = await openWaiting();
    service.answer("sendSummary", () => json({ summary: summaryFor(id, handoffId) }));
    expect(await problemOf(await send())).toBe("502 not_confirmed");
  });

  it("a proposal for another conversation is shown to nobody", async () => {
    const { service, propose, handoffId } = await openWaiting();
    const summary = { conversationId: "conv-2", handoffId, sentences: [{ text: "Somebody's.", seq: 2 }] };
    service.answer("proposeSummary", () => json({ summary }));
    expect(await problemOf(await propose())).toBe("502 not_confirmed");
  });

  it.each([
    ["an empty text", ""],
    ["a text that is too long", "x".repeat(4001)],
    ["a control character", "\u0000"],
    ["a number", 7],
  ])("%s is refused before the service is asked", async (_name, text) => {
    const { service, send } = await openWaiting();
    expect(await problemOf(await send(text))).toBe("400 bad_request");
    expect(service.calls("sendSummary")).toEqual([]);
  });

  it("says why the service refused: another text after the first, another hand-off, an end", async () => {
    const { bff, token, send, propose } = await openWaiting();
    expect((await send()).status).toBe(200);
    expect(await problemOf(await send("Something else."))).toBe("422 key_reused");
    expect(await problemOf(await send(TEXT, "hand_2"))).toBe("409 handoff_unavailable");
    await bff.request("DELETE", "/api/conversation", { token });
    expect(await problemOf(await propose())).toBe("409 conversation_ended");
    expect(await problemOf(await send())).toBe("409 conversation_ended");
  });

  it("after a lost answer the retry is confirmed, and the summary is in the log once", async () => {
    const { service, clock, send, bff, token } = await openWaiting();
    service.answer("sendSummary", () => new Response("", { status: 502 }));
    expect((await whileTimePasses(clock, send())).status).toBeGreaterThanOrEqual(500);
    service.mend("sendSummary");
    expect((await send()).status).toBe(200);
    expect((await send()).status).toBe(200);
    const state = (await (await bff.post("/api/session", {}, token)).json()) as {
      conversation: { marks: { type: string }[] };
    };
    expect(state.conversation.marks.filter(({ type }) => type === "summary.sent")).toHaveLength(1);
  });

  it("is proposed and sent at most thirty times an hour, and never appears in a log line", async () => {
    const { clock, bff, send } = await openWaiting();
    for (let count = 0; count < 30; count += 1) expect((await send()).status).toBe(200);
    expect(await problemOf(await send())).toBe("429 rate_limited");
    await clock.skip(HOUR_MS);
    expect((await send()).status).toBe(200);
    expect(bff.lines.join("\n")).not.toContain("lamp");
  });

  it("LESS1 is not offered if the service has no summaries", async () => {
    const { service, send, propose } = await openWaiting(
      Capability.options.filter((capability) => capability !== "summary"),
    );
    expect([(await propose()).status, (await send()).status]).toEqual([404, 404]);
    expect(service.calls("sendSummary")).toEqual([]);
  });
});
