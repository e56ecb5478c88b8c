import { render } from "preact";
import { afterEach, expect, it } from "vitest";
import { all, eventually, everything, one, type } from "../testing/by-role.ts";
import { createKit, type Kit, settled, takenKit, until } from "../testing/desk-kit.ts";
import { ANA, SAM } from "../testing/samples.ts";
import { problem } from "../testing/scripted-service.ts";
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

const fill = (email: string, password: string) => {
  type(one("textbox", "E-mail"), email);
  type(one("textbox", "Password"), password);
};

it("set-up names each invalid field, moves focus to the first, and does not call the service", async () => {
  const kit = show(createKit());
  await kit.desk.openLink("tok");
  await eventually("heading", "Set up your desk");
  type(one("textbox", "Password"), "too short");
  await settled();
  expect(everything()).toContain("9 of 12 characters");
  one("button", "Create account").click();
  await until(() => document.activeElement === one("textbox", "E-mail"));
  expect(everything()).toContain("Enter an e-mail address");
  expect(everything()).toContain("Enter the name");
  expect(everything()).toContain("3 more characters needed.");
  expect(one("textbox", "Password").getAttribute("aria-invalid")).toBe("true");
  expect(kit.service.callsOf("POST /setup")).toEqual([]);
  // The error disappears with its cause.
  type(one("textbox", "E-mail"), SAM.email);
  await until(() => !everything().includes("Enter an e-mail address"));
});

it("a field that becomes valid keeps the focus while somebody writes in it", async () => {
  const kit = show(createKit());
  await kit.desk.openLink("tok");
  await eventually("heading", "Set up your desk");
  one("button", "Create account").click();
  await until(() => document.activeElement === one("textbox", "E-mail"));
  for (const [name, text] of [
    ["Password", "long enough by now"],
    ["E-mail", "sam@shop.ex"],
  ] as const) {
    const field = one("textbox", name);
    field.focus();
    type(field, text);
    await until(() => field.getAttribute("aria-invalid") === null);
    await settled();
    expect(document.activeElement).toBe(field);
  }
  one("button", "Create account").click();
  await until(() => document.activeElement === one("textbox", "Name"));
});

it("set-up shows the service's reason, leaves the typed text, and opens the desk when it is confirmed", async () => {
  const kit = show(createKit());
  await kit.desk.openLink("tok");
  await eventually("heading", "Set up your desk");
  fill(SAM.email, "password12345");
  type(one("textbox", "Name"), "  Sam   Okafor ");
  kit.service.script(
    "POST /setup",
    () => problem("bad_request", { detail: "Too many people use this password." }),
    () => problem("forbidden"),
    () => Response.json({}),
  );
  for (const sentence of ["Too many people use this password.", "no longer works", "couldn't confirm"]) {
    await settled();
    one("button", "Create account").click();
    await until(() => everything().includes(sentence), sentence);
    await until(() => document.activeElement?.textContent?.includes(sentence) ?? false, "it has the focus");
    expect((one("textbox", "Password") as HTMLInputElement).value).toBe("password12345");
  }
  await settled();
  one("button", "Create account").click();
  await eventually("heading", "Queue");
  expect(kit.service.callsOf("POST /setup").at(-1)?.body).toMatchObject({ name: "Sam Okafor" });
});

it("a set-up whose link was used by an attempt in doubt leads to the sign-in", async () => {
  const kit = show(createKit());
  await kit.desk.openLink("tok");
  await eventually("heading", "Set up your desk");
  fill(SAM.email, "seven quiet harbour stones");
  type(one("textbox", "Name"), "Sam Okafor");
  kit.service.script(
    "POST /setup",
    () => Promise.reject(new DOMException("The operation timed out.", "TimeoutError")),
    () => problem("forbidden"),
  );
  for (const sentence of [
    "We don't know whether it worked.",
    "If you created the account with it, sign in.",
  ]) {
    await settled();
    one("button", "Create account").click();
    await until(() => everything().includes(sentence), sentence);
  }
  one("button", "Sign in").click();
  await eventually("heading", "Sign in to the desk");
});

it("sign-in says what is wrong and for how long, and distinguishes a doubt from a refusal", async () => {
  const kit = show(createKit());
  kit.service.state.signedIn = false;
  await kit.desk.resume();
  await eventually("button", "Sign in");
  fill(SAM.email, "whatever it is");
  kit.service.script(
    "POST /login",
    () => problem("unauthenticated"),
    () => problem("rate_limited", { retryAfter: 30 }),
    () => Promise.reject(new TypeError("Failed to fetch")),
  );
  for (const sentence of [
    "Incorrect e-mail or password, or the account is disabled.",
    "Try again in 30 seconds",
    "couldn't reach",
  ]) {
    await settled();
    one("button", "Sign in").click();
    await until(() => all("alert", /./).some((each) => each.textContent?.includes(sentence)), sentence);
  }
  await settled();
  one("button", "Sign in").click();
  await eventually("heading", "Queue");
});

it("sign-in says once that it may be tried again when the named time is over", async () => {
  const kit = show(createKit());
  kit.service.state.signedIn = false;
  await kit.desk.resume();
  await eventually("button", "Sign in");
  fill(SAM.email, "whatever it is");
  kit.service.script("POST /login", () => problem("rate_limited", { retryAfter: 900 }));
  one("button", "Sign in").click();
  await until(() => everything().includes("Try again in 15 minutes."));
  await settled();
  kit.timers.advance(899_999);
  await settled();
  expect(everything()).toContain("Try again in 15 minutes.");
  kit.timers.advance(1);
  await until(() => everything().includes("Too many attempts. You can try again now."));
  expect(everything()).not.toContain("15 minutes");
  expect((one("textbox", "Password") as HTMLInputElement).value).toBe("whatever it is");
});

it("a password can be shown", async () => {
  const kit = show(createKit());
  await kit.desk.openLink("tok");
  const box = await eventually("textbox", "Password");
  expect(box.getAttribute("type")).toBe("password");
  one("button", "Show password").click();
  await eventually("button", "Hide password");
  expect(one("textbox", "Password").getAttribute("type")).toBe("text");
});

it("an unreachable service is neither signed in nor signed out, and can be tried again", async () => {
  const kit = show(createKit());
  kit.service.script("GET /session", () => Promise.reject(new TypeError("Failed to fetch")));
  await kit.desk.resume();
  (await eventually("button", "Try again")).click();
  await eventually("heading", "Queue");
});

it("SAY2 a session that ends while a person writes puts the focus on the heading, which says why", async () => {
  const kit = show(createKit());
  await kit.desk.resume();
  await eventually("button", "Sign out");
  kit.service.state.signedIn = false;
  await kit.board.refresh();
  const heading = await eventually("heading", "Sign in to the desk");
  await until(() => document.activeElement === heading);
  const why = document.getElementById(heading.getAttribute("aria-describedby") ?? "");
  // True also where an admin disabled the account, or the password was changed elsewhere.
  expect(why?.textContent).toBe("Your session has ended. Sign in to continue.");
});

it("DESK28 the sign-in after an expired session names drafts where there are any", async () => {
  const kit = await takenKit(ANA);
  kit.board.setDraft("And the");
  show(kit);
  kit.service.state.signedIn = false;
  await kit.board.refresh();
  await until(() => everything().includes("Sign in to continue; your drafts are still here."));
});

it("the sign-in that a page begins with leaves the focus where it is", async () => {
  const kit = createKit();
  kit.service.state.signedIn = false;
  show(kit);
  await kit.desk.resume();
  await eventually("heading", "Sign in to the desk");
  await settled();
  expect(document.activeElement).toBe(document.body);
});
