import { describe, expect, it } from "vitest";
import { AftercareModel } from "./aftercare.ts";
import { createExtrasClient } from "./extras-client.ts";
import { settle } from "./testing/manual-time.ts";
import { FAULTS, json, problem } from "./testing/scripted-bff.ts";
import { startChat } from "./testing/start-chat.ts";
import { lastSaid, startExtras } from "./testing/start-extras.ts";
import { visitOf } from "./testing/start-visit.ts";

const ERASE = "DELETE /api/conversation/content";

describe("ERASE2 erasing", () => {
  it("is for the conversation on the screen, and a retry shows the one that another device began", async () => {
    const { chat, bff, aftercare, posted, happenings } = await startExtras();
    bff.script(ERASE, ...[1, 2].map(() => () => problem("not_confirmed")));
    await aftercare.erase();
    expect(aftercare.erasure.value.kind).toBe("failed");
    bff.goOnElsewhere();
    await aftercare.erase();
    expect(bff.calls(ERASE).map(({ query }) => query)).toEqual(
      [1, 2].map(() => "?conversationId=conversation-1"),
    );
    expect(chat.conversation.current.value).toMatchObject({ id: "conversation-2" });
    expect([chat.conversation.isErased.value, posted.join()]).toEqual([false, "started"]);
    expect([aftercare.erasure.value.kind, aftercare.isFormerInDoubt.value]).toEqual(["idle", true]);
    expect(lastSaid(happenings)?.[1]).toMatch(/^We couldn't confirm the deletion\./);
    chat.session.forget();
    expect(aftercare.isFormerInDoubt.value).toBe(false);
  });

  it("in doubt is nothing that the next customer hears of", async () => {
    const { chat, bff, identify, who } = await visitOf("ann");
    bff.words.set("bob", ["words of bob"]);
    const environment = { tabs: { post: () => undefined, listen: () => undefined } };
    const client = createExtrasClient({ fetch: bff.fetch }, chat.client, () =>
      Promise.reject(new Error("no files")),
    );
    const aftercare = new AftercareModel({ environment, client, chat });
    const said: string[] = [];
    chat.subscribe(({ type }) => type === "said" && said.push(type));
    const held = Promise.withResolvers<void>();
    bff.script(ERASE, () => held.promise.then(() => problem("not_confirmed")));
    const erasing = aftercare.erase();
    identify("bob");
    await settle();
    held.resolve();
    await erasing;
    expect([who(), aftercare.isFormerInDoubt.value, said]).toEqual(["bob", false, []]);
    aftercare.isFormerInDoubt.value = true;
    identify("ann");
    await settle();
    expect([who(), aftercare.isFormerInDoubt.value]).toEqual(["ann", false]);
  });

  it.each(Object.entries(FAULTS))("%s erases nothing here", async (_, fault) => {
    const { chat, bff, aftercare, posted, happenings } = await startExtras();
    bff.script(ERASE, fault);
    await aftercare.erase();
    expect(aftercare.erasure.value.kind).toBe("failed");
    expect(chat.conversation.log.value.messages).toHaveLength(1);
    expect(lastSaid(happenings)).toEqual([
      true,
      expect.stringMatching(/^We couldn't confirm the deletion\. The conversation may still be there\. \w/),
    ]);
    expect([chat.conversation.isErased.value, posted.filter((said) => said.startsWith("erased"))]).toEqual([
      false,
      [],
    ]);
  });

  it("is no longer said once the session brings another conversation", async () => {
    const { chat, bff, aftercare } = await startExtras();
    const { conversation: erased } = bff.state;
    bff.script(ERASE, () => {
      bff.state.conversation = null;
      return json(200, { erased: { conversationId: "conversation-1" } });
    });
    await aftercare.erase();
    await settle();
    expect(chat.conversation.isErased.value, "control").toBe(true);
    bff.state.conversation = erased;
    bff.goOnElsewhere();
    await chat.session.refresh();
    const { current, isErased } = chat.conversation;
    expect([current.value?.id, isErased.value]).toEqual(["conversation-2", false]);
  });

  it("removes everything here, and informs the other tabs, once it is verified", async () => {
    const { chat, bff, aftercare, posted, happenings } = await startExtras();
    bff.script("POST /api/conversation/messages", FAULTS["500 problem"] ?? (() => json(500, {})));
    chat.outbox.send("in doubt");
    await settle();
    bff.script(ERASE, () => {
      bff.state.conversation = null;
      return json(200, { erased: { conversationId: "conversation-1" } });
    });
    await aftercare.erase();
    const { conversation, messages, pending } = chat.conversation.log.value;
    expect([conversation, messages, pending, chat.conversation.isErased.value]).toEqual([null, [], [], true]);
    expect(posted).toContain("erased conversation-1");
    expect(happenings.at(-1)?.type).toBe("conversation.erased");
    chat.outbox.send("Hello again");
    await settle();
    expect([chat.conversation.isErased.value, bff.calls("POST /api/conversation")]).toEqual([
      false,
      expect.anything(),
    ]);
  });

  it("another tab forgets that conversation and no other", async () => {
    let hear: (said: string) => void = () => undefined;
    const tabs = {
      post: () => undefined,
      listen: (listener: (said: never) => void) => {
        hear = listener as (said: string) => void;
      },
    };
    const { chat } = startChat(undefined, undefined, { tabs });
    chat.open();
    chat.outbox.send("Hello");
    await settle();
    hear("erased conversation-9");
    expect(chat.conversation.log.value.messages).toHaveLength(1);
    hear("erased conversation-1");
    expect([chat.conversation.log.value.messages, chat.conversation.isErased.value]).toEqual([[], true]);
  });
});

describe("ERASE1 a message that is on its way while the conversation is erased", () => {
  it("begins no other conversation: what the customer wanted gone is not said again", async () => {
    const { chat, bff, aftercare } = await startExtras();
    const { id } = chat.conversation.log.value.conversation ?? {};
    let arrive = (): void => undefined;
    const arriving = new Promise<void>((resolve) => {
      arrive = resolve;
    });
    bff.script("POST /api/conversation/messages", async () => {
      await arriving;
      return problem("no_conversation");
    });
    chat.outbox.send("My secret");
    await settle();
    bff.script(ERASE, () => {
      bff.state.conversation = null;
      return json(200, { erased: { conversationId: id } });
    });
    await aftercare.erase();
    arrive();
    await settle();
    expect(bff.calls("POST /api/conversation")).toHaveLength(1);
    expect(chat.conversation.log.value).toMatchObject({ conversation: null, messages: [], pending: [] });
    chat.outbox.send("Something else");
    await settle();
    expect(chat.conversation.log.value.messages.map(({ body }) => body)).toEqual(["Something else"]);
  });
});
