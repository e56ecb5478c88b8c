import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { systemRandom } from "../../../shared/server/random.ts";
import { createManualClock } from "../../testing/manual-clock.ts";
import type { ConversationLimits } from "../conversations.ts";
import { MARIA, openStage } from "../testing/store-stage.ts";
import { openSqliteStore } from "./sqlite-store.ts";

async function openTalk(conversationLimits: ConversationLimits) {
  const path = join(mkdtempSync(join(tmpdir(), "limits-")), "service.sqlite");
  const clock = createManualClock();
  const store = openSqliteStore({
    path,
    clock,
    random: systemRandom,
    publish: () => undefined,
    conversationLimits,
  });
  const stage = await openStage({ store, clock, published: [] });
  const owner = await stage.customer("ann");
  return { ...stage, owner, id: await stage.start(owner) };
}

describe("LONG3 a conversation", () => {
  test("takes messages up to its bound of entries, and the next one is refused", async () => {
    const { say, read, owner, id, start, store } = await openTalk({ entries: 4, bytes: 100_000 });
    const first = await say(owner, id, "1", { clientMessageId: "first" });
    for (const body of ["2", "3"]) await say(owner, id, body);
    await expect(say(owner, id, "4")).rejects.toMatchObject({ code: "conversation_full" });
    expect((await read(owner, id)).messages.map(({ body }) => body)).toEqual(["1", "2", "3"]);
    // A retry of what was accepted is confirmed, and another conversation takes the rest.
    expect((await say(owner, id, "1", { clientMessageId: "first" })).message).toEqual(first.message);
    await say(owner, await start(owner), "4");
    await store.close();
  });

  test.each([
    ["is asked for", undefined],
    ["talks", MARIA],
  ])("takes half as many entries again while a person %s, and no more afterwards", async (_, person) => {
    const { say, ask, owner, id, store, workspaceId } = await openTalk({ entries: 6, bytes: 100_000 });
    const target = { workspaceId, conversationId: id };
    // The start is the first entry, the request the second, and the person's coming would be the third.
    await ask(owner, id);
    if (person) await store.desk.acceptHandoff(target, person);
    for (let entry = person ? 3 : 2; entry < 9; entry += 1) await say(owner, id, "Still there?");
    await expect(say(owner, id, "!")).rejects.toMatchObject({ code: "conversation_full" });
    if (person) await store.desk.returnToAgent(target, person);
    await expect(say(owner, id, "!")).rejects.toMatchObject({ code: "conversation_full" });
    await store.close();
  });

  test("takes changed ratings up to twice its bound, and no more", async () => {
    const { owner, id, store } = await openTalk({ entries: 3, bytes: 100_000 });
    const rate = (score: "up" | "down") => store.conversations.rate(owner, id, { score });
    // The start is the first entry.
    for (const score of ["up", "down", "up", "down", "up"] as const) await rate(score);
    await expect(rate("down")).rejects.toMatchObject({ code: "conversation_full" });
    await expect(rate("up")).resolves.toEqual({ score: "up" });
    await store.close();
  });

  test("takes the first rating also of a log that a person's replies have filled", async () => {
    const { owner, id, store } = await openTalk({ entries: 1, bytes: 1 });
    await expect(store.conversations.rate(owner, id, { score: "up" })).resolves.toEqual({ score: "up" });
    await store.close();
  });

  test("takes messages up to its bound of bytes", async () => {
    const { say, owner, id, store } = await openTalk({ entries: 1000, bytes: 10_000 });
    for (let count = 0; count < 2; count += 1) await say(owner, id, "é".repeat(2500));
    await expect(say(owner, id, "!")).rejects.toMatchObject({ code: "conversation_full" });
    await store.close();
  });
});
