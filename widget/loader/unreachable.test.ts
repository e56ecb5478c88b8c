import { afterEach, describe, expect, it, vi } from "vitest";
import {
  answerFrame,
  findFrame,
  findLauncher,
  findNote,
  leavePage,
  loadFrame,
  prerender,
  runLoader,
} from "./testing/host-page.ts";

afterEach(leavePage);

describe("support that can't be reached", () => {
  it("is reported calmly after the limit, and the launcher retries", async () => {
    vi.useFakeTimers();
    await runLoader();
    findLauncher().click();
    expect(findLauncher().getAttribute("aria-expanded")).toBe("true");
    await vi.advanceTimersByTimeAsync(10_000);
    expect(findNote()?.textContent).toContain("We couldn't load the chat.");
    expect(findFrame()).toBeNull();
    expect(window.Parley.isOpen).toBe(false);
    expect(window.Parley.connection).toBe("unreachable");

    findNote()?.click();
    expect(findNote()?.textContent).toBe("");
    answerFrame();
    expect(window.Parley.isOpen).toBe(true);
  });

  it("a page that loads in the frame but does not answer is not a chat", async () => {
    vi.useFakeTimers();
    await runLoader();
    findLauncher().click();
    loadFrame();
    await vi.advanceTimersByTimeAsync(3000);
    expect(findNote()?.textContent).toContain("We couldn't load the chat.");
  });

  it("a frame that answers in time is never called unreachable (control)", async () => {
    vi.useFakeTimers();
    await runLoader();
    findLauncher().click();
    answerFrame();
    await vi.advanceTimersByTimeAsync(60_000);
    expect(findNote()?.textContent).toBe("");
    expect(window.Parley.isOpen).toBe(true);
  });

  it("is not reported on a page that is prerendered, where no frame loads before somebody visits it", async () => {
    vi.useFakeTimers();
    const visit = prerender();
    await runLoader();
    void window.Parley.open();
    await vi.advanceTimersByTimeAsync(60_000);
    visit();
    await vi.advanceTimersByTimeAsync(9999);
    expect(findNote()?.textContent).toBe("");
    answerFrame();
    expect(window.Parley.isOpen).toBe(true);
  });

  it("is reported on a prerendered page after the limit, counted from the visit", async () => {
    vi.useFakeTimers();
    const visit = prerender();
    await runLoader();
    window.Parley.open().catch(() => undefined);
    visit();
    await vi.advanceTimersByTimeAsync(10_000);
    expect(findNote()?.textContent).toContain("We couldn't load the chat.");
  });

  it("is not reported where a prerendered page's frame has answered before the visit", async () => {
    vi.useFakeTimers();
    const visit = prerender();
    await runLoader();
    void window.Parley.open();
    answerFrame();
    visit();
    await vi.advanceTimersByTimeAsync(60_000);
    expect(findNote()?.textContent).toBe("");
    expect(window.Parley.isOpen).toBe(true);
  });

  it("is not reported when the pointer only passed by", async () => {
    vi.useFakeTimers();
    await runLoader();
    findLauncher().dispatchEvent(new Event("pointerover"));
    await vi.advanceTimersByTimeAsync(10_000);
    expect(findNote()?.textContent).toBe("");
    expect(findFrame()).toBeNull();
  });

  it.each([
    ["mailto:help@shop.example", "help@shop.example"],
    ["tel:+44117496018", "+44117496018"],
    ["https://shop.example/contact", "shop.example/contact"],
  ])("offers the owner's %s", async (href, text) => {
    vi.useFakeTimers();
    await runLoader({ "data-fallback": href });
    findLauncher().click();
    await vi.advanceTimersByTimeAsync(10_000);
    const link = findNote()?.querySelector("a");
    expect(link?.getAttribute("href")).toBe(href);
    expect(link?.textContent).toBe(text);
    expect(link?.target).toBe("_blank");
    // A press on it does not retry, so it stays.
    link?.addEventListener("click", (event) => event.preventDefault());
    link?.click();
    expect(findNote()?.contains(link ?? null)).toBe(true);
    expect(findFrame()).toBeNull();
  });

  it.each([
    "javascript:alert(1)",
    "data:text/html,x",
    "JAVASCRIPT:alert(1)",
    " javascript:alert(1)",
    "//evil.example",
  ])("never links to %s", async (href) => {
    vi.useFakeTimers();
    await runLoader({ "data-fallback": href });
    findLauncher().click();
    await vi.advanceTimersByTimeAsync(10_000);
    expect(findNote()?.querySelector("a")).toBeNull();
  });
});
