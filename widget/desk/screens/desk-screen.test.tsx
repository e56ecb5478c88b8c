import { describe, expect, it } from "vitest";
import { all, eventually, everything, nameOf, one, press, type } from "../testing/by-role.ts";
import { CLAIMS } from "../testing/claims.ts";
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
import { ANA, at, MIRA, message, rowOf, waiting } from "../testing/samples.ts";
import { FAULTS, problem } from "../testing/scripted-service.ts";
import { showDesk } from "./show-desk.test-kit.tsx";

async function show(start: Promise<Kit>): Promise<Kit> {
  const kit = await start;
  return showDesk(kit);
}

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
    "DESK15 after a press on %s, both buttons go away if the customer has begun another conversation",
    async (button) => {
      const kit = await show(takenKit(ANA));
      const refusal = "The customer has begun another conversation, so this one can't be reopened.";
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

  it("DESK15 the focus does not get lost with the Undo button, whether it is pressed or its time is over", async () => {
    const kit = await show(takenKit(ANA));
    for (const end of ["press", "time"]) {
      const resolve = one("button", "Resolve");
      resolve.focus();
      resolve.click();
      const undo = await eventually("button", "Undo");
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
    await settled();
    expect((box as HTMLTextAreaElement).value).toHaveLength(5003);
    expect(box.getAttribute("aria-invalid")).toBe("true");
  });
});

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
});

describe("on a small screen", () => {
  /** Each region's role, and its headings except those within another region. */
  const regions = () =>
    [".queue", ".conversation", ".customer"].map((name) => {
      const region = document.querySelector(name);
      const levels = [...(region?.querySelectorAll("h1, h2, h3") ?? [])].map((heading) =>
        Number(heading.getAttribute("aria-level") ?? heading.localName.slice(1)),
      );
      return [region?.getAttribute("role") ?? region?.localName, levels[0], Math.max(0, ...levels.slice(1))];
    });

  it("the region in the conversation's place is the page's main part with a first-level heading", async () => {
    const kit = await show(openedKit(ANA));
    const beside = [
      ["navigation", 2, 3],
      ["main", 1, 0],
      ["complementary", 2, 3],
    ];
    expect(regions()).toEqual(beside);
    const row = one("button", /Ana Ruiz/);
    kit.columns.value = 2;
    await settled();
    expect(regions()).toEqual([beside[0], beside[1], ["main", 1, 2]]);
    kit.columns.value = 1;
    await settled();
    expect(regions()).toEqual([["main", 1, 2], beside[1], ["main", 1, 2]]);
    // The same elements, so focus and expanded parts are unchanged.
    expect(one("button", /Ana Ruiz/)).toBe(row);
  });

  it("the customer's region has its heading even if nothing could be read", async () => {
    const kit = await show(signedInKit());
    kit.columns.value = 1;
    await settled();
    expect(regions()[2]).toEqual(["main", 1, 0]);
  });
});

