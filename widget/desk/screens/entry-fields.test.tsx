import { render } from "preact";
import { expect, it } from "vitest";
import { eventually, one } from "../testing/by-role.ts";
import { createKit } from "../testing/desk-kit.ts";
import { DeskApp } from "./desk-app.tsx";

it("on sign-in and set-up a password manager can fill each field, and pasting works", async () => {
  const { desk } = createKit();
  document.body.innerHTML = "<div id='desk'></div>";
  const root = document.getElementById("desk");
  if (!root) throw new Error("no place");
  render(<DeskApp desk={desk} />, root);
  const purposes = () =>
    ["E-mail", "Password"].map((name) => one("textbox", name).getAttribute("autocomplete"));
  desk.offerSignIn();
  await eventually("button", "Sign in");
  expect(purposes()).toEqual([expect.stringMatching(/^(username|email)/), "current-password"]);
  const paste = new Event("paste", { bubbles: true, cancelable: true });
  expect(one("textbox", "Password").dispatchEvent(paste)).toBe(true);
  await desk.openLink("token");
  await eventually("button", "Create account");
  expect(purposes()).toEqual([expect.stringMatching(/^(username|email)/), "new-password"]);
  expect(one("textbox", "Name").getAttribute("autocomplete")).toBe("name");
  render(null, root);
});
