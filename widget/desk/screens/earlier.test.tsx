import { describe, expect, it } from "vitest";
import type { DeskConversation } from "../../../shared/desk.ts";
import type { PastConversation } from "../../../shared/v1/history.ts";
import { all, eventually, everything, one, type } from "../testing/by-role.ts";
import { createKit, type Kit, openedOn, settled, until } from "../testing/desk-kit.ts";
import { ANA, at, message, SAM, waiting } from "../testing/samples.ts";
import { problem } from "../testing/scripted-service.ts";
import { showDesk } from "./show-desk.test-kit.tsx";

const past = (id: string, firstWords: string): PastConversation => ({
  id,
  status: "ended",
  startedAt: at(-60),
  firstWords,
  answeredBy: { role: "human", name: "Mira Chen" },
});
const ended = (id: string, words: string): DeskConversation =>
  waiting({ id, state: "ended", status: "ended", messages: [message(2, "customer", words)] });

/** A desk where Sam has Ana's fourth conversation, with her earlier ones at the service. */
async function show(change: (kit: Kit) => void = () => undefined): Promise<Kit> {
  const start = createKit();
  const { customer } = waiting();
  start.service.state.conversations = [
    waiting({ state: "taken", takenBy: SAM, customer: { ...customer, visit: 4 } }),
    ended("cnv_2", "My lamp never came"),
    ended("cnv_1", "Do you ship to Bern?"),
  ];
  start.service.state.earlier = [
    past("cnv_3", "Which bulb fits?"),
    past("cnv_2", "My lamp never came"),
    past("cnv_1", "Do you ship to Bern?"),
  ];
  change(start);
  const kit = await openedOn(start, ANA);
  return showDesk(kit);
}

const log = () => one("log", "Conversation").textContent ?? "";

describe("DESK21 what the customer asked before", () => {
  it("is listed a page at a time beside the conversation, whose head says which one it is", async () => {
    await show();
    await eventually("button", /Which bulb fits\?.*Mira Chen/);
    expect(everything()).toContain("4th conversation");
    expect(all("button", /ship to Bern/)).toHaveLength(0);
    const section = one("heading", "Earlier conversations").parentElement;
    const more = [...(section?.querySelectorAll("button") ?? [])].find(
      (each) => each.textContent === "Show more",
    );
    more?.click();
    await eventually("button", /ship to Bern/);
    expect(section?.textContent).not.toContain("Show more");
  });

  it("ERASE1 leaves the list once it is erased", async () => {
    const kit = await show();
    await eventually("button", /My lamp never came/);
    const erased = { type: "conversation.erased" } as const;
    kit.service.push({ type: "conversation.event", conversationId: "cnv_3", event: erased });
    await until(() => !everything().includes("Which bulb fits?"));
    one("button", /My lamp never came/);
  });

  it("keeps its button for more under the focus while a page loads, also after a failure", async () => {
    const kit = await show();
    const held = Promise.withResolvers<void>();
    kit.service.script(`GET /conversations/${ANA}/earlier?after=2`, () =>
      held.promise.then(() => problem("unavailable")),
    );
    const more = await eventually("button", "Show more");
    more.focus();
    more.click();
    await until(() => more.getAttribute("aria-disabled") === "true");
    expect(document.activeElement).toBe(more);
    held.resolve();
    await until(() => more.textContent === "Try again");
    expect([document.activeElement, more.getAttribute("aria-disabled")]).toEqual([more, "false"]);
    more.click();
    const row = await eventually("button", /ship to Bern/);
    expect(all("button", "Show more")).not.toContain(more);
    await until(() => document.activeElement === row, "SAY2 the focus is on the first row of the last page");
  });

  it("can only be read: nothing is sent, taken or ended there, and the draft waits where it was", async () => {
    const kit = await show();
    type(one("textbox", "Reply"), "Dear Ana");
    (await eventually("button", /My lamp never came/)).click();
    await until(() => all("log").length === 1 && log().includes("My lamp never came"));
    expect(everything()).toContain("You're reading an earlier conversation.");
    for (const name of ["Reopen", "Resolve", "Hand back to agent", "Send reply", "Take conversation"]) {
      expect(all("button", name), name).toEqual([]);
    }
    expect(all("textbox", "Reply")).toEqual([]);
    // From one to the next, and back to where the person was.
    const here = () => document.querySelector(".customer [aria-current]")?.textContent;
    expect(here()).toContain("My lamp never came");
    one("button", "Back to the current one").click();
    await until(() => kit.board.isMine.value);
    expect((one("textbox", "Reply") as HTMLTextAreaElement).value).toBe("Dear Ana");
    expect(
      kit.service.calls.filter(({ route }) => /^POST .*(messages|take|reopen|resolve)$/.test(route)),
    ).toEqual([]);
  });

  it("DESK23 can still only be read when the browser's Back leads to it from another page", async () => {
    const kit = await show();
    kit.board.openEarlier("cnv_2");
    await until(() => log().includes("My lamp never came"));
    const address = kit.desk.fragment.value ?? "";
    kit.desk.show("account");
    kit.desk.follow(address);
    await until(() => log().includes("My lamp never came"));
    expect(all("button", "Reopen")).toEqual([]);
    (await eventually("button", "Back to the current one")).click();
    await until(() => kit.board.isMine.value);
  });

  it("the same conversation from the list of the desk has its usual buttons (control)", async () => {
    const kit = await show();
    kit.board.openEarlier("cnv_2");
    await until(() => log().includes("My lamp never came"));
    kit.board.open("cnv_2");
    await eventually("button", "Reopen");
  });

  it("a list that can't be read says so and can be tried again; an empty list is not read", async () => {
    const kit = await show(({ service }) =>
      service.script(`GET /conversations/${ANA}/earlier`, () => problem("unavailable")),
    );
    await until(() => everything().includes("We couldn't load earlier conversations."));
    const alert = all("alert").find((each) => each.textContent?.includes("earlier conversations"));
    const again = alert?.parentElement?.querySelector("button");
    again?.click();
    await eventually("button", /Which bulb fits/);
    kit.board.open("cnv_1");
    await until(() => log().includes("ship to Bern"));
    await settled();
    expect(all("heading", "Earlier conversations")).toEqual([]);
    expect(kit.service.callsOf("GET /conversations/cnv_1/earlier")).toEqual([]);
  });

  it("is listed once if the person leaves the conversation and returns before the first answer", async () => {
    const held = Promise.withResolvers<void>();
    const kit = await show(({ service }) =>
      service.script(`GET /conversations/${ANA}/earlier`, async () => {
        await held.promise;
        const conversations = [past("cnv_3", "Which bulb fits?"), past("cnv_2", "My lamp never came")];
        return Response.json({ conversationId: ANA, conversations });
      }),
    );
    kit.board.open("cnv_1");
    await until(() => log().includes("ship to Bern"));
    kit.board.open(ANA);
    await eventually("button", /Which bulb fits/);
    held.resolve();
    await settled();
    expect(all("button", /Which bulb fits/)).toHaveLength(1);
    expect(all("button", "Show more").length).toBeGreaterThan(0);
  });

  it("an answer about another conversation's customer is not shown", async () => {
    await show(({ service }) =>
      service.script(`GET /conversations/${ANA}/earlier`, () =>
        Response.json({ conversationId: "cnv_of_bob", conversations: [past("cnv_9", "Of Bob")] }),
      ),
    );
    await until(() => everything().includes("We couldn't load earlier conversations."));
    expect(everything()).not.toContain("Of Bob");
  });
});
