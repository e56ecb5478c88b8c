import { describe, expect, it } from "vitest";
import { parseConversationFragment, parseSetUpFragment } from "./desk-address.ts";
import { createKit, type Kit, openedKit, settled, signedInKit, takenKit, until } from "./testing/desk-kit.ts";
import { ANA, at, BEN, SAM, waiting } from "./testing/samples.ts";
import { problem } from "./testing/scripted-service.ts";

describe("which screen", () => {
  it("a session opens the desk, none the sign-in, and a missing answer claims neither", async () => {
    const kit = createKit();
    kit.service.script(
      "GET /session",
      () => problem("unauthenticated"),
      () => problem("internal"),
      () => Promise.reject(new TypeError("Failed to fetch")),
      () => new Response("{}"),
    );
    await kit.desk.resume();
    expect(kit.desk.screen.value).toEqual({ kind: "sign-in", expired: false });
    for (let fault = 0; fault < 3; fault += 1) {
      await kit.desk.resume();
      expect(kit.desk.screen.value).toEqual({ kind: "unreachable" });
    }
    await kit.desk.resume();
    expect(kit.desk.screen.value).toMatchObject({ kind: "desk", user: { id: SAM.id } });
  });

  it("the set-up link's secret is sent to the service once, in the body", async () => {
    const kit = createKit();
    await kit.desk.openLink("s3cret");
    await kit.desk.setUp({ email: SAM.email, name: SAM.name, password: "a long enough one" });
    expect(kit.service.callsOf("POST /setup")[0]?.body).toEqual({
      token: "s3cret",
      email: SAM.email,
      name: SAM.name,
      password: "a long enough one",
    });
    expect(kit.desk.screen.value.kind).toBe("desk");
    expect(kit.service.calls.filter(({ route }) => route.includes("s3cret"))).toEqual([]);
  });

  it("a refused set-up stays on its form", async () => {
    const kit = createKit();
    await kit.desk.openLink("old");
    kit.service.script("POST /setup", () => problem("forbidden"));
    const form = { email: SAM.email, name: SAM.name, password: "a long enough one" };
    await expect(kit.desk.setUp(form)).rejects.toMatchObject({ code: "forbidden" });
    expect(kit.desk.screen.value.kind).toBe("set-up");
    kit.desk.offerSignIn();
    expect(kit.desk.screen.value).toEqual({ kind: "sign-in", expired: false });
  });

  it("reads the one-time token from the fragment, and nothing else", () => {
    expect(parseSetUpFragment("#setup=abc-_123")).toBe("abc-_123");
    for (const other of ["", "#", "#setup=", "#other=1", "#abc"]) {
      expect(parseSetUpFragment(other)).toBeUndefined();
    }
  });
});

