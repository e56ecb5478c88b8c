import { afterEach, describe, expect, it, vi } from "vitest";
import {
  answerFrame,
  findFrame,
  findHost,
  findLauncher,
  findNote,
  leavePage,
  runLoader,
} from "./testing/host-page.ts";

afterEach(leavePage);

describe("PAGE4 the setting container", () => {
  const settingsOf = ({ heard }: ReturnType<typeof answerFrame>) =>
    heard.flatMap((message) => (message.type === "settings" ? [message.settings] : [])).at(-1);

  it("shows the panel in that element, without a launcher, and nothing is opened by it", async () => {
    document.body.innerHTML = '<div id="chat"></div>';
    await runLoader({ "data-container": "#chat" });
    expect(findHost()?.parentElement?.id).toBe("chat");
    expect(findLauncher().hidden).toBe(true);
    expect(findFrame()?.inert).toBe(true);
    const frame = answerFrame();
    expect(findFrame()?.inert).toBe(false);
    expect(settingsOf(frame)?.inline).toBe("inline");
    expect(frame.heard.map(({ type }) => type)).not.toContain("opened");
    expect(window.Parley.isOpen).toBe(false);
    await window.Parley.hide();
    expect(findFrame()?.inert).toBe(true);
  });

  it("without that element is the launcher, and moves in when the page draws it, and out again", async () => {
    await runLoader({ "data-container": "#chat" });
    expect(findLauncher().hidden).toBe(false);
    expect(findFrame()).toBeNull();
    document.body.innerHTML = '<main><div id="chat"></div></main>';
    await expect.poll(() => findHost()?.parentElement?.id).toBe("chat");
    expect(findLauncher().hidden).toBe(true);
    const frame = answerFrame();
    document.body.replaceChildren();
    await expect.poll(() => findHost()?.parentElement).toBe(document.documentElement);
    expect(findLauncher().hidden).toBe(false);
    expect(settingsOf(frame)?.inline).toBe("");
    expect(findFrame()?.inert).toBe(true);
  });

  it("moves in and out with every visit of a route, however many", async () => {
    const clock = vi.spyOn(performance, "now");
    document.body.innerHTML = '<div id="chat"></div>';
    const box = document.body.firstElementChild as HTMLElement;
    await runLoader({ "data-container": "#chat" });
    for (let visit = 1; visit <= 250; visit++) {
      clock.mockReturnValue(visit * 10_000);
      box.id = "";
      await window.Parley.update();
      expect(findHost()?.parentElement).toBe(document.documentElement);
      box.id = "chat";
      await window.Parley.update();
      expect(findHost()?.parentElement).toBe(box);
    }
  });

  it.each([
    ["loads", 0, 199],
    ["has been open for a week", 604_800_000, 200],
  ])("does not fight forever with a script that removes it when the page %s", async (_, age, limit) => {
    const clock = vi.spyOn(performance, "now").mockReturnValue(0);
    await runLoader();
    clock.mockReturnValue(age);
    const remove = async () => {
      findHost()?.remove();
      await window.Parley.update();
      return findHost();
    };
    let removals = 0;
    while (await remove()) removals += 1;
    expect(removals).toBe(limit);
  });

  it.each(["#", "[", "none", "p::before"])(
    "%j is not an element, so there is a launcher",
    async (container) => {
      await runLoader({ "data-container": container });
      expect(findHost()?.parentElement).toBe(document.documentElement);
      expect(findLauncher().hidden).toBe(false);
    },
  );

  it("reports there that the chat can't be reached", async () => {
    vi.useFakeTimers();
    document.body.innerHTML = '<div id="chat"></div>';
    await runLoader({ "data-container": "#chat" });
    await vi.advanceTimersByTimeAsync(10_000);
    expect(findNote()?.textContent).toContain("couldn't load the chat");
  });
});

it("the frame's own rules for its position stay", async () => {
  await runLoader();
  findLauncher().dispatchEvent(new Event("pointerover"));
  const sheet = () =>
    findHost()?.shadowRoot?.adoptedStyleSheets.flatMap(({ cssRules }) => [...cssRules].map(String));
  const before = sheet()?.length ?? 0;
  const frame = answerFrame();
  frame.say({ type: "ready", css: "b{color:red}" });
  expect(sheet()).toHaveLength(before + 1);
  frame.say({ type: "ready" });
  expect(sheet()).toHaveLength(before + 1);
  frame.say({ type: "css", css: "" });
  expect(sheet()).toHaveLength(before);
});
