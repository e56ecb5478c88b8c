import { describe, expect, it, vi } from "vitest";
import { settle } from "../app/testing/manual-time.ts";
import { createBrowserAlerts } from "./browser-alerts.ts";

/** The parts of a browser that alerts use. `notifies`: what its constructor of notifications does. */
function createWindow(notifies: "works" | "throws" | "none" = "works") {
  const notes: number[] = [];
  const [resume, suspend] = [vi.fn(async () => undefined), vi.fn(async () => undefined)];
  const quiet = () => undefined;
  const gain = { setValueAtTime: quiet, linearRampToValueAtTime: quiet, exponentialRampToValueAtTime: quiet };
  const node = { gain, connect: () => node };
  const audios: object[] = [];
  const tones: { onended: () => void }[] = [];
  const endNotes = () => {
    for (const { onended } of tones.splice(0)) onended();
  };
  class AudioContext {
    readonly currentTime = 0;
    readonly resume = resume;
    readonly suspend = suspend;
    constructor() {
      audios.push(this);
    }
    createGain = () => node;
    createOscillator = () => {
      const frequency = { value: 0 };
      const start = () => notes.push(frequency.value);
      const tone = { frequency, connect: () => node, start, stop: quiet, onended: quiet };
      tones.push(tone);
      return tone;
    };
  }
  const shown: { title: string; options: NotificationOptions; onclick?: () => void; isClosed: boolean }[] =
    [];
  class Notification {
    static permission = "default";
    static async requestPermission() {
      Notification.permission = "granted";
      return Notification.permission;
    }
    onclick?: () => void;
    isClosed = false;
    readonly title: string;
    readonly options: NotificationOptions;
    constructor(title: string, options: NotificationOptions) {
      this.title = title;
      this.options = options;
      if (notifies === "throws") throw new TypeError("Illegal constructor.");
      shown.push(this);
    }
    close() {
      this.isClosed = true;
    }
  }
  const focus = vi.fn();
  const presses = new EventTarget();
  const browser = Object.assign(presses, {
    AudioContext,
    focus,
    localStorage: window.localStorage,
    navigator: window.navigator,
    document: window.document,
    ...(notifies === "none" ? {} : { Notification }),
  });
  const asWindow = browser as unknown as Window & typeof globalThis;
  return { browser: asWindow, notes, resume, suspend, audios, endNotes, shown, focus };
}

const NEWS = { title: "New customer waiting", body: "Jo", tag: "cnv_jo", onPress: () => undefined };

describe("DESK12 the browser's own alerts", () => {
  it("the first press wakes the sound, so that later news is heard without one", async () => {
    const { browser, notes, resume, audios } = createWindow();
    const alerts = createBrowserAlerts(browser);
    expect(audios).toEqual([]);
    browser.dispatchEvent(new Event("pointerdown"));
    browser.dispatchEvent(new Event("pointerdown"));
    expect([audios.length, resume.mock.calls.length]).toEqual([1, 1]);
    alerts.playSound();
    await settle();
    expect([audios.length, notes.length]).toEqual([1, 2]);
  });

  it("the audio device runs only while it plays", async () => {
    const { browser, notes, resume, suspend, endNotes } = createWindow();
    const alerts = createBrowserAlerts(browser);
    browser.dispatchEvent(new Event("pointerdown"));
    await settle();
    expect([resume.mock.calls.length, suspend.mock.calls.length]).toEqual([1, 1]);
    alerts.playSound();
    alerts.playSound();
    await settle();
    expect([notes.length, suspend.mock.calls.length]).toEqual([4, 1]);
    endNotes();
    await settle();
    expect(suspend).toHaveBeenCalledTimes(2);
  });

  it.each([
    ["refuses to play", "resume", "NotAllowedError"],
    ["closed the device", "suspend", "InvalidStateError"],
  ] as const)("a browser that %s breaks nothing, also at the next sound", async (_, method, name) => {
    const { browser, suspend, endNotes, audios, ...parts } = createWindow();
    ({ ...parts, suspend })[method].mockRejectedValue(new DOMException("blocked", name));
    const alerts = createBrowserAlerts(browser);
    for (const times of [1, 2]) {
      alerts.playSound();
      await settle();
      endNotes();
      await settle();
      expect(suspend).toHaveBeenCalledTimes(times);
    }
    expect(audios).toHaveLength(1);
  });

  it("a browser that opens no device breaks nothing", async () => {
    const { browser } = createWindow();
    const open = vi.fn(function open() {
      throw new DOMException("too many", "NotSupportedError");
    });
    Object.assign(browser, { AudioContext: open });
    createBrowserAlerts(browser).playSound();
    await settle();
    expect(open).toHaveBeenCalledTimes(1);
  });

  it("a notification has the title, the name and the tag; a press on it shows the desk and its conversation, and closes it", () => {
    const { browser, shown, focus } = createWindow();
    const onPress = vi.fn();
    createBrowserAlerts(browser).notify({ ...NEWS, onPress });
    expect(shown).toMatchObject([{ title: NEWS.title, options: { body: "Jo", tag: "cnv_jo" } }]);
    expect(onPress).not.toHaveBeenCalled();
    shown[0]?.onclick?.();
    expect([focus.mock.calls.length, onPress.mock.calls.length, shown[0]?.isClosed]).toEqual([1, 1, true]);
  });

  it("the permission is the browser's, also after it was asked for, and unknown where it has no notifications", async () => {
    const alerts = createBrowserAlerts(createWindow().browser);
    expect(alerts.permission()).toBe("default");
    expect(await alerts.askPermission()).toBe("granted");
    expect(alerts.permission()).toBe("granted");
    expect(createBrowserAlerts(createWindow("none").browser).permission()).toBeUndefined();
  });

  it("a browser that shows notifications of service workers only breaks nothing", () => {
    const { browser, shown } = createWindow("throws");
    createBrowserAlerts(browser).notify(NEWS);
    expect(shown).toEqual([]);
  });

  it("blocked storage counts as empty, and the sound still plays", async () => {
    const { browser, notes } = createWindow();
    Object.defineProperty(browser, "localStorage", {
      get() {
        throw new DOMException("denied", "SecurityError");
      },
    });
    const alerts = createBrowserAlerts(browser);
    expect(alerts.storage).toBeUndefined();
    alerts.playSound();
    await settle();
    expect(notes).toHaveLength(2);
  });
});
