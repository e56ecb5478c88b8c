import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import {
  answerFrame,
  findFrame,
  findHost,
  findLauncher,
  findNote,
  leavePage,
  loadFrame,
  prerender,
  runLoader,
} from "./testing/host-page.ts";

/** Has the page idle at once. */
function beIdle() {
  const later = setTimeout;
  vi.stubGlobal("setTimeout", (run: () => void, ms: number) => (ms === 200 ? run() : later(run, ms)));
}

beforeEach(() => {
  localStorage.clear();
  beIdle();
});
afterEach(async () => {
  await leavePage();
  localStorage.clear();
});

const mark = () => localStorage.getItem("parley");
const today = Math.floor(Date.now() / 86_400_000);

describe("FOLLOW1 the loader's mark", () => {
  it("is not there before a conversation, whatever is opened; then it says only that, and whether the panel is open", async () => {
    await runLoader();
    expect(findFrame()).toBeNull();
    findLauncher().click();
    const frame = answerFrame();
    expect(localStorage.length).toBe(0);
    frame.say({ type: "mark", hasConversation: false });
    expect(localStorage.length).toBe(0);
    frame.say({ type: "mark", hasConversation: true });
    expect([mark(), localStorage.length]).toEqual([`open ${today}`, 1]);
    await window.Parley.close();
    expect(mark()).toBe(`closed ${today}`);
  });

  it("brings the frame on the next page when that is idle, closed, and has the visit followed", async () => {
    localStorage.setItem("parley", `closed ${today - 29}`);
    await runLoader();
    expect(findFrame()).not.toBeNull();
    const frame = answerFrame();
    expect(frame.heard[0]).toMatchObject({ type: "settings", settings: { followed: "true" } });
    expect(frame.heard.map(({ type }) => type)).not.toContain("opened");
    expect(window.Parley.isOpen).toBe(false);
  });

  it("brings it only once the page has loaded and rested: the page's own work comes first", async () => {
    vi.useFakeTimers();
    localStorage.setItem("parley", `open ${today}`);
    const state = vi.spyOn(document, "readyState", "get").mockReturnValue("interactive");
    await runLoader();
    vi.advanceTimersByTime(60_000);
    expect(findFrame(), "the page still loads").toBeNull();
    state.mockReturnValue("complete");
    window.dispatchEvent(new Event("load"));
    vi.advanceTimersByTime(199);
    expect(findFrame(), "the page has just loaded").toBeNull();
    vi.advanceTimersByTime(1);
    expect(findFrame()).not.toBeNull();
  });

  it("loads the frame again while it can't be reached, and then follows the conversation, closed", async () => {
    vi.useFakeTimers();
    localStorage.setItem("parley", `open ${today}`);
    await runLoader();
    const fail = async () => {
      await vi.advanceTimersByTimeAsync(10_200);
      expect(findFrame()).toBeNull();
    };
    await fail();
    await vi.advanceTimersByTimeAsync(30_000);
    await fail();
    // Twice as long each time, because a page's policy may forbid the frame and report each attempt.
    await vi.advanceTimersByTimeAsync(40_000);
    expect(findFrame()).toBeNull();
    await vi.advanceTimersByTimeAsync(20_000);
    expect(findNote()?.textContent).toContain("We couldn't load the chat.");
    answerFrame();
    expect(findNote()?.textContent).toBe("");
    expect(window.Parley.isOpen).toBe(false);
  });

  it("waits at most an hour between attempts, however many failed, and is quick again after an answer", async () => {
    vi.useFakeTimers();
    localStorage.setItem("parley", `closed ${today}`);
    await runLoader();
    await vi.advanceTimersByTimeAsync(10_200);
    // The pointer passes by, and each attempt is refused.
    for (let passes = 0; passes < 20; passes += 1) {
      findLauncher().dispatchEvent(new Event("pointerover"));
      await vi.advanceTimersByTimeAsync(10_000);
    }
    await vi.advanceTimersByTimeAsync(3_599_000);
    expect(findFrame()).toBeNull();
    await vi.advanceTimersByTimeAsync(1000);
    answerFrame();
    loadFrame();
    await vi.advanceTimersByTimeAsync(3000);
    expect(findFrame()).toBeNull();
    await vi.advanceTimersByTimeAsync(30_000);
    expect(findFrame()).not.toBeNull();
  });

  it.each(["hide", "close", "logout"] as const)(
    "FOLLOW2 opens no panel again on a page that called %s before it was restored",
    async (call) => {
      vi.useFakeTimers();
      localStorage.setItem("parley", `open ${today}`);
      await runLoader();
      void window.Parley[call]();
      await vi.advanceTimersByTimeAsync(200);
      answerFrame();
      expect(window.Parley.isOpen).toBe(false);
    },
  );

  it("is followed in a tab that was loading when another one removed the mark before", async () => {
    vi.useFakeTimers();
    localStorage.setItem("parley", `open ${today}`);
    await runLoader();
    localStorage.clear();
    await vi.advanceTimersByTimeAsync(200);
    localStorage.setItem("parley", `closed ${today}`);
    window.dispatchEvent(new StorageEvent("storage", { key: "parley" }));
    await vi.advanceTimersByTimeAsync(200);
    expect(findFrame()).not.toBeNull();
  });

  it("loads no frame again after a logout or after destroy", async () => {
    vi.useFakeTimers();
    for (const end of ["logout", "destroy"] as const) {
      localStorage.setItem("parley", `closed ${today}`);
      await runLoader();
      const host = findHost();
      await vi.advanceTimersByTimeAsync(10_200);
      const ended = window.Parley[end]().catch(() => undefined);
      await vi.advanceTimersByTimeAsync(10_000);
      await ended;
      await vi.advanceTimersByTimeAsync(600_000);
      expect(host?.shadowRoot?.querySelector("frame-stand-in")).toBeNull();
      await leavePage();
      vi.useFakeTimers();
    }
  });

  it("opens the panel that was open, without the focus", async () => {
    localStorage.setItem("parley", `open ${today}`);
    await runLoader();
    const frame = answerFrame();
    expect(window.Parley.isOpen).toBe(true);
    expect(frame.heard.filter(({ type }) => type === "opened")).toEqual([{ type: "opened", focus: false }]);
  });

  it("is read on a prerendered page when somebody visits it: the panel may have been closed meanwhile", async () => {
    localStorage.setItem("parley", `open ${today}`);
    const visit = prerender();
    await runLoader();
    expect(findFrame()).toBeNull();
    localStorage.setItem("parley", `closed ${today}`);
    visit();
    answerFrame();
    expect(window.Parley.isOpen).toBe(false);
  });

  it("on a small screen opens it again only for who reloads", async () => {
    vi.stubGlobal("matchMedia", () => ({ matches: true }));
    for (const [type, isOpen] of [
      ["navigate", false],
      ["back_forward", false],
      ["reload", true],
    ] as const) {
      localStorage.setItem("parley", `open ${today}`);
      vi.spyOn(performance, "getEntriesByType").mockReturnValue([{ type }] as never);
      await runLoader();
      answerFrame();
      expect(window.Parley.isOpen).toBe(isOpen);
      await leavePage();
      beIdle();
      vi.stubGlobal("matchMedia", () => ({ matches: true }));
    }
  });

  it.each([`closed ${today - 30}`, "closed", "true", `open ${today} x`, "{}"])(
    "%s is not a mark",
    async (text) => {
      localStorage.setItem("parley", text);
      await runLoader();
      expect(findFrame()).toBeNull();
    },
  );

  it("is followed if the device's clock was ahead when it was written", async () => {
    localStorage.setItem("parley", `closed ${today + 1}`);
    await runLoader();
    answerFrame().say({ type: "mark", hasConversation: true });
    expect(mark()).toBe(`closed ${today}`);
  });

  it("in another tab loads the frame, and opens nothing", async () => {
    await runLoader();
    localStorage.setItem("parley", `open ${today}`);
    window.dispatchEvent(new StorageEvent("storage", { key: "other" }));
    expect(findFrame()).toBeNull();
    window.dispatchEvent(new StorageEvent("storage", { key: "parley" }));
    answerFrame();
    expect(window.Parley.isOpen).toBe(false);
  });

  it("is not followed after destroy, neither by a page that still loads nor by one that just has", async () => {
    localStorage.setItem("parley", `closed ${today}`);
    vi.spyOn(document, "readyState", "get").mockReturnValue("loading");
    await runLoader();
    const host = findHost();
    await window.Parley.destroy();
    window.dispatchEvent(new Event("load"));
    vi.restoreAllMocks();

    const rests: (() => void)[] = [];
    vi.stubGlobal("setTimeout", (run: () => void) => rests.push(run));
    await runLoader();
    const second = findHost();
    await window.Parley.destroy();
    for (const rest of rests) rest();
    for (const one of [host, second]) expect(one?.shadowRoot?.querySelector("frame-stand-in")).toBeNull();
    expect(rests.length).toBeGreaterThan(0);
  });

  it("is removed at once by a logout, and when the frame finds no session", async () => {
    for (const end of ["logout", "frame"]) {
      localStorage.setItem("parley", `closed ${today}`);
      await runLoader();
      const frame = answerFrame();
      if (end === "logout") void window.Parley.logout().catch(() => undefined);
      else frame.say({ type: "mark", hasConversation: false });
      expect(mark()).toBeNull();
      await leavePage();
      beIdle();
    }
  });

  it("that can't be read or written costs nothing", async () => {
    vi.stubGlobal("localStorage", {
      get length(): number {
        throw new Error("blocked");
      },
      getItem() {
        throw new Error("blocked");
      },
      setItem() {
        throw new Error("blocked");
      },
      removeItem() {
        throw new Error("blocked");
      },
      clear: () => undefined,
    });
    await runLoader();
    expect(findFrame()).toBeNull();
    findLauncher().click();
    answerFrame().say({ type: "mark", hasConversation: true });
    expect(window.Parley.isOpen).toBe(true);
    await window.Parley.close();
  });
});