describe("the customer's details", () => {
  it("an e-mail that the site did not verify is never called verified, and an anonymous visitor has no invented name", async () => {
    const kit = await show(openedKit(ANA));
    const aside = () => document.querySelector(".customer")?.textContent ?? "";
    expect(aside()).toContain("ana@example.com Not verified");
    expect(aside()).toContain("Identified by the site");
    expect(aside()).toContain("A refund, please");
    const anonymous = waiting({
      id: "cnv_anon",
      customer: { externalId: "anon_8f3k2", identified: false, traits: { plan: "<img src=x><b>x" } },
    });
    kit.service.state.conversations.push(anonymous);
    kit.board.open("cnv_anon");
    await until(() => aside().includes("Visitor"));
    expect(aside()).toContain("Not identified");
    expect(aside()).not.toContain("anon_8f3k2");
    expect(document.querySelectorAll(".customer img, .customer b")).toHaveLength(0);
  });

  it("says who handles the conversation, in words and never by a configured name", async () => {
    const kit = await show(openedKit(ANA));
    const fact = () => document.querySelector(".customer")?.textContent ?? "";
    expect(fact()).toContain("Handled byNobody yet");
    await kit.board.take();
    await until(() => fact().includes("Handled bySam Okafor (you)"));
    for (const internal of ["knowledge", "web", "Channel", "Handoff"]) expect(fact()).not.toContain(internal);
  });

  it("IDENT6 what the site signed, what the page says and what the BFF noted are shown separately", async () => {
    const kit = await show(openedKit(ANA));
    const signed = waiting({
      id: "cnv_signed",
      customer: {
        externalId: "u42",
        email: "lee@example.com",
        identified: true,
        traits: { plan: "pro", "page.plan": "enterprise", identified: true, emailVerified: true },
      },
    });
    const linked = waiting({
      id: "cnv_linked",
      customer: {
        externalId: "anon_1",
        email: "ceo@example.com",
        identified: false,
        traits: { identified: false, emailVerified: true, linkedTo: "u42" },
      },
    });
    kit.service.state.conversations.push(signed, linked);
    const aside = () => document.querySelector(".customer")?.textContent ?? "";
    const underHeading = (name: string) =>
      [...document.querySelectorAll(".customer h3")].find(({ textContent }) => textContent === name)
        ?.nextElementSibling?.textContent;
    kit.board.open("cnv_signed");
    await until(() => aside().includes("u42"));
    expect(document.querySelectorAll(".customer .unverified")).toHaveLength(0);
    expect(underHeading("Customer details")).toBe("planpro");
    expect(underHeading("From the page, not verified")).toBe("planenterprise");
    kit.board.open("cnv_linked");
    await until(() => aside().includes("ceo@example.com"));
    expect(aside()).toContain("Not identified");
    expect(document.querySelectorAll(".customer .unverified")).toHaveLength(1);
    expect(underHeading("Signed in later as")).toBe("Customer IDu42");
  });

  it("quick replies are text: what the customer was offered, without a button", async () => {
    const kit = await show(openedKit(ANA));
    const choices = [
      { id: "a", label: "<b>Returns</b>", send: "How do I return something?" },
      { id: "b", choice: "handoff" as const },
    ];
    const buttons = log().querySelectorAll("button").length;
    kit.service.change(ANA, { lastSeq: 4, messages: [message(4, "agent", "Which one?", { choices })] });
    await kit.board.refresh();
    await until(() => log().textContent?.includes("Offered: <b>Returns</b> · Talk to a person") ?? false);
    expect(log().querySelectorAll("button")).toHaveLength(buttons);
  });

  it("what people and articles write is text: no element, no link but https", async () => {
    const kit = await show(openedKit(ANA));
    const hostile = "<img src=x onerror=alert(1)> [x](javascript:alert(1)) **<b>**";
    const citations = [
      { citationId: "c1", title: "<i>t</i>", url: "javascript:alert(1)" },
      { citationId: "c2", title: "Refunds", url: "https://shop.example/refunds" },
      { citationId: "c3", title: "Plain", url: "http://shop.example/" },
    ];
    kit.service.change(ANA, {
      lastSeq: 5,
      messages: [
        message(4, "customer", hostile),
        message(5, "agent", hostile, { author: { name: "Helper" }, citations, incomplete: true }),
      ],
    });
    await kit.board.refresh();
    await until(() => log().textContent?.includes("Helper") ?? false);
    expect(log().querySelectorAll("img, b, i, script")).toHaveLength(0);
    const links = [...log().querySelectorAll("a")].map((link) => link.getAttribute("href"));
    expect(links).toEqual(["https://shop.example/refunds"]);
    expect(log().textContent).toContain("This answer was cut off.");
    expect(log().textContent).toContain("AI");
  });
});

describe("the log", () => {
  it("shows handoffs between the messages, and an answer in progress", async () => {
    const kit = await show(openedKit(ANA));
    expect(log().textContent).toMatch(/My lamp is broken.*Asked for a person/s);
    const live = (delta: string) =>
      kit.service.push({
        type: "conversation.event",
        conversationId: ANA,
        event: { type: "response.delta", messageId: "msg_4", delta },
      });
    live("Rub ");
    live("oil");
    await until(() => log().textContent?.includes("Rub oil") ?? false);
    expect(one("status").textContent).not.toContain("Rub");
    expect(log().getAttribute("aria-live")).toBe("off");
    kit.service.push({
      type: "conversation.event",
      conversationId: ANA,
      event: { type: "message.created", seq: 4, at: at(4), message: message(4, "agent", "Rub oil on it.") },
    });
    await until(() => log().textContent?.includes("Rub oil on it.") ?? false);
    expect(log().textContent?.match(/Rub oil/g)).toHaveLength(1);
  });

  it("a message never moves the focus, nor the scroll position of a reader further up", async () => {
    const kit = await show(openedKit(ANA));
    const before = document.activeElement;
    const box = log();
    Object.defineProperties(box, {
      scrollHeight: { value: 2000 },
      clientHeight: { value: 400 },
    });
    for (const top of [1600, 100]) {
      box.scrollTop = top;
      box.dispatchEvent(new Event("scroll"));
    }
    kit.service.push({
      type: "conversation.event",
      conversationId: ANA,
      event: { type: "message.created", seq: 4, at: at(4), message: message(4, "customer", "Hello?") },
    });
    const button = await eventually("button", "New messages");
    expect(box.scrollTop).toBe(100);
    expect(document.activeElement).toBe(before);
    button.click();
    await until(() => all("button", "New messages").length === 0);
    expect(box.scrollTop).toBe(2000);
  });
});

