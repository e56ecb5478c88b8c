import { describe, expect, it } from "vitest";
import { listEmoji } from "../../emoji-assets.ts";
import { findEmoji } from "../emoji-model.ts";
import { all, eventually, everything, one, press, type } from "../testing/by-role.ts";
import { settled, takenKit, until } from "../testing/desk-kit.ts";
import { ANA } from "../testing/samples.ts";
import { problem } from "../testing/scripted-service.ts";
import { showDesk } from "./show-desk.test-kit.tsx";

const FILE = "GET /desk/assets/emoji.json";

async function show() {
  const kit = await takenKit(ANA);
  return showDesk(kit);
}
const reply = () => one("textbox", "Reply") as HTMLTextAreaElement;
const focused = () => document.activeElement?.getAttribute("aria-label");

describe("DESK17 emoji in a reply", () => {
  it("are read when somebody opens them, found by name or another word, and put where the text cursor is", async () => {
    const kit = await show();
    expect(kit.service.callsOf(FILE)).toHaveLength(0);
    type(reply(), "Here  for you");
    reply().setSelectionRange(5, 5);
    one("button", "Emoji").click();
    const search = await eventually("textbox", "Find an emoji");
    await until(() => focused() === "Find an emoji");
    await eventually("button", "light bulb");
    type(search, "LAMP");
    await until(() => everything().includes("1 emoji"));
    press(search, "Enter");
    await until(() => reply().value === "Here 💡 for you");
    expect(document.activeElement).toBe(reply());
    expect(all("textbox", "Find an emoji")).toEqual([]);
    one("button", "Emoji").click();
    await eventually("button", "light bulb");
    expect(kit.service.callsOf(FILE)).toHaveLength(1);
  });

  it("the keyboard moves among them with the arrows, one of them is in the Tab order, Escape closes", async () => {
    await show();
    const button = one("button", "Emoji");
    button.click();
    const search = await eventually("textbox", "Find an emoji");
    await eventually("button", "light bulb");
    press(search, "ArrowDown");
    expect(focused()).toBe("face 0");
    for (const [key, name] of [
      ["ArrowDown", "face 8"],
      ["ArrowDown", "light bulb"],
      ["ArrowLeft", "face 11"],
      ["ArrowUp", "face 3"],
    ] as const) {
      await settled();
      press(document.activeElement as HTMLElement, key);
      expect(focused()).toBe(name);
    }
    await settled();
    const reachable = all("button").filter((each) => each.closest("fieldset") && each.tabIndex === 0);
    expect(reachable.map((each) => each.getAttribute("aria-label"))).toEqual(["face 3"]);
    press(document.activeElement as HTMLElement, "Escape");
    await until(() => all("textbox", "Find an emoji").length === 0);
    expect(document.activeElement).toBe(button);
    expect(button.getAttribute("aria-expanded")).toBe("false");
  });

  it.each([{ isComposing: true }, { keyCode: 229 }])(
    "leave an input method its keys in the search: %o",
    async (composing) => {
      await show();
      one("button", "Emoji").click();
      const search = await eventually("textbox", "Find an emoji");
      await eventually("button", "light bulb");
      type(search, "lamp");
      await until(() => everything().includes("1 emoji"));
      search.focus();
      for (const key of ["ArrowDown", "Enter", "Escape"])
        expect(press(search, key, composing).defaultPrevented, key).toBe(false);
      await settled();
      expect(document.activeElement).toBe(search);
      expect(reply().value).toBe("");
    },
  );

  it("that can't be read say so and can be read again", async () => {
    const kit = await show();
    kit.service.script(
      FILE,
      () => problem("unavailable"),
      () => Response.json([{ name: 7 }]),
    );
    one("button", "Emoji").click();
    for (const _ of ["unavailable", "not a list of emoji"]) {
      await until(() => everything().includes("We couldn't load the emoji."));
      (await eventually("button", "Retry")).click();
    }
    await eventually("button", "light bulb");
    expect(everything()).not.toContain("We couldn't load");
  });

  it("whose file is gone after an upgrade ask for a reload of the page, and say nothing about the conversation", async () => {
    const kit = await show();
    kit.service.script(FILE, () => problem("not_found"));
    one("button", "Emoji").click();
    await until(() => everything().includes("We couldn't load the emoji."));
    expect(everything()).toContain("Reload this page, then try again.");
    expect(everything()).not.toContain("no longer exists");
  });

  it("the file of the build holds each group, no emoji twice, and finds them by everyday words", () => {
    const groups = listEmoji();
    const emoji = groups.flatMap((group) => group.emoji.map(([each]) => each));
    expect(groups).toHaveLength(9);
    expect(emoji.length).toBeGreaterThan(1800);
    expect(new Set(emoji).size).toBe(emoji.length);
    for (const [query, wanted] of [
      ["thumbs up", "👍"],
      ["party", "🎉"],
      ["package", "📦"],
      ["germany", "🇩🇪"],
    ] as const) {
      const found = findEmoji(groups, query).flatMap((group) => group.emoji.map(([each]) => each));
      expect(found, query).toContain(wanted);
    }
    expect(findEmoji(groups, "no such thing at all")).toEqual([]);
  });
});
