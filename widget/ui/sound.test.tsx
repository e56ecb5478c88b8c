import { signal } from "@preact/signals";
import { render } from "preact";
import { act } from "preact/test-utils";
import { describe, expect, it, vi } from "vitest";
import { createMapStorage, startConversation } from "../app/testing/start-chat.ts";
import type { Audio } from "../elements/chime.ts";
import { startSound } from "./sound.ts";
import { SoundSwitch } from "./sound-switch.tsx";
import { InPanel } from "./testing-panel.tsx";

/** An audio device that counts the notes it is given and how often it was woken. */
function createAudio() {
  const notes: number[] = [];
  const quiet = () => undefined;
  const gain = { setValueAtTime: quiet, linearRampToValueAtTime: quiet, exponentialRampToValueAtTime: quiet };
  const node = { gain, connect: () => node };
  const tone = () => {
    const frequency = { value: 0 };
    return { frequency, connect: () => node, start: () => notes.push(frequency.value), stop: quiet };
  };
  const resume = vi.fn(async () => undefined);
  const suspend = async () => undefined;
  const audio = { currentTime: 0, createGain: () => node, createOscillator: tone, resume, suspend };
  return { notes, resume, audio: audio as unknown as Audio };
}

const GIVEN = {
  isOwnersWish: false,
  mayChime: true,
  storage: createMapStorage() as ReturnType<typeof createMapStorage> | undefined,
};

/** A conversation that nobody is looking at. */
async function start(given: Partial<typeof GIVEN> = {}) {
  const { isOwnersWish, mayChime, storage } = { ...GIVEN, storage: createMapStorage(), ...given };
  const talk = await startConversation();
  const { notes, resume, audio } = createAudio();
  const isUnseen = signal(true);
  const presses = new EventTarget();
  const sound = startSound({
    chat: {
      subscribe: talk.chat.subscribe,
      connection: { ...talk.chat.connection, isLeading: signal(mayChime) },
    },
    environment: { storage, now: talk.time.now },
    isWanted: () => isOwnersWish,
    isUnseen: () => isUnseen.value,
    openAudio: () => audio,
    presses,
  });
  const hear = async (...said: Parameters<typeof talk.bff.say>) => {
    talk.bff.say(...said);
    await talk.settle();
    return notes.splice(0).length;
  };
  return { ...talk, hear, notes, resume, sound, storage, isUnseen, presses };
}

describe("LOOK7 sound", () => {
  it("the sound is off unless the owner wants it", async () => {
    expect(await (await start()).hear("An answer")).toBe(0);
    expect(await (await start({ isOwnersWish: true })).hear("An answer")).toBe(2);
  });

  it("TRUTH1 the sound plays for a verified message while nobody looks", async () => {
    const { hear, bff, isUnseen, settle, notes } = await start({ isOwnersWish: true });
    isUnseen.value = false;
    expect(await hear("Being read")).toBe(0);
    isUnseen.value = true;
    bff.signal({ type: "typing.started", role: "human" });
    bff.signal({ type: "response.delta", messageId: "m9", delta: "Not finished" });
    await settle();
    expect(notes).toEqual([]);
    expect(await hear("", { role: "system", notice: "agent_failed" })).toBe(0);
    expect(await hear("An answer")).toBe(2);
  });

  it("only the leading tab plays the sound", async () => {
    expect(await (await start({ isOwnersWish: true, mayChime: false })).hear("An answer")).toBe(0);
  });

  it("the customer's choice wins over the owner's, plays the sound when switched on, and is stored", async () => {
    const storage = createMapStorage();
    const { sound, notes, hear, settle } = await start({ storage });
    sound.set(true);
    await settle();
    expect(notes.splice(0)).toHaveLength(2);
    expect(await hear("An answer")).toBe(2);
    expect((await start({ storage })).sound.isOn()).toBe(true);
    sound.set(false);
    await settle();
    expect(notes).toEqual([]);
    expect((await start({ storage, isOwnersWish: true })).sound.isOn()).toBe(false);
  });

  it("a switch in another tab applies in this one", async () => {
    const storage = createMapStorage();
    const [here, there] = [await start({ storage }), await start({ storage })];
    there.sound.set(true);
    expect(await here.hear("An answer")).toBe(2);
  });

  it("without storage the choice lasts until the reload", async () => {
    const full = createMapStorage();
    full.setItem("parley.sound", "off");
    const refuses = () => {
      throw new DOMException("full", "QuotaExceededError");
    };
    for (const storage of [undefined, { ...full, setItem: refuses }]) {
      const { sound, hear } = await start({ storage });
      sound.set(true);
      expect([sound.isOn(), await hear("An answer")]).toEqual([true, 4]);
    }
  });

  it("if the sound is on, the first press unlocks it in browsers that require one", async () => {
    for (const isOwnersWish of [true, false]) {
      const { presses, resume } = await start({ isOwnersWish });
      presses.dispatchEvent(new Event("pointerdown"));
      expect(resume).toHaveBeenCalledTimes(isOwnersWish ? 1 : 0);
    }
  });

  it("a sound that the browser refused is not played late, when a press unlocks the device", async () => {
    const { hear, notes, resume, presses, time, settle } = await start({ isOwnersWish: true });
    let unlock = (): void => undefined;
    resume.mockReturnValue(
      new Promise((resolve) => {
        unlock = () => resolve(undefined);
      }),
    );
    expect(await hear("An answer")).toBe(0);
    await time.advance(60_000);
    presses.dispatchEvent(new Event("pointerdown"));
    unlock();
    await settle();
    expect(notes).toEqual([]);
    expect(await hear("Another answer")).toBe(2);
  });

  it("the switch has a name and reports its state", async () => {
    const { sound, ...talk } = await start();
    const root = document.createElement("div");
    document.body.replaceChildren(root);
    await act(() =>
      render(
        <InPanel of={talk}>
          <SoundSwitch sound={sound} />
        </InPanel>,
        root,
      ),
    );
    const item = root.querySelector<HTMLElement>('[role="switch"]');
    const stands = () => [item?.textContent, item?.getAttribute("aria-checked")];
    expect(stands()).toEqual(["Sound for new messages", "false"]);
    await act(() => item?.click());
    expect([...stands(), sound.isOn()]).toEqual(["Sound for new messages", "true", true]);
    await act(() => item?.click());
    expect([...stands(), sound.isOn()]).toEqual(["Sound for new messages", "false", false]);
  });
});
