import { signal } from "@preact/signals";
import { render } from "preact";
import { act } from "preact/test-utils";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { StoredFilesModel } from "../app/stored-files.ts";
import { startChat } from "../app/testing/start-chat.ts";
import { MessageFiles } from "./message-files.tsx";
import { InPanel } from "./testing-panel.tsx";

const PHOTO = { id: "f1", name: "lamp.png", type: "image/png", size: 4000 } as const;
const LETTER = { id: "f2", name: "letter.pdf", type: "application/pdf", size: 4000 } as const;

beforeEach(() => {
  vi.stubGlobal(
    "IntersectionObserver",
    class {
      observe = () => undefined;
      disconnect = () => undefined;
    },
  );
});
afterEach(() => {
  render(null, document.body);
  vi.unstubAllGlobals();
});

function show(pictures: ReadonlyMap<string, string>) {
  const saved: string[] = [];
  const stored = {
    pictures: signal(pictures),
    failed: signal(new Set<string>()),
    draw: async () => undefined,
    download: async ({ name }: { name: string }) => void saved.push(name),
  } as unknown as StoredFilesModel;
  void act(() =>
    render(
      <InPanel of={startChat()}>
        <MessageFiles files={[PHOTO, LETTER]} author="Maya" stored={stored} />
      </InPanel>,
      document.body,
    ),
  );
  const press = (text: string) =>
    act(() =>
      [...document.querySelectorAll("button")].find((one) => one.textContent?.includes(text))?.click(),
    );
  const dialog = () => document.querySelector("dialog");
  return { saved, press, dialog };
}

describe("ATT10 a picture of a message", () => {
  it("opens large, described by who sent it, with a link that saves it and nothing from elsewhere", async () => {
    const { saved, press, dialog } = show(new Map([["f1", "blob:here/1"]]));
    await press("lamp.png");
    expect(dialog()?.open).toBe(true);
    expect(dialog()?.getAttribute("aria-label")).toBe("lamp.png");
    const picture = dialog()?.querySelector("img");
    expect([picture?.alt, picture?.getAttribute("src")]).toEqual(["Maya: lamp.png", "blob:here/1"]);
    const link = dialog()?.querySelector("a");
    expect([link?.getAttribute("aria-label"), link?.download, link?.getAttribute("href")]).toEqual([
      "Download lamp.png",
      "lamp.png",
      "blob:here/1",
    ]);
    expect(saved).toEqual([]);
    await act(() => dialog()?.querySelector<HTMLElement>('[aria-label="Close"]')?.click());
    expect(dialog()).toBeNull();
  });

  it("that is not loaded, and any other file, is saved", async () => {
    const { saved, press, dialog } = show(new Map());
    await press("lamp.png");
    await press("letter.pdf");
    expect([saved, dialog()]).toEqual([["lamp.png", "letter.pdf"], null]);
  });
});