describe("a session that ends", () => {
  it("a 401 anywhere leads to sign-in, and the person's texts are restored afterwards", async () => {
    const kit = await takenKit(ANA);
    kit.service.state.signedIn = false;
    kit.board.setDraft("first");
    kit.board.reply();
    await until(() => kit.desk.screen.value.kind === "sign-in");
    expect(kit.desk.screen.value).toEqual({ kind: "sign-in", expired: true });
    expect(kit.board.board.value.queue).toEqual([]);
    expect(kit.service.openLines()).toBe(0);
    await kit.desk.signIn({ email: SAM.email, password: "a long enough one" });
    await until(() => kit.board.isMine.value);
    expect(kit.board.replies.value).toMatchObject([{ body: "first", status: "not_confirmed" }]);
    await kit.board.retry("reply_1");
    expect(kit.board.replies.value).toEqual([]);
    expect(kit.desk.unsent.value).toBeUndefined();
  });

  it("DESK33 leads back to the desk once the same person has signed in in another window, and for nobody else", async () => {
    const kit = await takenKit(ANA);
    kit.board.setDraft("And the");
    kit.service.state.signedIn = false;
    await kit.board.refresh();
    await kit.desk.comeBack();
    expect(kit.desk.screen.value).toEqual({ kind: "sign-in", expired: true });
    kit.service.state.signedIn = true;
    kit.service.state.user = { ...SAM, id: "usr_2", name: "Mira Chen" };
    await kit.desk.comeBack();
    expect(kit.desk.screen.value).toEqual({ kind: "sign-in", expired: true });
    kit.service.state.user = SAM;
    await kit.desk.comeBack();
    await until(() => kit.board.isMine.value);
    expect(kit.board.drafts.value).toEqual({ [ANA]: "And the" });
    const before = kit.service.callsOf("GET /session").length;
    await kit.desk.comeBack();
    expect(kit.service.callsOf("GET /session")).toHaveLength(before);
  });

  it("another person who signs in does not see them", async () => {
    const kit = await takenKit(ANA);
    kit.board.setDraft("private");
    kit.service.state.signedIn = false;
    await kit.board.giveBack();
    expect(kit.desk.unsent.value).toBeDefined();
    kit.service.state.user = { ...SAM, id: "usr_2", name: "Mira Chen" };
    await kit.desk.signIn({ email: "mira@shop.example", password: "a long enough one" });
    expect(kit.board.drafts.value).toEqual({});
    expect(kit.board.openedId.value).toBeUndefined();
  });

  it("a refusal because another window signed in as somebody else shows that person's desk", async () => {
    const kit = await takenKit(ANA);
    kit.board.setDraft("private");
    const { customerId, customer } = waiting();
    const page = { id: customerId, customer, firstSeenAt: at(0), lastSeenAt: at(2), conversations: [] };
    kit.service.state.customers = [page];
    kit.desk.follow(`#customer=${customerId}`);
    await until(() => kit.desk.customer.page.value !== undefined);
    kit.service.state.user = { ...SAM, id: "usr_2", name: "Mira Chen" };
    kit.service.state.customers = [];
    kit.service.script(`POST /conversations/${ANA}/resolve`, () => problem("forbidden"));
    await kit.board.resolve();
    await until(() => kit.board.me.value?.id === "usr_2");
    expect(kit.desk.customer.page.value).toBeUndefined();
    expect(kit.desk.screen.value).toMatchObject({ user: { name: "Mira Chen" } });
    expect(kit.board.drafts.value).toEqual({});
  });

  it("a refusal because it ended clears everything, also a link that was just created", async () => {
    const kit = await takenKit(ANA);
    kit.desk.show("people");
    await kit.desk.people.invite({ email: "eve@shop.example", name: "Eve", role: "agent" });
    expect(kit.desk.people.made.value).toBeDefined();
    kit.service.script(`POST /conversations/${ANA}/resolve`, () => problem("forbidden"));
    kit.service.script("GET /session", () => problem("unauthenticated"));
    await kit.board.resolve();
    await until(() => kit.desk.screen.value.kind === "sign-in");
    expect(kit.desk.screen.value).toEqual({ kind: "sign-in", expired: true });
    expect(kit.desk.people.made.value).toBeUndefined();
    expect(kit.desk.people.people.value).toEqual([]);
  });

  it("a link that arrives after its person signed out is shown to nobody", async () => {
    const kit = await signedInKit();
    const held = Promise.withResolvers<void>();
    kit.service.script("POST /users/usr_ben/link", () =>
      held.promise.then(() => Response.json({ person: BEN, token: "secret", expiresAt: at(60) })),
    );
    kit.desk.show("people");
    const asked = kit.desk.people.newLink("usr_ben");
    await kit.desk.signOut();
    kit.service.state.user = { ...SAM, id: "usr_2", name: "Mira Chen" };
    await kit.desk.signIn({ email: "mira@shop.example", password: "a long enough one" });
    held.resolve();
    await asked;
    expect(kit.desk.people.made.value).toBeUndefined();
  });

  it("a refusal for the same person renews the page's token and keeps the desk as it is", async () => {
    const kit = await takenKit(ANA);
    kit.service.script(`POST /conversations/${ANA}/resolve`, () => problem("forbidden"));
    const before = kit.service.callsOf("GET /session").length;
    await kit.board.resolve();
    await settled();
    expect(kit.service.callsOf("GET /session")).toHaveLength(before + 1);
    expect(kit.board.isMine.value).toBe(true);
  });

  it.each([
    ["signing out", "POST /logout", (kit: Kit) => kit.desk.signOut()],
    [
      "a new password",
      "POST /password",
      (kit: Kit) => kit.desk.changePassword({ password: "the old one", newPassword: "a long enough one" }),
    ],
    ["disabling a person", "POST /users/usr_ben/disable", (kit: Kit) => kit.desk.people.disable("usr_ben")],
  ])("a refusal of %s renews the page's token, so that the next try can succeed", async (_, route, run) => {
    const kit = await signedInKit();
    kit.service.script(route, () => problem("forbidden"));
    const before = kit.service.callsOf("GET /session").length;
    await run(kit).catch(() => undefined);
    await settled();
    expect(kit.service.callsOf("GET /session")).toHaveLength(before + 1);
    expect(kit.desk.screen.value.kind).toBe("desk");
  });
});

