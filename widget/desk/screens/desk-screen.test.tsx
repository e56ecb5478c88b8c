import { describe, expect, it, onTestFinished, vi } from "vitest";
import { all, eventually, everything, nameOf, one, press, type } from "../testing/by-role.ts";
import {
  createKit,
  type Kit,
  openedKit,
  openedOn,
  settled,
  signedInKit,
  takenKit,
  until,
} from "../testing/desk-kit.ts";
import { ANA, at, MIRA, rowOf, waiting } from "../testing/samples.ts";
import { problem } from "../testing/scripted-service.ts";
import { showDesk } from "./show-desk.test-kit.tsx";

const show = async (start: Promise<Kit>) => showDesk(await start);
const log = () => one("log", "Conversation");

describe("the whole job", () => {
  it("open, take, reply, resolve; the focus follows the work", async () => {
    const kit = await show(signedInKit());
    one("button", /Ana Ruiz/).click();
    // The customer's name is above the log and above the facts; the first is the conversation's.
    await until(() => all("heading", "Ana Ruiz").length > 0);
    const [heading] = all("heading", "Ana Ruiz");
    expect(document.activeElement).toBe(heading);
    (await eventually("button", "Take conversation")).click();
    const box = await eventually("textbox", "Reply");
    await until(() => document.activeElement === box, "the reply box has the focus");
    type(box, "Hello Ana");
    press(box, "Enter");
    await until(() => log().textContent?.includes("Sent") ?? false);
    expect(log().textContent).toContain("Hello Ana");
    expect((one("textbox", "Reply") as HTMLTextAreaElement).value).toBe("");
    one("button", "Resolve").click();
    await until(() => everything().includes("This conversation has ended."));
    expect(all("textbox", "Reply")).toEqual([]);
    expect(kit.service.callsOf(`POST /conversations/${ANA}/messages`)).toHaveLength(1);
  });

  it("DESK15 a conversation is taken from the agent, and counts as mine only once that is confirmed", async () => {
    const start = createKit();
    start.service.state.conversations = [waiting({ state: "agent" })];
    const kit = await show(openedOn(start, ANA));
    expect(everything()).toContain(
      "The AI agent answers here. If you take over, it stops and the customer sees your name.",
    );
    kit.service.script(`POST /conversations/${ANA}/take`, () => Response.json({}));
    one("button", "Take over").click();
    await until(() => everything().includes("We couldn't confirm taking this conversation."));
    expect(all("textbox", "Reply")).toEqual([]);
    one("button", "Take over").click();
    const box = await eventually("textbox", "Reply");
    await until(() => document.activeElement === box);
  });

  it("DESK15 resolving can be undone for ten seconds, also from another conversation; afterwards there is Reopen", async () => {
    const kit = await show(takenKit(ANA));
    const jo = waiting({
      id: "cnv_jo",
      customer: { externalId: "jo", displayName: "Jo", identified: true, traits: {} },
    });
    kit.service.state.conversations.push(jo);
    one("button", "Resolve").click();
    await until(() => everything().includes("You resolved the conversation with Ana Ruiz."));
    kit.board.open("cnv_jo");
    await until(() => all("heading", "Jo").length > 0);
    one("button", "Undo").click();
    await until(() => kit.board.isMine.value && kit.board.openedId.value === ANA);
    expect(all("button", "Undo")).toEqual([]);
    expect(kit.service.callsOf(`POST /conversations/${ANA}/reopen`)).toHaveLength(1);

    one("button", "Resolve").click();
    await eventually("button", "Undo");
    kit.timers.advance(10_000);
    await until(() => all("button", "Undo").length === 0);
    kit.service.script(`POST /conversations/${ANA}/reopen`, () => problem("unavailable"));
    (await eventually("button", "Reopen")).click();
    await until(() => everything().includes("We couldn't confirm reopening this."));
    expect(kit.board.isMine.value).toBe(false);
    one("button", "Reopen").click();
    await until(() => kit.board.isMine.value);
  });

  it.each(["Undo", "Reopen"])(
    "DESK15 after a press on %s, both buttons go away if the customer has left for another conversation",
    async (button) => {
      const kit = await show(takenKit(ANA));
      const refusal = "The customer has left this conversation for another one, so it can't be reopened.";
      one("button", "Resolve").click();
      await eventually("button", "Undo");
      kit.service.script(`POST /conversations/${ANA}/reopen`, () =>
        problem("conversation_ended", { detail: refusal }),
      );
      const pressed = one("button", button);
      pressed.focus();
      pressed.click();
      await until(() => all("button", /Undo|Reopen/).length === 0);
      kit.timers.advance(7000);
      await settled();
      expect(one("main").textContent).toContain(refusal);
      expect(one("main").textContent).not.toContain("If you reopen it");
      expect(document.activeElement).toBe(all("heading", "Ana Ruiz")[0]);
    },
  );

  it("DESK15 a reopening that came too late says that the conversation is open, not that it has ended", async () => {
    const kit = await show(takenKit(ANA));
    one("button", "Resolve").click();
    await eventually("button", "Undo");
    const { takenBy: _, ...free } = kit.service.change(ANA, { state: "agent", status: "open" });
    kit.service.state.conversations = [free];
    kit.service.script(`POST /conversations/${ANA}/reopen`, () =>
      problem("handoff_unavailable", { detail: "This conversation is open." }),
    );
    one("button", "Undo").click();
    await eventually("button", "Take over");
    expect(everything()).toContain("This conversation is open.");
    expect(everything()).not.toContain("confirm");
    expect(everything()).not.toContain("has ended");
  });

  it("DESK26 a person who takes a conversation too late reads who has it, and no doubt", async () => {
    const kit = await show(openedKit(ANA));
    const refusal = "Mira Chen has taken this conversation.";
    kit.service.script(
      `POST /conversations/${ANA}/take`,
      () => Promise.reject(new TypeError("the answer was lost")),
      // A proxy may say this without having asked the service.
      () => new Response(null, { status: 403 }),
      () => {
        kit.service.change(ANA, { state: "taken", takenBy: MIRA, lastSeq: 4 });
        return problem("handoff_unavailable", { detail: refusal });
      },
    );
    for (const why of ["We couldn't reach the service.", "Your account can't do this"]) {
      one("button", "Take conversation").click();
      await until(() => one("alert").textContent?.includes(why) === true);
      expect(one("main").textContent).toContain(`We couldn't confirm taking this conversation. ${why}`);
    }
    kit.timers.advance(7000);
    one("button", "Take conversation").click();
    await until(() => one("alert").textContent === refusal);
    expect(one("main").textContent).toContain(refusal);
    expect(everything()).not.toContain("couldn't confirm");
  });

  it("DESK15 the heading has the focus once Resolve has disappeared, and once Undo has, pressed or expired", async () => {
    const kit = await show(takenKit(ANA));
    const isInFront = vi.spyOn(document, "hasFocus");
    onTestFinished(() => isInFront.mockRestore());
    for (const end of ["press", "time"]) {
      // Another window may be in front when the answer comes.
      isInFront.mockReturnValue(end === "press");
      const resolve = one("button", "Resolve");
      resolve.focus();
      resolve.click();
      const undo = await eventually("button", "Undo");
      await until(() => document.activeElement === all("heading", "Ana Ruiz")[0]);
      undo.focus();
      if (end === "press") undo.click();
      else kit.timers.advance(10_000);
      await until(() => all("button", "Undo").length === 0);
      expect(document.activeElement).toBe(all("heading", "Ana Ruiz")[0]);
    }
  });

  it("DESK12 the bar's switches say what is on, and why there are no notifications", async () => {
    const kit = await show(signedInKit());
    const isOn = (name: string) => one("button", name).getAttribute("aria-checked");
    expect([isOn("Sound"), isOn("Notifications")]).toEqual(["true", "false"]);
    one("button", "Sound").click();
    await until(() => isOn("Sound") === "false");
    kit.alerts.answer = "denied";
    one("button", "Notifications").click();
    await until(() => all("alert", /doesn't allow notifications/).length === 1);
    expect(isOn("Notifications")).toBe("false");
    one("button", "Close").click();
    await until(() => all("alert", /doesn't allow notifications/).length === 0);
    expect(document.activeElement).toBe(one("button", "Notifications"));
    one("button", "Notifications").click();
    await until(() => all("alert", /doesn't allow notifications/).length === 1);
    kit.alerts.permission = "granted";
    one("button", "Notifications").click();
    await until(() => isOn("Notifications") === "true");
    expect(everything()).not.toContain("allow notifications");
  });

  it("DESK13 who is there is shown while the connection is live, and since when others have left", async () => {
    const kit = await show(openedKit(ANA));
    const say = (presence: object) =>
      kit.service.push({
        type: "queue.changed",
        conversation: rowOf(waiting(), { presence: presence as never }),
      });
    say({ online: true });
    await until(() => nameOf(one("button", /Ana Ruiz/)).includes("Online now"));
    expect(document.querySelector("main header")?.textContent).toContain("Online now");
    say({ online: false, lastSeenAt: at(6) });
    await until(() => everything().includes("Last seen 4 min ago"));
    expect(everything()).not.toContain("Online now");
    say({ online: true });
    await until(() => everything().includes("Online now"));
    kit.service.breakLines();
    await until(() => kit.board.connection.value === "waiting");
    await settled();
    expect(everything()).not.toContain("Online now");
  });

  it("DESK14 the team's name for a customer counts as saved only when the service confirmed it", async () => {
    const customer = { externalId: "anon_1", identified: false, traits: {} };
    const start = createKit();
    start.service.state.conversations = [waiting({ customer })];
    const kit = await show(openedOn(start, ANA));
    one("button", "Add name or e-mail").click();
    const name = await eventually("textbox", "Name");
    await until(() => document.activeElement === name);
    type(name, "Ann from Bern");
    type(one("textbox", "E-mail"), "ann@bern..example");
    one("button", "Save").click();
    await until(() => everything().includes("Enter an e-mail address"));
    type(one("textbox", "E-mail"), "ann@bern.example");
    kit.service.script(`POST /conversations/${ANA}/customer`, () => Response.json({ customer: {} }));
    one("button", "Save").click();
    await until(() => everything().includes("We couldn't confirm the change."));
    expect(everything()).not.toContain("Typed by the team");
    expect((one("textbox", "Name") as HTMLInputElement).value).toBe("Ann from Bern");
    one("button", "Save").click();
    const edit = await eventually("button", "Edit name and e-mail");
    await until(() => document.activeElement === edit);
    expect(all("heading", "Ann from Bern").length).toBeGreaterThan(0);
    expect(nameOf(one("button", /Ann from Bern/))).not.toContain("Visitor");
    expect(everything()).toContain("Typed by the team");
    expect(kit.service.callsOf(`POST /conversations/${ANA}/customer`).at(-1)?.body).toEqual({
      name: "Ann from Bern",
      email: "ann@bern.example",
    });
  });

  it("CONTACT2 an address that the customer typed is shown as unverified, as it changes, and starts a plain mail", async () => {
    const kit = await show(openedKit(ANA));
    const change = (email: string | null) =>
      kit.service.push({
        type: "conversation.event",
        conversationId: ANA,
        event: { type: "contact.changed", contact: { email } },
      });
    expect(everything()).not.toContain("Wants replies at");
    change("a?bcc=eve&b@shop.example");
    await until(() => everything().includes("Unverified, typed by the customer"));
    expect(one("link", "a?bcc=eve&b@shop.example").getAttribute("href")).toBe(
      "mailto:a%3Fbcc%3Deve%26b@shop.example",
    );
    change(null);
    await until(() => !everything().includes("Wants replies at"));
  });

  it("Shift+Enter breaks the line, an input method's Enter chooses a word, and neither sends", async () => {
    const kit = await show(takenKit(ANA));
    const box = await eventually("textbox", "Reply");
    type(box, "Hello");
    // So that a phone's keyboard does not offer a new line.
    expect(box.getAttribute("enterkeyhint")).toBe("send");
    expect(press(box, "Enter", { shiftKey: true }).defaultPrevented).toBe(false);
    expect(press(box, "Enter", { isComposing: true }).defaultPrevented).toBe(false);
    await settled();
    expect(kit.service.callsOf(`POST /conversations/${ANA}/messages`)).toHaveLength(0);
    one("button", "Send reply").click();
    await until(() => log().textContent?.includes("Sent") ?? false);
  });

  it("a text that is too long says by how much, and stays", async () => {
    await show(takenKit(ANA));
    const box = await eventually("textbox", "Reply");
    type(box, "x".repeat(5003));
    await until(() => everything().includes("3 characters over the limit"));
    press(box, "Enter");
    await until(() => one("alert").textContent === "3 characters over the limit");
    expect((box as HTMLTextAreaElement).value).toHaveLength(5003);
    expect(box.getAttribute("aria-invalid")).toBe("true");
  });
});
