// @vitest-environment node
import { describe, expect, it } from "vitest";
import { settle } from "./testing/manual-time.ts";
import { problem } from "./testing/scripted-bff.ts";
import { createMapStorage } from "./testing/start-chat.ts";
import { fail, waiting } from "./testing/start-network.ts";
import { KEPT, startVain, type Visit, writeAs } from "./testing/start-vain.ts";
import { createIdentityBff, startVisit, visitOf } from "./testing/start-visit.ts";

/** A tab in which nobody ever had a session: messages wait, and support is down. */
async function writeInVain(answer?: () => Response) {
  const vain = startVain(answer);
  const first = await vain.open();
  first.chat.outbox.send("in doubt");
  await first.time.advance(60_000);
  first.chat.outbox.send("under way");
  await settle();
  first.chat.pause();
  return vain;
}

describe("OUT2 support is down from the start, then a reload", () => {
  it.each([
    ["nothing answers", undefined],
    ["the BFF answers that support is away", () => problem("support_unreachable")],
  ])(
    "%s: what is kept is to be seen as it stands, and goes out once when somebody answers",
    async (_name, answer) => {
      const { open, mend, sent } = await writeInVain(answer);
      const again = await open();
      expect(waiting(again.chat)).toEqual([
        "in doubt: not_confirmed",
        answer ? "under way: not_confirmed" : "under way: queued",
      ]);
      expect(again.chat.outbox.hiddenCount.value).toBe(0);
      await again.time.advance(5_000);
      expect(waiting(again.chat)).toHaveLength(2);
      for (const { clientMessageId } of again.chat.conversation.log.value.pending)
        again.chat.outbox.retry(clientMessageId);
      await mend(again);
      await again.time.advance(60_000);
      for (const { clientMessageId } of again.chat.conversation.log.value.pending)
        again.chat.outbox.retry(clientMessageId);
      await settle();
      expect(new Set(sent())).toEqual(new Set(["in doubt", "under way"]));
      expect(sent()).toHaveLength(2);
      expect(waiting(again.chat)).toEqual([]);
    },
  );

  it("an unconfirmed message is not sent automatically, and a second reload shows it again", async () => {
    const { open, mend, sent, tabStorage } = await writeInVain();
    (await open()).chat.pause();
    expect(tabStorage.map.get(KEPT)?.match(/in doubt|under way/g)).toEqual(["in doubt", "under way"]);
    const third = await open();
    expect(waiting(third.chat)).toEqual(["in doubt: not_confirmed", "under way: queued"]);
    await mend(third);
    expect(waiting(third.chat)).toEqual(["in doubt: not_confirmed"]);
    expect(sent()).toEqual(["under way"]);
  });

  it("OUT3 if the site names somebody, it is counted and not shown, and never becomes theirs", async () => {
    const { open, mend, sent, tabStorage } = await writeInVain();
    const ann = await open((visit) => visit.identify("ann"));
    expect([waiting(ann.chat), ann.chat.outbox.hiddenCount.value]).toEqual([[], 2]);
    await mend(ann);
    expect(ann.who()).toBe("ann");
    expect([waiting(ann.chat), ann.chat.outbox.hiddenCount.value, sent()]).toEqual([[], 0, []]);
    expect(tabStorage.map.has(KEPT)).toBe(false);
  });

  it("OUT3 if somebody is named after it was shown, it is hidden, except what was edited again", async () => {
    const { open, mend, sent } = await writeInVain();
    const again = await open();
    again.chat.outbox.retry(again.chat.conversation.log.value.pending[0]?.clientMessageId ?? "");
    again.identify("ann");
    expect(waiting(again.chat).map((one) => one.split(":")[0])).toEqual(["in doubt"]);
    expect(again.chat.outbox.hiddenCount.value).toBe(1);
    await mend(again);
    expect(sent()).not.toContain("under way");
    expect(again.chat.outbox.hiddenCount.value).toBe(0);
  });

  it("OUT3 if the site says that nobody is signed in it is shown, and hidden as soon as somebody is named", async () => {
    const { open, mend, sent } = await writeInVain();
    const again = await open((visit) => visit.identify(null));
    expect(waiting(again.chat)).toHaveLength(2);
    again.page.who = "ann";
    again.chat.wake();
    await settle();
    expect([waiting(again.chat), again.chat.outbox.hiddenCount.value]).toEqual([[], 2]);
    await mend(again);
    expect([again.who(), sent(), again.chat.outbox.hiddenCount.value]).toEqual(["ann", [], 0]);
  });

  it("OUT3 if somebody is named after a shown message became unconfirmed again, it is still hidden", async () => {
    const { open } = await writeInVain();
    const again = await open();
    again.chat.outbox.send("new");
    await again.time.advance(60_000);
    expect(waiting(again.chat)).toEqual([
      "in doubt: not_confirmed",
      "under way: not_confirmed",
      "new: not_confirmed",
    ]);
    again.identify("ann");
    expect([waiting(again.chat), again.chat.outbox.hiddenCount.value]).toEqual([["new: not_confirmed"], 2]);
  });

  it("OUT3 messages left by a named customer are only counted, and count towards the limit of twenty", async () => {
    const visit = { bff: createIdentityBff(), storage: createMapStorage(), tabStorage: createMapStorage() };
    const ann = await visitOf("ann", visit);
    visit.bff.fetch = fail;
    const pending = [{ clientMessageId: "of-ann", body: "words of ann", status: "queued" }];
    ann.chat.pause();
    visit.tabStorage.setItem(KEPT, JSON.stringify({ era: "", owner: "ann", draft: "", pending }));
    const again = startVisit(visit);
    again.identify("bob");
    again.chat.open();
    await settle();
    expect([waiting(again.chat), again.chat.outbox.hiddenCount.value]).toEqual([[], 1]);
    for (let at = 1; at <= 19; at += 1) expect(again.chat.outbox.send(`${at}`)).toBe("sending");
    expect(again.chat.outbox.send("21")).toBe("full");
  });
});

