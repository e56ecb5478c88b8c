import { describe, expect, it } from "vitest";
import { factsForm } from "./forms-model.ts";
import { createKit, type Kit, openedOn, settled, signedInKit, takenKit, until } from "./testing/desk-kit.ts";
import { ANA, SAM, waiting } from "./testing/samples.ts";
import { json, problem } from "./testing/scripted-service.ts";
import { texts } from "./texts.ts";

const reload = (kit: Kit): Promise<Kit> => openedOn(createKit(kit), ANA);

/** Ana's conversation with an unconfirmed reply and a text in the box. */
async function writtenKit(): Promise<Kit> {
  const kit = await takenKit(ANA);
  kit.service.script(`POST /conversations/${ANA}/messages`, () => problem("unavailable"));
  kit.board.setDraft("Is it broken?");
  kit.board.reply();
  await until(() => kit.board.replies.value[0]?.status === "not_confirmed");
  kit.board.setDraft("And the");
  return kit;
}

function scriptDraft({ service }: Kit): void {
  const draft = {
    kind: "drafted",
    conversationId: ANA,
    body: "It takes two days.",
    author: "AI assistant",
  };
  service.script(`POST /conversations/${ANA}/draft`, () =>
    json({ draft: { ...draft, generated: { by: "openai" }, citations: [], hasWithheld: false } }),
  );
}

