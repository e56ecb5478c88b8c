// @vitest-environment node
import { describe, expect, it } from "vitest";
import type { Rating } from "../../shared/rating.ts";
import type { PanelEvent } from "./panel-events.ts";
import { settle } from "./testing/manual-time.ts";
import { AT, FAULTS, json, problem, type ScriptedBff } from "./testing/scripted-bff.ts";
import { lastSaid, startExtras } from "./testing/start-extras.ts";
import { createTexts } from "./texts.ts";

const RATE = "POST /api/conversation/rating";

const said = (happenings: readonly PanelEvent[]) =>
  happenings.flatMap((one) => (one.type === "said" ? one.words(createTexts({}, "en")) : []));

it("LONG3 a changed rating that a full log refuses promises no new conversation", async () => {
  const { bff, aftercare, happenings } = await startExtras();
  bff.script(RATE, () => problem("conversation_full"));
  await aftercare.rate({ score: "down" });
  expect(aftercare.rating.value).toMatchObject({ kind: "failed", failure: { code: "conversation_full" } });
  expect(said(happenings).at(-1)).toBe("We couldn't confirm your rating. Support didn't accept this.");
});

describe("RATE2 a rating whose answer is lost", () => {
  const up = { score: "up", comment: "Well" } as const;
  const rated = (bff: ScriptedBff, rating: Rating) =>
    bff.record({ type: "conversation.rated", seq: bff.nextSeq(), at: AT, rating });

  it("counts if the log brought it before", async () => {
    const { bff, aftercare, happenings } = await startExtras();
    bff.script(RATE, async () => {
      rated(bff, up);
      await settle();
      return problem("support_timeout");
    });
    await aftercare.rate(up);
    expect(aftercare.rating.value.kind).toBe("idle");
    expect(said(happenings).at(-1)).toBe("Thanks for your feedback.");
  });

  it("counts once the log brings it, and no other rating proves it", async () => {
    const { bff, aftercare, happenings } = await startExtras();
    bff.script(RATE, () => problem("support_timeout"));
    await aftercare.rate(up);
    rated(bff, { score: "up" });
    await settle();
    expect(aftercare.rating.value.kind).toBe("failed");
    rated(bff, up);
    await settle();
    expect(aftercare.rating.value.kind).toBe("idle");
    expect(said(happenings).at(-1)).toBe("Thanks for your feedback.");
  });

  it("stays a doubt if the log had the same rating already", async () => {
    const { bff, aftercare } = await startExtras();
    rated(bff, up);
    await settle();
    bff.script(RATE, () => problem("support_timeout"));
    await aftercare.rate(up);
    expect(aftercare.rating.value.kind).toBe("failed");
  });

  it.each([
    ["lost", () => problem("support_timeout")],
    ["late", () => json(200, { rating: up })],
  ])("%s: it does not concern the conversation that began meanwhile", async (_, answer) => {
    const { chat, bff, aftercare, happenings } = await startExtras();
    const held = Promise.withResolvers<void>();
    bff.script(RATE, () => held.promise.then(answer));
    const first = aftercare.rate(up);
    await settle();
    bff.end();
    await settle();
    chat.outbox.send("Something else");
    await settle();
    bff.script(RATE, () => new Promise<Response>(() => undefined));
    void aftercare.rate(up);
    held.resolve();
    await first;
    expect(aftercare.rating.value.kind).toBe("asking");
    expect(chat.conversation.current.value).toMatchObject({ id: "conversation-2" });
    expect(chat.conversation.current.value?.rating).toBeUndefined();
    expect(said(happenings).join()).not.toMatch(/rating|feedback/);
  });
});

describe("RATE2 the rating", () => {
  it("is for the conversation on the screen, and a retry shows the one that another device began", async () => {
    const { chat, bff, aftercare, happenings } = await startExtras();
    bff.script(RATE, ...[1, 2].map(() => () => problem("not_confirmed")));
    await aftercare.rate({ score: "up" });
    expect(bff.calls(RATE).map(({ query }) => query)).toEqual(["?conversationId=conversation-1"]);
    expect(aftercare.rating.value.kind).toBe("failed");
    bff.goOnElsewhere();
    await aftercare.rate({ score: "up" });
    expect(bff.calls(RATE).at(-1)?.query).toBe("?conversationId=conversation-1");
    expect(chat.conversation.current.value).toMatchObject({ id: "conversation-2" });
    expect(chat.conversation.current.value?.rating).toBeUndefined();
    expect(said(happenings).join()).not.toContain("Thanks");
  });

  it.each(Object.entries(FAULTS))("%s is not thanked for", async (_, fault) => {
    const { chat, bff, aftercare, happenings } = await startExtras();
    bff.script(RATE, fault);
    await aftercare.rate({ score: "up" });
    expect(aftercare.rating.value.kind).toBe("failed");
    expect(chat.conversation.current.value?.rating).toBeUndefined();
    expect(lastSaid(happenings)).toEqual([
      true,
      expect.stringMatching(/^We couldn't confirm your rating\. \w/),
    ]);
  });

  it("counts once the BFF confirms the same rating, and can be changed", async () => {
    const { chat, bff, aftercare, happenings } = await startExtras();
    bff.script(RATE, () => json(200, { rating: { score: "down" } }));
    await aftercare.rate({ score: "up" });
    expect(aftercare.rating.value.kind).toBe("failed");
    for (const rating of [{ score: "up", comment: "Well" }, { score: "down" }] as const) {
      bff.script(RATE, () => json(200, { rating }));
      await aftercare.rate(rating);
      expect(chat.conversation.current.value?.rating).toEqual(rating);
      expect(lastSaid(happenings)).toEqual([false, "Thanks for your feedback."]);
    }
  });
});
