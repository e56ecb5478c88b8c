import { signal } from "@preact/signals";
import { expect, it, onTestFinished, vi } from "vitest";
import { settle } from "../app/testing/manual-time.ts";
import { createScriptedBff } from "../app/testing/scripted-bff.ts";
import { createMapStorage, startChat } from "../app/testing/start-chat.ts";
import { createTexts } from "../app/texts.ts";
import { startConversation } from "./conversation-part.ts";

/** The browser's audio device: counts the notes that it is given. */
function standInAudio(): readonly number[] {
  const notes: number[] = [];
  const quiet = () => undefined;
  const gain = { setValueAtTime: quiet, linearRampToValueAtTime: quiet, exponentialRampToValueAtTime: quiet };
  const node = { gain, connect: () => node };
  class Device {
    currentTime = 0;
    createGain = () => node;
    createOscillator = () => {
      const frequency = { value: 0 };
      return { frequency, connect: () => node, start: () => notes.push(frequency.value), stop: quiet };
    };
    resume = async () => undefined;
    suspend = async () => undefined;
  }
  vi.stubGlobal("AudioContext", Device);
  onTestFinished(() => void vi.unstubAllGlobals());
  return notes;
}

/** A page of the site that follows the conversation of the page before; nobody has opened or pressed anything on it. */
async function follow(sound: "true" | "") {
  const [bff, storage] = [createScriptedBff(), createMapStorage()];
  const before = startChat(bff, storage);
  before.chat.open();
  before.chat.outbox.send("Where is my lamp?");
  await settle();
  const { chat, environment } = startChat(bff, storage);
  startConversation({
    chat,
    environment,
    settings: signal({ sound }),
    language: signal({ tag: "en", dir: "ltr", texts: createTexts({}, "en") }),
    document,
    dress: () => undefined,
    leave: () => undefined,
  });
  expect(chat.resume(true)).toBe(true);
  await settle();
  return { bff, chat };
}

it("LOOK7 FOLLOW1 a reply sounds on a page that was only followed, if the owner wants a sound", async () => {
  const notes = standInAudio();
  const { bff, chat } = await follow("true");
  expect(notes).toEqual([]);
  bff.say("It leaves today.");
  await settle();
  expect([chat.isOpen.value, chat.conversation.unread.value, notes.length]).toEqual([false, 1, 2]);
  chat.open();
  bff.say("And it comes tomorrow.");
  await settle();
  expect(notes, "control: it is being read").toHaveLength(2);
});

it("LOOK7 nothing sounds there unless it is wanted", async () => {
  const notes = standInAudio();
  const { bff, chat } = await follow("");
  bff.say("It leaves today.");
  await settle();
  expect([chat.conversation.unread.value, notes.length]).toEqual([1, 0]);
});