describe("the queue", () => {
  it("arrow keys go from row to row, Tab stops at the list once, and the open row is marked", async () => {
    const kit = await show(signedInKit());
    const jo = waiting({
      id: "cnv_jo",
      customer: { externalId: "u2", displayName: "Jo", identified: true, traits: {} },
    });
    kit.service.push({ type: "queue.changed", conversation: rowOf(jo, { waitingSince: at(9) }) });
    const second = await eventually("button", /^.*Jo/);
    const first = one("button", /Ana Ruiz/);
    first.focus();
    expect(press(first, "ArrowDown").defaultPrevented).toBe(true);
    expect(document.activeElement).toBe(second);
    press(second, "Home");
    expect(document.activeElement).toBe(first);
    press(first, "End");
    press(second, "ArrowDown");
    expect(document.activeElement).toBe(second);
    expect([first.tabIndex, second.tabIndex]).toEqual([0, -1]);
    first.click();
    await until(() => one("button", /Ana Ruiz/).getAttribute("aria-current") === "true");
    expect(nameOf(first)).toContain("waiting 7 min");
  });

  it("ATT9 a conversation whose customer only attached a file, and sent nothing, says that it has no messages", async () => {
    const kit = await show(signedInKit());
    const started = waiting({ id: "cnv_new", state: "agent", messages: [], lastSeq: 1 });
    kit.service.push({ type: "queue.changed", conversation: rowOf(started) });
    await eventually("button", /No messages/);
  });

  it("ended conversations are collapsed until somebody opens them", async () => {
    const kit = await show(signedInKit());
    kit.service.push({
      type: "queue.changed",
      conversation: rowOf(waiting({ id: "cnv_old", status: "ended", state: "ended" }), {
        preview: "Thanks!",
      }),
    });
    const fold = await eventually("button", /^Ended/);
    expect(all("button", /Thanks!/)).toEqual([]);
    fold.click();
    await eventually("button", /Thanks!/);
    expect(one("button", /^Ended/).getAttribute("aria-expanded")).toBe("true");
  });

  it("an empty queue is shown in a friendly way; a list that could not be read is not called empty", async () => {
    const kit = await show(signedInKit());
    kit.service.state.conversations = [];
    await kit.board.refresh();
    await eventually("heading", "Nobody is waiting");
    kit.service.script("GET /conversations", () => problem("unavailable"));
    kit.board.begin({ ...(kit.board.me.value ?? { id: "", email: "", name: "", role: "agent" }) });
    await until(() => everything().includes("We couldn't load the list."));
    expect(all("heading", "Nobody is waiting")).toEqual([]);
  });

  it("a list with more rows than one page shows the next ones on request", async () => {
    const kit = await show(signedInKit());
    const row = rowOf(waiting());
    const next = [{ state: "waiting", after: `1.${row.id}` }];
    const zoe = { ...row, id: "conv_zoe", customer: { ...row.customer, displayName: "Zoe" } };
    kit.service.script("GET /conversations", () => Response.json({ conversations: [row], next }));
    kit.service.script(`GET /conversations?state=waiting&after=1.${row.id}`, () =>
      Response.json({ conversations: [zoe], next: [] }),
    );
    await kit.board.refresh();
    const more = await eventually("button", "Show more");
    more.focus();
    more.click();
    const first = await eventually("button", /Zoe/);
    await until(
      () => document.activeElement === first,
      "SAY2 the focus is on the first row of the last page",
    );
    expect(all("button", "Show more")).toEqual([]);
    expect(all("button", /Ana Ruiz/)).toHaveLength(1);
  });

  it("on a small screen focus follows from region to region, and Back returns to the row that was left", async () => {
    await show(openedKit(ANA));
    one("button", "Customer details").click();
    await until(() => document.activeElement === one("button", "Back to the conversation"));
    one("button", "Back to the conversation").click();
    await until(() => document.activeElement === all("heading", "Ana Ruiz")[0]);
    one("button", "Back to the list").click();
    await until(() => document.activeElement === one("button", /Ana Ruiz/));
  });
});