describe("the address", () => {
  it("DESK23 names the open conversation, which a reload and a colleague's browser open again", async () => {
    const kit = await takenKit(ANA);
    expect(kit.desk.fragment.value).toBe(`#conversation=${ANA}`);
    const id = parseConversationFragment(kit.desk.fragment.value ?? "") ?? "";
    const colleague = createKit();
    colleague.service.script("GET /session", () => problem("unauthenticated"));
    colleague.desk.follow(`#conversation=${id}`);
    await colleague.desk.resume();
    expect(colleague.desk.fragment.value).toBeUndefined();
    await colleague.desk.signIn({ email: SAM.email, password: "a long enough one" });
    expect(colleague.board.openedId.value).toBe(ANA);
    colleague.desk.show("account");
    colleague.desk.follow("#conversation=cnv_other");
    expect(colleague.desk.page.value).toBe("board");
    expect(colleague.desk.fragment.value).toBe("#conversation=cnv_other");
  });

  it("DESK23 names nothing while one column shows the queue, and no fragment leads back to it", async () => {
    const kit = await openedKit(ANA);
    kit.columns.value = 1;
    expect(kit.desk.fragment.value).toBe(`#conversation=${ANA}`);
    kit.desk.follow("");
    expect(kit.board.view.value).toBe("queue");
    expect(kit.desk.fragment.value).toBe("");
    kit.columns.value = 2;
    expect(kit.desk.fragment.value).toBe(`#conversation=${ANA}`);
  });

  it("DESK23 names the page of people and the person's own, which a reload shows again", async () => {
    const kit = await openedKit(ANA);
    for (const page of ["people", "account"] as const) {
      kit.desk.show(page);
      expect(kit.desk.fragment.value).toBe(`#${page}`);
      const reloaded = createKit();
      reloaded.desk.follow(`#${page}`);
      await signedInKit(reloaded);
      expect(reloaded.desk.page.value).toBe(page);
    }
    kit.desk.follow(`#conversation=${ANA}`);
    expect(kit.desk.page.value).toBe("board");
    kit.desk.follow("#people");
    await until(() => kit.desk.people.people.value.length > 0);
    kit.desk.follow("");
    expect(kit.desk.page.value).toBe("board");
  });

  it("DESK7 a team member who opens the address of People gets the conversations", async () => {
    const kit = createKit();
    kit.service.state.user = { ...SAM, role: "agent" };
    kit.desk.follow("#people");
    await signedInKit(kit);
    kit.desk.follow("#people");
    expect(kit.desk.page.value).toBe("board");
    expect(kit.desk.fragment.value).toBe("");
    expect(kit.service.callsOf("GET /users")).toEqual([]);
  });

  it("leads back to the same page after a session that ended there", async () => {
    const kit = await signedInKit();
    kit.desk.show("people");
    kit.service.state.signedIn = false;
    await kit.desk.people.read();
    expect(kit.desk.screen.value.kind).toBe("sign-in");
    await kit.desk.signIn({ email: SAM.email, password: "a long enough one" });
    expect(kit.desk.page.value).toBe("people");
    await until(() => kit.desk.people.people.value.length > 0);
  });

  it("names nothing while no conversation is open, and no other fragment opens one", async () => {
    const kit = createKit();
    await kit.desk.resume();
    expect(kit.desk.fragment.value).toBe("");
    for (const other of ["", "#", "#conversation=", "#setup=abc", "#cnv_ana"])
      expect(parseConversationFragment(other)).toBeUndefined();
  });
});

describe("signing out", () => {
  it("clears everything once the service confirmed it", async () => {
    const kit = await takenKit(ANA);
    kit.board.setDraft("x");
    await kit.desk.signOut();
    expect(kit.desk.screen.value).toEqual({ kind: "sign-in", expired: false });
    expect(kit.desk.unsent.value).toBeUndefined();
    expect(kit.board.board.value.opened).toBeUndefined();
    expect(kit.service.openLines()).toBe(0);
    expect(kit.desk.title.value).toBe("Parley desk");
  });

  it("leaves the person at the desk if it is not confirmed, and says so", async () => {
    const kit = await takenKit(ANA);
    kit.board.setDraft("kept");
    kit.service.script("POST /logout", () => problem("internal"));
    await kit.desk.signOut();
    expect(kit.desk.screen.value.kind).toBe("desk");
    expect(kit.desk.signOutDoubt.value?.code).toBe("internal");
    expect(kit.board.drafts.value[ANA]).toBe("kept");
  });
});