describe("OUT2 a draft", () => {
  const leaveHalf = async (vain: ReturnType<typeof startVain>) => {
    const page = await vain.open();
    page.chat.composer.draft.value = "half a thought";
    page.chat.pause();
  };

  it.each([
    ["nobody is named", () => undefined],
    ["the site says that nobody is signed in", (visit: Visit) => visit.identify(null)],
  ])("of a visitor is in the box while support is down, if %s", async (_name, before) => {
    const vain = startVain();
    await leaveHalf(vain);
    const again = await vain.open(before);
    expect(again.chat.composer.draft.value).toBe("half a thought");
    await again.time.advance(60_000);
    await vain.mend(again);
    expect(again.chat.composer.draft.value).toBe("half a thought");
  });

  it("OUT3 is removed from the box when the site names somebody", async () => {
    const vain = startVain();
    await leaveHalf(vain);
    const again = await vain.open();
    again.identify("ann");
    expect(again.chat.composer.draft.value).toBe("");
    await vain.mend(again);
    expect([again.who(), again.chat.composer.draft.value]).toEqual(["ann", ""]);
  });

  it("that is restored comes before what was written meanwhile", async () => {
    const vain = startVain();
    await writeAs(vain, "ann", "words of ann");
    const ann = await vain.open((visit) => visit.identify("ann"));
    ann.chat.composer.draft.value = "and another";
    await vain.mend(ann);
    expect(ann.chat.composer.draft.value).toBe("half a thought of ann\nand another");
  });

  it("from the page does not count: the customer's own replaces it", async () => {
    const vain = startVain();
    await writeAs(vain, "ann", "words of ann");
    const ann = await vain.open((visit) => visit.identify("ann"));
    ann.chat.composer.suggest("Where is order 17?");
    await vain.mend(ann);
    expect(ann.chat.composer.draft.value).toBe("half a thought of ann");
  });
});
