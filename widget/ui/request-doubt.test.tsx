import { render } from "preact";
import { act } from "preact/test-utils";
import { describe, expect, it } from "vitest";
import { createScriptedBff, problem } from "../app/testing/scripted-bff.ts";
import { createMapStorage, startChat } from "../app/testing/start-chat.ts";
import { fail } from "../app/testing/start-network.ts";
import { conversationPart } from "./conversation-part.ts";
import { Strips } from "./strips.tsx";
import { InPanel, startPanel } from "./testing-panel.tsx";

const HANDOFF = "POST /api/conversation/handoff";
const DOUBT = "We couldn't confirm your request for a person.";
const WISH = "Write your message first. We'll ask for a person as soon as it arrives.";

/** One tab, whose panel can be loaded again. */
function startTab() {
  const [bff, storage, tabStorage] = [createScriptedBff(), createMapStorage(), createMapStorage()];
  let pages = 0;
  return {
    bff,
    load: async () => {
      bff.cutStreams();
      pages += 1;
      let ids = 0;
      const randomId = () => `page-${pages}-key-${++ids}`;
      const panel = startPanel({}, startChat(bff, storage, { tabStorage, randomId }));
      await panel.open();
      const strips = () => panel.root.querySelector(".strips")?.textContent ?? "";
      return { ...panel, strips };
    },
  };
}

/** A tab whose customer asked for a person in vain, loaded again. */
async function reloadAfter(answer: Parameters<ReturnType<typeof createScriptedBff>["script"]>[1]) {
  const tab = startTab();
  const before = await tab.load();
  await before.say("Hello");
  tab.bff.script(HANDOFF, answer);
  await before.click("button", "Talk to a person");
  return { ...tab, before };
}

describe("OUT2 an unconfirmed request for a person after a reload", () => {
  it("is still shown, and Retry asks again", async () => {
    const { bff, before, load } = await reloadAfter(fail);
    expect(before.strips()).toContain(DOUBT);
    const after = await load();
    expect(after.strips()).toBe(`${DOUBT}Retry`);
    expect(bff.calls(HANDOFF)).toHaveLength(1);
    await after.click("button", "Retry");
    expect(after.strips()).toContain("We've asked a teammate to join.");
    expect((await load()).strips()).not.toContain(DOUBT);
  });

  it("has the reason for which support refused it", async () => {
    const { load } = await reloadAfter(() => problem("handoff_unavailable"));
    expect((await load()).strips()).toContain(`${DOUBT} Nobody is available to join right now.`);
  });

  it("is shown too if no answer had arrived yet", async () => {
    const { load } = await reloadAfter(() => new Promise(() => undefined));
    expect((await load()).strips()).toBe(`${DOUBT}Retry`);
  });

  it.each(["requested", "failed"] as const)(
    "is gone if the service reports a request that is %s",
    async (status) => {
      const { bff, load } = await reloadAfter(fail);
      bff.cutStreams();
      bff.setHandoff(status);
      expect((await load()).strips()).not.toContain(DOUBT);
    },
  );

  it("is gone after the conversation has ended, also when the next one begins", async () => {
    const { bff, load } = await reloadAfter(fail);
    bff.cutStreams();
    bff.end();
    const after = await load();
    expect(after.strips()).not.toContain(DOUBT);
    await after.say("Something else");
    expect((await load()).strips()).not.toContain(DOUBT);
  });
});

describe("OUT2 the wish for a person before the first message", () => {
  it("survives a reload, and a person is asked for once the message has arrived", async () => {
    const { bff, load } = startTab();
    const before = await load();
    await before.click("button", "Talk to a person");
    await before.type("My lamp");
    const after = await load();
    expect([after.strips(), after.box().value]).toEqual([WISH, "My lamp"]);
    await after.say("My lamp broke");
    expect(bff.calls(HANDOFF)).toHaveLength(1);
    expect(after.strips()).toContain("We've asked a teammate to join.");
  });

  it("is fulfilled after the reload if the message had arrived", async () => {
    const { bff, load } = startTab();
    const before = await load();
    await before.click("button", "Talk to a person");
    bff.script("POST /api/conversation", async (request, signal) => {
      await bff.answer(request, signal);
      return new Promise<Response>(() => undefined);
    });
    await before.say("My lamp broke");
    const after = await load();
    await act(() => after.settle());
    expect(bff.calls(HANDOFF)).toHaveLength(1);
    expect(after.strips()).toContain("We've asked a teammate to join.");
  });
});

it("PART2 a request that is not confirmed is still shown beside the offer to reload the chat", async () => {
  const { before } = await reloadAfter(fail);
  const root = document.createElement("div");
  render(
    <InPanel of={before}>
      <Strips part={conversationPart} onReload={() => undefined} />
    </InPanel>,
    root,
  );
  expect(root.textContent).toContain(`Reload the chat${DOUBT}Retry`);
});
