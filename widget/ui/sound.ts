import type { Chat } from "../app/chat.ts";
import type { Environment } from "../app/environment.ts";
import { readFrom, writeTo } from "../app/session-storage.ts";
import { type Audio, chimeOnNews, playChime } from "./chime.ts";

/** "on" or "off", of whoever uses this browser: it says nothing of a customer, and stays when one signs out. */
const KEY = "parley.sound";

export interface SoundDeps {
  readonly chat: Pick<Chat, "subscribe" | "connection">;
  readonly environment: Pick<Environment, "storage">;
  /** Whether the site's owner wants it, where the customer said nothing. */
  readonly isWanted: () => boolean;
  /** Whether nobody sees the log now. */
  readonly isUnseen: () => boolean;
  readonly openAudio: () => Audio & Pick<AudioContext, "resume">;
  /** Where a press or a key lets a browser play what nobody pressed for. */
  readonly presses: Pick<EventTarget, "addEventListener">;
}

export interface Sound {
  readonly isOn: () => boolean;
  /** The customer's own word; `true` is heard at once. */
  readonly set: (isOn: boolean) => void;
}

/** Lets what comes while nobody looks be heard, as the customer's switch says, else the owner. */
export function startSound({ chat, environment, isWanted, isUnseen, openAudio, presses }: SoundDeps): Sound {
  const { storage } = environment;
  /** What the browser would not keep. */
  let unkept: string | undefined;
  let audio: ReturnType<SoundDeps["openAudio"]> | undefined;
  // Read each time: another tab's switch is this one's.
  const isOn = () => {
    const own = unkept ?? readFrom(storage, KEY);
    return own ? own === "on" : isWanted();
  };
  const wake = () => {
    audio ??= openAudio();
    // Where the browser does not let it, it is silent; what it would have told is on the launcher.
    audio.resume().catch(() => undefined);
    return audio;
  };
  const play = () => {
    if (isOn()) playChime(wake());
  };
  for (const type of ["pointerdown", "keydown"])
    presses.addEventListener(type, () => isOn() && wake(), { once: true });
  chimeOnNews(chat, isUnseen, play);
  return {
    isOn,
    set(next) {
      const word = next ? "on" : "off";
      unkept = writeTo(storage, KEY, word) ? undefined : word;
      play();
    },
  };
}
