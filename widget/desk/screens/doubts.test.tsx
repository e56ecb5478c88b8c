import { describe, expect, it } from "vitest";
import { all, eventually, everything, one, press, type } from "../testing/by-role.ts";
import { CLAIMS } from "../testing/claims.ts";
import { type Kit, settled, signedInKit, takenKit, until } from "../testing/desk-kit.ts";
import { ANA, at, MIRA, rowOf, waiting } from "../testing/samples.ts";
import { FAULTS, problem } from "../testing/scripted-service.ts";
import { showDesk } from "./show-desk.test-kit.tsx";

const show = async (start: Promise<Kit>) => showDesk(await start);
const log = () => one("log", "Conversation");

/** Ana's conversation with a reply that the service did not take. */
async function refusedKit(): Promise<Kit> {
  const kit = await takenKit(ANA);
  kit.service.script(`POST /conversations/${ANA}/messages`, () => problem("unavailable"));
  kit.board.setDraft("Is it broken?");
  kit.board.reply();
  await until(() => kit.board.replies.value[0]?.status === "not_confirmed");
  return kit;
}

describe("truth", () => {
  for (const [name, fault] of Object.entries(FAULTS)) {
    it(`a reply answered by ${name}: not confirmed, with Retry, and no text claims more`, async () => {
      const kit = await show(takenKit(ANA));
      kit.timers.advance(10_000);
      kit.service.script(`POST /conversations/${ANA}/messages`, fault);
      const box = await eventually("textbox", "Reply");
      type(box, "Hello Ana");
      press(box, "Enter");
      await eventually("button", "Retry");
      expect(log().textContent).toContain("Hello Ana");
      expect(log().textContent).toContain("Not confirmed");
      expect(everything()).not.toMatch(CLAIMS);
      one("button", "Retry").click();
      // Control: the same page does say it once it is true.
      await until(() => CLAIMS.test(everything()));
      expect(all("button", "Retry")).toEqual([]);
    });
  }

  it("DESK28 the list names a conversation with an unconfirmed reply while another is open, also where it has ended", async () => {
    const kit = await show(refusedKit());
    kit.board.show("queue");
    const row = await eventually("button", /Ana Ruiz.*Not confirmed/);
    const ended = rowOf(waiting({ status: "ended", state: "ended" }));
    kit.service.push({ type: "queue.changed", conversation: ended });
    const fold = await eventually("button", /^Ended.*Not confirmed/);
    expect(row.isConnected).toBe(false);
    fold.click();
    await eventually("button", /Ana Ruiz.*Not confirmed/);
    expect(all("button", /^Ended.*Not confirmed/)).toEqual([]);
    const reply = kit.board.replies.value[0];
    kit.board.remove(reply?.clientMessageId ?? "");
    await until(() => all("button", /Ana Ruiz.*Not confirmed/).length === 0);
  });

  it("DESK28 a reply that is still on its way when its conversation is resolved stays in doubt, with its text", async () => {
    const kit = await show(takenKit(ANA));
    const { promise: held, resolve: answer } = Promise.withResolvers<Response>();
    kit.service.script(`POST /conversations/${ANA}/messages`, () => held);
    type(await eventually("textbox", "Reply"), "Is it broken?");
    press(one("textbox", "Reply"), "Enter");
    one("button", "Resolve").click();
    await eventually("button", "Reopen");
    expect(log().textContent).toContain("Is it broken?Sending…");
    answer(problem("conversation_ended", { detail: "This conversation has ended." }));
    await eventually("button", /^Ended.*Not confirmed/);
    expect(one("alert").textContent).toContain("Your reply is not confirmed. The text is still here.");
    expect(log().textContent).toContain("Is it broken?");
    expect(log().textContent).not.toContain("Sent");
    one("button", "Sign out").click();
    await eventually("alertdialog", "Sign out? A reply is not confirmed and its text would be lost.");
    one("button", "Stay").click();
    one("button", "Reopen").click();
    await eventually("textbox", "Reply");
    one("button", "Retry").click();
    await until(() => kit.board.replies.value.length === 0);
    expect(log().textContent).toContain("Is it broken?");
  });

  for (const press of ["Retry", "Remove"]) {
    it(`SAY2 the reply box has the focus once a pressed ${press} has disappeared`, async () => {
      await show(refusedKit());
      const button = await eventually("button", press);
      button.focus();
      button.click();
      await until(() => all("button", press).length === 0);
      await until(() => document.activeElement === one("textbox", "Reply"));
    });
  }

  it("DESK2 a person who types while a colleague takes the conversation hears who has it, and loses neither text nor place", async () => {
    const kit = await show(takenKit(ANA));
    const refusal = "Take this conversation first.";
    let answer: (refused: Response) => void = () => expect.fail("nothing was sent");
    kit.service.script(
      `POST /conversations/${ANA}/messages`,
      () =>
        new Promise((resolve) => {
          answer = resolve;
        }),
    );
    const box = await eventually("textbox", "Reply");
    type(box, "Is it broken?");
    press(box, "Enter");
    type(box, "And the shade");
    box.focus();
    const told = { type: "conversation.event", conversationId: ANA } as const;
    const returned = { id: "hnd_1", status: "returned" } as const;
    kit.service.push({
      ...told,
      event: { type: "handoff.returned", seq: 5, at: at(5), handoff: returned },
    });
    const accepted = { id: "hnd_2", status: "accepted", human: { name: MIRA.name } } as const;
    kit.service.push({
      ...told,
      event: { type: "handoff.accepted", seq: 6, at: at(6), handoff: accepted },
    });
    const mira = kit.service.change(ANA, { state: "taken", takenBy: MIRA, lastSeq: 6 });
    kit.service.push({ type: "queue.changed", conversation: rowOf(mira) });
    await until(() => all("textbox", "Reply").length === 0);
    await until(() => document.activeElement === all("heading", "Ana Ruiz")[0]);
    const said = () => kit.desk.said.value.map(({ text }) => text);
    expect(said().filter((text) => text.includes(MIRA.name))).toEqual([
      "Assigned to Mira Chen. You can read along.",
    ]);
    expect(one("main").textContent).toContain("Your draft:And the shade");
    answer(problem("forbidden", { detail: refusal }));
    await until(() => log().textContent?.includes(`Not confirmed ${refusal}`) === true);
    expect(log().textContent).toContain("Is it broken?");
    expect(said()).not.toContain("Reply sent");
  });

  it("a reply whose key has another text can only be removed, because a retry has the same key", async () => {
    const kit = await show(takenKit(ANA));
    kit.service.script(`POST /conversations/${ANA}/messages`, () => problem("key_reused"));
    const box = await eventually("textbox", "Reply");
    type(box, "Hello Ana");
    press(box, "Enter");
    await eventually("button", "Remove");
    expect(log().textContent).toContain("Hello Ana");
    expect(log().textContent).toContain("Not confirmed");
    expect(all("button", "Retry")).toEqual([]);
  });

  it("an unconfirmed action is shown above the composer until its outcome is known", async () => {
    const kit = await show(takenKit(ANA));
    kit.service.script(`POST /conversations/${ANA}/resolve`, () => problem("unavailable"));
    one("button", "Resolve").click();
    await until(() => everything().includes("We couldn't confirm resolving this"));
    one("button", "Try again").click();
    await until(() => everything().includes("This conversation has ended."));
    // Earlier announcements are removed after a while.
    kit.timers.advance(7000);
    await until(() => !everything().includes("couldn't confirm"));
  });

  it("an unconfirmed sign-out says that the person may still be signed in", async () => {
    const kit = await show(signedInKit());
    kit.service.script("POST /logout", () => problem("internal"));
    one("button", "Sign out").click();
    await until(() => everything().includes("You may still be signed in"));
  });

  it("DESK25 signing out asks first while a reply is not confirmed or a text is not sent", async () => {
    const kit = await show(takenKit(ANA));
    type(await eventually("textbox", "Reply"), "Half a sentence");
    one("button", "Sign out").click();
    await eventually("alertdialog", "Sign out? Your unsent text would be lost.");
    const stay = one("button", "Stay");
    await until(() => document.activeElement === stay);
    press(stay, "Escape");
    const button = await eventually("button", "Sign out");
    await until(() => document.activeElement === button);
    expect((one("textbox", "Reply") as HTMLTextAreaElement).value).toBe("Half a sentence");

    kit.service.script(`POST /conversations/${ANA}/messages`, () => problem("unavailable"));
    press(one("textbox", "Reply"), "Enter");
    await eventually("button", "Retry");
    button.click();
    await eventually("alertdialog", "Sign out? A reply is not confirmed and its text would be lost.");
    expect(kit.service.callsOf("POST /logout")).toEqual([]);
    one("button", "Sign out").click();
    await eventually("heading", "Sign in to the desk");
  });

  it("DESK25 after signing out nothing of the desk is announced, not even a failure that comes later", async () => {
    const kit = await show(takenKit(ANA));
    const { promise: held, resolve: release } = Promise.withResolvers<Response>();
    kit.service.script(
      `POST /conversations/${ANA}/messages`,
      () => problem("unavailable"),
      () => held,
    );
    type(await eventually("textbox", "Reply"), "Hello Ana");
    press(one("textbox", "Reply"), "Enter");
    (await eventually("button", "Retry")).click();
    kit.service.breakLines();
    await until(() => one("status").textContent?.includes("interrupted") === true);
    one("button", "Sign out").click();
    await eventually("alertdialog");
    one("button", "Sign out").click();
    await eventually("heading", "Sign in to the desk");
    release(problem("unavailable"));
    await settled();
    expect(one("status").textContent).toBe("");
    expect(one("alert").textContent).toBe("");
    // The next person does not hear it either.
    await kit.desk.signIn({ email: "sam@example.com", password: "a long enough one" });
    await eventually("button", "Sign out");
    expect(one("alert").textContent).toBe("");
  });

  it("the draft of a conversation that somebody else has now can still be read", async () => {
    const kit = await show(takenKit(ANA));
    type(await eventually("textbox", "Reply"), "Half a sent");
    kit.service.change(ANA, { state: "taken", takenBy: MIRA, lastSeq: 4 });
    const row = rowOf(waiting({ state: "taken", takenBy: MIRA, lastSeq: 4 }));
    kit.service.push({ type: "queue.changed", conversation: row });
    await until(() => all("textbox", "Reply").length === 0);
    expect(everything()).toContain("Half a sent");
    expect(everything()).toContain("Assigned to Mira Chen");
  });

  it("the connection state is shown, and its loss is announced to screen readers", async () => {
    const kit = await show(signedInKit());
    expect(everything()).toContain("Live");
    kit.service.breakLines();
    await until(() => everything().includes("this may be out of date"));
    expect(one("status").textContent).toContain("interrupted");
  });

  it("the end of the attempts to reconnect is announced to screen readers too", async () => {
    const kit = await show(signedInKit());
    kit.service.script("GET /events", () => problem("not_found"));
    kit.service.breakLines();
    await until(() => everything().includes("this may be out of date"));
    kit.timers.advance(500);
    await until(() => everything().includes("Live updates are off. Reload the page"));
    expect(all("alert").map(({ textContent }) => textContent)).toContain(
      "Live updates are off. Reload the page to turn them on",
    );
  });

  it.each(["no answer in time", "a broken line"])(
    "DESK27 after %s the connection is not shown as live until the stream delivers something",
    async (fault) => {
      const kit = await show(takenKit(ANA));
      kit.service.script(`POST /conversations/${ANA}/messages`, FAULTS[fault] ?? (() => problem("internal")));
      type(await eventually("textbox", "Reply"), "Hello");
      press(one("textbox", "Reply"), "Enter");
      await until(() => everything().includes("Reconnecting…"));
      expect(everything()).not.toContain("Live\n");
      await settled();
      expect(everything()).toContain("Reconnecting…");
      kit.service.push({ type: "queue.changed", conversation: rowOf(waiting()) });
      await until(() => !everything().includes("Reconnecting…"));
      expect(everything()).toContain("Live\n");
      expect(kit.service.callsOf("GET /events")).toHaveLength(1);
    },
  );

  it("OPS4 DESK31 what is unsent for a conversation that a restore took away is found in the list, and can be removed", async () => {
    const kit = await show(refusedKit());
    type(await eventually("textbox", "Reply"), "First line\nsecond line");
    kit.board.addFiles([new File(["no picture"], "lamp.txt")]);
    kit.service.state.conversations = [waiting({ id: "cnv_ben" })];
    kit.service.state.epoch = "restored";
    kit.board.open("cnv_ben");
    kit.service.breakLines();
    await until(() => kit.board.connection.value === "waiting");
    kit.timers.advance(60_000);
    (await eventually("button", "Is it broken?")).click();
    await until(() => everything().includes("This was not sent, or is not confirmed:"));
    for (const text of ["Is it broken?", "First line\nsecond line", "lamp.txt"])
      expect(document.querySelector("main")?.textContent).toContain(text);
    one("button", "Remove it").click();
    await settled();
    expect(document.activeElement?.tagName).toBe("H1");
    expect(everything()).not.toContain("Not sent");
    expect(kit.desk.unsent.value).toBeUndefined();
  });

  it("OPS4 DESK31 an open conversation that a restore took away shows the reply that was sent, beside the draft", async () => {
    const kit = await show(takenKit(ANA));
    type(await eventually("textbox", "Reply"), "It left on Tuesday.");
    press(one("textbox", "Reply"), "Enter");
    await until(() => kit.board.replies.value.length === 0);
    type(one("textbox", "Reply"), "And comes tomorrow.");
    kit.service.state.conversations = [];
    kit.service.state.epoch = "restored";
    kit.service.breakLines();
    await until(() => kit.board.connection.value === "waiting");
    kit.timers.advance(60_000);
    await until(() => everything().includes("This was not sent, or is not confirmed:"));
    await until(() => kit.board.replies.value.length === 1);
    await settled();
    for (const text of ["It left on Tuesday.", "And comes tomorrow."])
      expect(document.querySelector("main")?.textContent).toContain(text);
  });

  it("a conversation that could not be read offers to try again, and not to remove what is unsent", async () => {
    const kit = await show(refusedKit());
    kit.board.open("cnv_ben");
    kit.service.script(`GET /conversations/${ANA}`, () => problem("unavailable"));
    kit.board.open(ANA);
    await eventually("button", "Try again");
    expect(all("button", "Remove it")).toEqual([]);
  });
});