describe("DESK28 what a person has not sent", () => {
  it("survives a reload, and a reply is sent again with the same key", async () => {
    const kit = await reload(await writtenKit());
    expect(kit.board.drafts.value).toEqual({ [ANA]: "And the" });
    expect(kit.board.replies.value).toMatchObject([
      { body: "Is it broken?", status: "not_confirmed", code: "unavailable" },
    ]);
    await kit.board.retry("reply_1");
    const sent = kit.service.callsOf(`POST /conversations/${ANA}/messages`);
    expect(sent.map(({ body }) => body)).toEqual([sent[0]?.body, sent[0]?.body]);
    expect(kit.board.replies.value).toEqual([]);
  });

  it("a reply that the page before was sending is in doubt, until the log has it", async () => {
    const before = await takenKit(ANA);
    before.service.script(
      `POST /conversations/${ANA}/messages`,
      () => new Promise<Response>(() => undefined),
    );
    before.board.setDraft("Is it broken?");
    before.board.reply();
    const kit = await reload(before);
    expect(kit.board.replies.value).toMatchObject([{ status: "not_confirmed", code: "support_timeout" }]);
    before.service.append(ANA, { clientMessageId: "reply_1", body: "Is it broken?" });
    expect((await reload(before)).board.replies.value).toEqual([]);
  });

  it("is restored once the same person has signed in again, and for nobody else", async () => {
    const before = await writtenKit();
    before.service.state.signedIn = false;
    const kit = createKit(before);
    await kit.desk.resume();
    expect(kit.board.drafts.value).toEqual({});
    await kit.desk.signIn({ email: SAM.email, password: "a long enough one" });
    expect(kit.board.drafts.value).toEqual({ [ANA]: "And the" });

    before.service.state.user = { ...SAM, id: "usr_2", name: "Mira Chen" };
    const other = await signedInKit(createKit(before));
    expect(other.board.drafts.value).toEqual({});
    before.service.state.user = SAM;
    expect((await signedInKit(createKit(before))).board.drafts.value).toEqual({});
  });

  it("is still named as a draft of the agent after a reload", async () => {
    const before = await takenKit(ANA);
    scriptDraft(before);
    await before.board.askForDraft();
    const kit = await reload(before);
    expect(kit.board.drafts.value).toEqual({ [ANA]: "It takes two days." });
    kit.board.reply();
    const [sent] = kit.service.callsOf(`POST /conversations/${ANA}/messages`);
    expect(sent?.body).toMatchObject({ fromDraft: true });
  });

  it("DESK30 goes with a conversation that was erased", async () => {
    const kit = await writtenKit();
    kit.board.addFiles([new File(["no picture"], "lamp.txt")]);
    const erased = { type: "conversation.erased" } as const;
    kit.service.push({ type: "conversation.event", conversationId: ANA, event: erased });
    await until(() => kit.board.openedReading.value === "erased");
    expect(kit.desk.unsent.value).toBeUndefined();
    expect(kit.tabStorage.getItem("parley.desk.unsent")).toBeNull();
  });

  it("DESK30 goes with a conversation that was erased while the desk was disconnected, also if another one is open", async () => {
    const kit = await writtenKit();
    kit.service.state.conversations = [waiting({ id: "cnv_ben" })];
    kit.board.open("cnv_ben");
    await until(() => kit.board.board.value.opened?.id === "cnv_ben");
    kit.service.breakLines();
    await until(() => kit.board.connection.value === "waiting");
    kit.timers.advance(60_000);
    await until(() => kit.desk.unsent.value === undefined);
    expect(kit.tabStorage.getItem("parley.desk.unsent")).toBeNull();
    expect(kit.board.board.value.opened?.id).toBe("cnv_ben");
  });

  it("DESK30 DESK32 a half-typed name goes with it, too, where it is all that is unsent", async () => {
    const kit = await takenKit(ANA);
    kit.board.storeForm(factsForm(ANA), { before: { name: "" }, values: { name: "Ana Maria" } });
    kit.service.state.conversations = [waiting({ id: "cnv_ben" })];
    kit.board.open("cnv_ben");
    await until(() => kit.board.board.value.opened?.id === "cnv_ben");
    expect(kit.desk.unsent.value).toBe("text");
    kit.service.breakLines();
    await until(() => kit.board.connection.value === "waiting");
    kit.timers.advance(60_000);
    await until(() => kit.desk.unsent.value === undefined);
    expect(kit.board.formOf(factsForm(ANA))).toBeUndefined();
  });

  it("OPS4 DESK31 a reply that was sent and that a restored service does not have is not confirmed, also after signing in again", async () => {
    const kit = await takenKit(ANA);
    for (const text of ["before the backup", "after the backup"]) {
      kit.board.setDraft(text);
      kit.board.reply();
      await until(() => kit.board.replies.value.length === 0);
    }
    const [first] = kit.service.state.conversations[0]?.messages.slice(-2) ?? [];
    kit.service.change(ANA, { messages: first ? [first] : [] });
    kit.service.state.epoch = "restored";
    kit.service.state.signedIn = false;
    await kit.board.refresh();
    expect(kit.desk.screen.value).toEqual({ kind: "sign-in", expired: true });
    await kit.desk.signIn({ email: SAM.email, password: "a long enough one" });
    await until(() => kit.board.replies.value.length > 0);
    await settled();
    expect(kit.board.replies.value).toMatchObject([
      { conversationId: ANA, body: "after the backup", status: "not_confirmed" },
    ]);
    expect(kit.board.said.value.map(({ text }) => text)).toContain(texts.said.notConfirmed);
    await kit.board.retry("reply_2");
    expect(kit.board.board.value.opened?.messages.map(({ body }) => body)).toEqual([
      "before the backup",
      "after the backup",
    ]);
  });

  it("OPS4 DESK31 stays for a conversation that a restored service does not have", async () => {
    const kit = await writtenKit();
    kit.service.state.conversations = [];
    kit.service.state.epoch = "restored";
    kit.service.breakLines();
    await until(() => kit.board.connection.value === "waiting");
    kit.timers.advance(60_000);
    await until(() => kit.board.openedReading.value === "not_found");
    await settled();
    expect(kit.board.drafts.value).toEqual({ [ANA]: "And the" });
    expect(kit.board.replies.value).toMatchObject([{ body: "Is it broken?", status: "not_confirmed" }]);
    expect(kit.board.said.value.map(({ text }) => text)).not.toContain("The conversation was deleted");
    // Also after reloads, which do not see the log change.
    const again = await signedInKit(createKit(kit));
    await settled();
    const last = await signedInKit(createKit(again));
    await settled();
    expect(last.board.drafts.value).toEqual({ [ANA]: "And the" });
  });

  it.each(["fails", "is overtaken by a later one"])(
    "OPS4 stays where the reading of the list that would say that a backup was restored %s",
    async (how) => {
      const kit = await writtenKit();
      const { service } = kit;
      service.state.conversations = [waiting({ id: "cnv_ben" })];
      service.state.epoch = "restored";
      const list = () => json({ conversations: [], next: [], epoch: "restored" });
      if (how === "fails") service.script("GET /conversations", () => problem("unavailable"));
      else
        service.script(
          "GET /conversations",
          async () => {
            await Promise.resolve();
            void kit.board.readQueue();
            return list();
          },
          () => settled().then(list),
        );
      await kit.board.readOpened();
      await settled();
      expect(kit.board.drafts.value).toEqual({ [ANA]: "And the" });
      await kit.board.refresh();
      expect(kit.board.drafts.value).toEqual({ [ANA]: "And the" });
      expect(kit.board.said.value.map(({ text }) => text)).not.toContain("The conversation was deleted");
    },
  );

  it("OPS4 a reply that is confirmed while the desk asks a restored service for earlier ones is not in doubt", async () => {
    const kit = await takenKit(ANA);
    const { service } = kit;
    const reply = async (text: string) => {
      kit.board.setDraft(text);
      kit.board.reply();
      await until(() => kit.board.replies.value.length === 0);
    };
    await reply("before the backup");
    const read = structuredClone(service.state.conversations[0]);
    service.state.epoch = "restored";
    const late = () => reply("after the restore").then(() => json(read));
    service.script(`GET /conversations/${ANA}`, () => json(read), late, late);
    await kit.board.readQueue();
    await settled();
    expect(kit.board.replies.value).toEqual([]);
  });

  it("OPS4 a reply of the open conversation that a restore took away is named in the list", async () => {
    const kit = await takenKit(ANA);
    kit.board.setDraft("It has shipped.");
    kit.board.reply();
    await until(() => kit.board.replies.value.length === 0);
    kit.service.state.conversations = [waiting({ id: "cnv_ben" })];
    kit.service.state.epoch = "restored";
    await kit.board.refresh();
    await settled();
    expect(kit.board.openedReading.value).toBe("not_found");
    kit.board.open("cnv_ben");
    expect(kit.board.lostUnsent.value).toEqual([{ id: ANA, unsent: ["It has shipped."] }]);
  });

  it("OPS4 a conversation that is gone later, after a restore, does not stay on the screen", async () => {
    const kit = await writtenKit();
    kit.service.state.epoch = "restored";
    await kit.board.refresh();
    await until(() => kit.board.board.value.opened?.id === ANA);
    kit.service.state.conversations = [];
    await kit.board.refresh();
    await until(() => kit.board.openedReading.value === "not_found");
    expect(kit.board.board.value.opened).toBeUndefined();
    expect(kit.board.lostUnsent.value).toMatchObject([{ id: ANA }]);
  });

  it("OPS4 a restore before a person signs in does not keep what they leave for an erased conversation", async () => {
    const kit = await signedInKit();
    kit.service.state.epoch = "restored";
    await kit.board.refresh();
    await kit.desk.signOut();
    await kit.desk.signIn({ email: SAM.email, password: "a long enough one" });
    await openedOn(kit, ANA);
    kit.board.setDraft("And the");
    kit.service.state.conversations = [];
    await kit.board.refresh();
    await until(() => kit.board.openedReading.value === "erased");
    expect(kit.board.drafts.value).toEqual({});
  });

  it("stays where only a proxy says that the conversation is not there", async () => {
    const before = await writtenKit();
    before.service.state.conversations = [];
    const gone = () => new Response("Not found", { status: 404 });
    before.service.script(`GET /conversations/${ANA}`, gone, gone, gone);
    const kit = await signedInKit(createKit(before));
    await settled();
    expect(kit.board.drafts.value).toEqual({ [ANA]: "And the" });
  });

  it.each([
    ["another window signed in at another workspace", 200],
    ["another server answers in place of the service", 404],
  ])("stays where a conversation is not found because %s", async (_, status) => {
    const kit = await writtenKit();
    const { conversations } = kit.service.state;
    kit.service.state.conversations = [];
    const gone = () => problem("not_found");
    if (status === 404) kit.service.script("GET /session", gone, gone, gone);
    else kit.service.state.user = { ...SAM, id: "usr_2", name: "Mira Chen" };
    kit.service.breakLines();
    await until(() => kit.board.connection.value === "waiting");
    kit.timers.advance(60_000);
    await settled();
    expect(kit.board.said.value.map(({ text }) => text)).not.toContain("The conversation was deleted");
    kit.service.state.user = SAM;
    kit.service.state.conversations = conversations;
    await kit.desk.signIn({ email: SAM.email, password: "a long enough one" });
    expect(kit.board.drafts.value).toEqual({ [ANA]: "And the" });
    expect(kit.board.replies.value).toMatchObject([{ body: "Is it broken?", status: "not_confirmed" }]);
  });

  it("goes with the agent's draft for a conversation that was erased", async () => {
    const kit = await takenKit(ANA);
    scriptDraft(kit);
    await kit.board.askForDraft();
    const erased = { type: "conversation.erased" } as const;
    kit.service.push({ type: "conversation.event", conversationId: ANA, event: erased });
    await until(() => kit.board.openedReading.value === "erased");
    expect([kit.board.agentDrafts.value, kit.board.drafted.value]).toEqual([{}, []]);
  });

  it("DESK30 is removed by signing out", async () => {
    const before = await writtenKit();
    await before.desk.signOut();
    before.service.state.signedIn = true;
    const kit = await signedInKit(createKit(before));
    expect([kit.board.drafts.value, kit.board.replies.value]).toEqual([{}, []]);
  });

  it.each([
    ["the same person", SAM, { [ANA]: "And the" }],
    ["another person", { ...SAM, id: "usr_2", name: "Mira Chen" }, {}],
  ])("DESK30 in another window waits for the next sign-in there, which is by %s", async (_, user, drafts) => {
    const other = await writtenKit();
    await (await signedInKit(createKit({ ...createKit(), service: other.service }))).desk.signOut();
    await other.board.refresh();
    expect(other.desk.screen.value).toEqual({ kind: "sign-in", expired: true });
    other.service.state.user = user;
    await other.desk.signIn({ email: user.email, password: "a long enough one" });
    expect(other.board.drafts.value).toEqual(drafts);
    expect(other.tabStorage.getItem("parley.desk.unsent") === null).toBe(user !== SAM);
  });

  it("is nothing where the browser's storage holds something else", async () => {
    const fresh = createKit();
    for (const stored of ["{", "[]", '{"owner":"usr_sam","drafts":{"a":1},"drafted":[],"replies":[]}']) {
      fresh.tabStorage.setItem("parley.desk.unsent", stored);
      expect((await signedInKit(createKit(fresh))).board.drafts.value).toEqual({});
    }
  });
});
