import { render } from "preact";
import { afterEach, describe, expect, it } from "vitest";
import { all, eventually, everything, one, press, type } from "../testing/by-role.ts";
import { createKit, type Kit, settled, signedInKit, until } from "../testing/desk-kit.ts";
import { at, BEN, SAM } from "../testing/samples.ts";
import { FAULTS, problem } from "../testing/scripted-service.ts";
import { DeskApp } from "./desk-app.tsx";

function show(kit: Kit): Kit {
  document.body.innerHTML = "<div id='desk'></div>";
  const root = document.getElementById("desk");
  if (root) render(<DeskApp desk={kit.desk} />, root);
  return kit;
}

afterEach(() => {
  const root = document.getElementById("desk");
  if (root) render(null, root);
});

async function onPeople(): Promise<Kit> {
  const kit = show(await signedInKit());
  (await eventually("button", "People")).click();
  await until(() => everything().includes(BEN.email));
  return kit;
}

describe("the people of the desk", () => {
  it("are shown to an admin with their roles and whether they can sign in; the heading has the focus", async () => {
    await onPeople();
    await until(() => document.activeElement === one("heading", "People"));
    expect(one("button", "People").getAttribute("aria-current")).toBe("page");
    for (const text of [SAM.name, "you", BEN.name, BEN.email, "Team member", "Active"]) {
      expect(everything()).toContain(text);
    }
    // Nobody can disable their own account.
    expect(all("button", `Disable: ${SAM.name}`)).toEqual([]);
  });

  it("have a log whose button for older entries stays under the focus while they load", async () => {
    const kit = createKit();
    const entry = { id: "audit_9", at: at(0), action: "desk.signed_in", by: { id: SAM.id, name: SAM.name } };
    const held = Promise.withResolvers<void>();
    kit.service.script("GET /audit", () => Response.json({ entries: [entry], next: "audit_9" }));
    kit.service.script("GET /audit?before=audit_9", () =>
      held.promise.then(() => Response.json({ entries: [{ ...entry, id: "audit_8" }] })),
    );
    show(await signedInKit(kit));
    (await eventually("button", "People")).click();
    const older = await eventually("button", "Show older");
    await until(() => document.activeElement === one("heading", "People"));
    older.focus();
    older.click();
    await until(() => older.getAttribute("aria-disabled") === "true");
    expect(document.activeElement).toBe(older);
    held.resolve();
    await until(() => all("button", "Show older").length === 0);
    const rows = document.querySelectorAll("[aria-labelledby=audit-title] li");
    expect(rows).toHaveLength(2);
    expect(document.activeElement, "SAY2 the first row of the last page").toBe(rows[1]);
  });

  it("DESK32 a half-filled invitation survives another page and a session that ends, and signing out asks first", async () => {
    const kit = await onPeople();
    type(one("textbox", "Name"), "Mira Chen");
    const admin = () => document.querySelectorAll<HTMLInputElement>("input[name=role]")[1];
    admin()?.click();
    one("button", "Conversations").click();
    await until(() => all("textbox", "Name").length === 0);
    expect(kit.desk.unsent.value).toBe("text");
    kit.service.state.signedIn = false;
    await kit.board.refresh();
    await until(() => everything().includes("your drafts are still here"));
    await kit.desk.signIn({ email: SAM.email, password: "seven quiet harbour stones" });
    (await eventually("button", "People")).click();
    expect(((await eventually("textbox", "Name")) as HTMLInputElement).value).toBe("Mira Chen");
    expect(admin()?.checked).toBe(true);

    type(one("textbox", "E-mail"), "mira@shop.example");
    await settled();
    one("button", "Create invite link").click();
    await until(() => document.activeElement?.textContent === "Link for Mira Chen");
    expect(kit.desk.unsent.value).toBeUndefined();
    type(one("textbox", "Name"), "Ana");
    await kit.desk.signOut();
    expect(kit.desk.unsent.value).toBeUndefined();
  });

  it("are hidden from an agent", async () => {
    const kit = createKit();
    kit.service.state.user = { ...SAM, role: "agent" };
    show(kit);
    await kit.desk.resume();
    await eventually("button", `Your account: ${SAM.name}`);
    expect(all("button", "People")).toEqual([]);
  });

  it("an invitation gives a link that is shown once, can be copied, and is gone when closed", async () => {
    const kit = await onPeople();
    type(one("textbox", "E-mail"), "Mira@shop.example");
    type(one("textbox", "Name"), " Mira  Chen ");
    await settled();
    one("button", "Create invite link").click();
    await until(() => document.activeElement?.textContent === "Link for Mira Chen");
    expect(kit.service.callsOf("POST /users").at(-1)?.body).toEqual({
      email: "Mira@shop.example",
      name: "Mira Chen",
      role: "agent",
    });
    const link = (one("textbox", "One-time link") as HTMLInputElement).value;
    expect(link).toMatch(/^https:\/\/help\.shop\.example\/desk#setup=secret-\d$/);
    one("button", "Copy link").click();
    await until(() => everything().includes("Copied"));
    expect(kit.clipboard.text).toBe(link);
    expect((one("textbox", "E-mail") as HTMLInputElement).value).toBe("");
    await until(() => everything().includes("Sam Okafor invited Mira Chen"));
    one("button", "Done").click();
    await until(() => all("textbox", "One-time link").length === 0);
    expect(everything()).not.toContain("secret-");
  });

  it("a copy that the browser forbids is reported, and the link stays to be copied by hand", async () => {
    const kit = await onPeople();
    kit.clipboard.write = () => Promise.reject(new DOMException("no", "NotAllowedError"));
    type(one("textbox", "E-mail"), "mira@shop.example");
    type(one("textbox", "Name"), "Mira");
    await settled();
    one("button", "Create invite link").click();
    (await eventually("button", "Copy link")).click();
    await until(() => everything().includes("didn't allow copying"));
    expect(all("textbox", "One-time link")).toHaveLength(1);
  });

  it("an invitation names invalid fields, and does not call the service", async () => {
    const kit = await onPeople();
    one("button", "Create invite link").click();
    await until(() => document.activeElement === one("textbox", "E-mail"));
    expect(everything()).toContain("Enter an e-mail address");
    expect(kit.service.callsOf("POST /users")).toEqual([]);
  });

  it.each(Object.keys(FAULTS))(
    "TRUTH1 an invitation that is answered by %s shows no link, and the typed text stays",
    async (fault) => {
      const kit = await onPeople();
      type(one("textbox", "E-mail"), "mira@shop.example");
      type(one("textbox", "Name"), "Mira");
      await settled();
      kit.service.script("POST /users", FAULTS[fault] ?? (() => problem("internal")));
      one("button", "Create invite link").click();
      await until(() => all("alert", /./).length > 0);
      expect(all("textbox", "One-time link")).toEqual([]);
      expect((one("textbox", "Name") as HTMLInputElement).value).toBe("Mira");
    },
  );

  it("disabling asks first, with the harmless answer in focus, and Escape cancels it", async () => {
    const kit = await onPeople();
    one("button", `Disable: ${BEN.name}`).click();
    const keep = await eventually("button", "Cancel");
    await until(() => document.activeElement === keep);
    expect(everything()).toContain("signed out at once");
    press(keep, "Escape");
    const asking = await eventually("button", `Disable: ${BEN.name}`);
    await until(() => document.activeElement === asking);
    expect(kit.service.callsOf("POST /users/usr_ben/disable")).toEqual([]);
    one("button", `Disable: ${BEN.name}`).click();
    (await eventually("button", "Disable now")).click();
    const enable = await eventually("button", `Enable: ${BEN.name}`);
    expect(document.activeElement, "SAY2").toBe(enable);
    enable.click();
    const disable = await eventually("button", `Disable: ${BEN.name}`);
    expect(document.activeElement, "SAY2").toBe(disable);
  });

  it.each(Object.keys(FAULTS))(
    "TRUTH1 disabling that is answered by %s is not shown as done",
    async (fault) => {
      const kit = await onPeople();
      kit.service.script("POST /users/usr_ben/disable", FAULTS[fault] ?? (() => problem("internal")));
      one("button", `Disable: ${BEN.name}`).click();
      (await eventually("button", "Disable now")).click();
      await until(() => all("alert", /./).length > 0);
      await eventually("button", `Disable: ${BEN.name}`);
      expect(all("button", `Enable: ${BEN.name}`)).toEqual([]);
    },
  );

  it("DESK26 a refusal to disable somebody is not said as a doubt", async () => {
    const kit = await onPeople();
    const refusal = "You can't disable your own account. Ask another admin.";
    kit.service.script("POST /users/usr_ben/disable", () => problem("forbidden", { detail: refusal }));
    one("button", `Disable: ${BEN.name}`).click();
    (await eventually("button", "Disable now")).click();
    await eventually("alert", refusal);
  });

  it("a new link for a person who can sign in first says that their password will be reset", async () => {
    const kit = await onPeople();
    one("button", `Reset password: ${BEN.name}`).click();
    await until(() => everything().includes("They are signed out everywhere"));
    expect(kit.service.callsOf("POST /users/usr_ben/link")).toEqual([]);
    one("button", "Reset and create link").click();
    await eventually("heading", `Link for ${BEN.name}`);
    await until(() => everything().includes("Invited"));
  });

  it("a list that can't be read says so, and can be read again", async () => {
    const kit = show(await signedInKit());
    kit.service.script("GET /users", () => problem("unavailable"));
    (await eventually("button", "People")).click();
    await until(() => everything().includes("We couldn't load the list."));
    one("button", "Try again").click();
    await until(() => everything().includes(BEN.email));
  });

  it("everything is cleared when the desk is left", async () => {
    const kit = await onPeople();
    type(one("textbox", "E-mail"), "mira@shop.example");
    type(one("textbox", "Name"), "Mira");
    await settled();
    one("button", "Create invite link").click();
    await eventually("textbox", "One-time link");
    one("button", "Conversations").click();
    await eventually("heading", "Queue");
    expect(kit.desk.people.made.value).toBeUndefined();
    kit.service.state.signedIn = false;
    one("button", "People").click();
    await eventually("button", "Sign in");
    expect(everything()).not.toContain(BEN.email);
  });
});

describe("one's own password", () => {
  async function onAccount(): Promise<Kit> {
    const kit = show(await signedInKit());
    (await eventually("button", `Your account: ${SAM.name}`)).click();
    await eventually("heading", "Change your password");
    return kit;
  }
  const fill = (present: string, next: string) => {
    type(one("textbox", "Current password"), present);
    type(one("textbox", "New password"), next);
  };

  it("is changed when the service confirms it, and then the form is empty", async () => {
    const kit = await onAccount();
    fill("the present one", "seven quiet harbour stones");
    await settled();
    one("button", "Change password").click();
    await until(() => everything().includes("Your password was changed."));
    expect((one("textbox", "Current password") as HTMLInputElement).value).toBe("");
    expect(kit.service.callsOf("POST /password").at(-1)?.body).toEqual({
      password: "the present one",
      newPassword: "seven quiet harbour stones",
    });
  });

  it.each(Object.keys(FAULTS))(
    "TRUTH1 a change that is answered by %s is not shown as done",
    async (fault) => {
      const kit = await onAccount();
      kit.service.script("POST /password", FAULTS[fault] ?? (() => problem("internal")));
      fill("the present one", "seven quiet harbour stones");
      await settled();
      one("button", "Change password").click();
      await until(() => all("alert", /./).length > 0);
      expect(everything()).not.toContain("Your password was changed.");
      expect((one("textbox", "New password") as HTMLInputElement).value).toBe("seven quiet harbour stones");
    },
  );
});

describe("a link in the address", () => {
  it("shows whose account it is, and opens the desk when the password is confirmed", async () => {
    const kit = show(createKit());
    kit.service.state.offer = { purpose: "invite", email: BEN.email, name: BEN.name };
    await kit.desk.openLink("tok");
    await eventually("heading", `Welcome, ${BEN.name}`);
    expect(everything()).toContain(BEN.email);
    type(one("textbox", "Password"), "seven quiet harbour stones");
    kit.service.script(
      "POST /join",
      () => problem("bad_request", { detail: "This password is easy to guess." }),
      () => Response.json({}),
    );
    for (const sentence of ["easy to guess", "couldn't confirm"]) {
      await settled();
      one("button", "Save password and sign in").click();
      await until(() => everything().includes(sentence), sentence);
    }
    await settled();
    one("button", "Save password and sign in").click();
    await eventually("heading", "Queue");
    expect(kit.service.callsOf("POST /join").at(-1)?.body).toEqual({
      token: "tok",
      password: "seven quiet harbour stones",
    });
  });

  it("that was used by an attempt in doubt leads to the sign-in", async () => {
    const kit = show(createKit());
    kit.service.state.offer = { purpose: "invite", email: BEN.email, name: BEN.name };
    await kit.desk.openLink("tok");
    await eventually("heading", `Welcome, ${BEN.name}`);
    type(one("textbox", "Password"), "seven quiet harbour stones");
    kit.service.script(
      "POST /join",
      () => Promise.reject(new DOMException("The operation timed out.", "TimeoutError")),
      () => problem("forbidden"),
    );
    for (const sentence of [
      "We don't know whether it worked.",
      "If you chose your password with it, sign in.",
    ]) {
      await settled();
      one("button", "Save password and sign in").click();
      await until(() => everything().includes(sentence), sentence);
    }
    one("button", "Sign in").click();
    await eventually("heading", "Sign in to the desk");
  });

  it("shows the set-up if it is the first start's", async () => {
    const kit = show(createKit());
    await kit.desk.openLink("tok");
    await eventually("heading", "Set up your desk");
  });

  it("that is invalid says so, and one that could not be checked is called neither valid nor invalid", async () => {
    const kit = show(createKit());
    kit.service.script(
      "POST /link",
      () => Promise.reject(new TypeError("Failed to fetch")),
      () => problem("forbidden"),
    );
    await kit.desk.openLink("tok");
    (await eventually("button", "Try again")).click();
    await eventually("heading", "This link no longer works");
  });
});
