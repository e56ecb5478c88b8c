import type { Chat } from "../app/chat.ts";
import type { Environment } from "../app/environment.ts";
import { readFrom, writeTo } from "../client/browser-storage.ts";
import { type Audio, createChime } from "../elements/chime.ts";

/** "on" or "off" for this browser. It is not a customer's data, so it survives a logout. */
const KEY = "parley.sound";

export interface SoundDeps {
  readonly chat: Pick<Chat, "subscribe" | "connection">;
  readonly environment: Pick<Environment, "now" | "storage">;
  /** The owner's default, until the customer uses the switch. */
  readonly isWanted: () => boolean;
  /** Whether nobody sees the log now. */
  readonly isUnseen: () => boolean;
  readonly openAudio: () => Audio;
  /** Browsers play sound only after a press or a key here. */
  readonly presses: Pick<EventTarget, "addEventListener">;
}

export interface Sound {
  readonly isOn: () => boolean;
  /** Sets the customer's choice; `true` plays the sound at once. */
  readonly set: (isOn: boolean) => void;
}

/** Plays a sound for messages that arrive while nobody looks, if the customer turned it on, or by default the owner. */
export function startSound({ chat, environment, isWanted, isUnseen, openAudio, presses }: SoundDeps): Sound {
  const { storage, now } = environment;
  /** The choice, if the browser's storage is blocked. */
  let unstored: string | undefined;
  const chime = createChime(openAudio, now);
  // Read each time, because another tab may have changed it.
  const isOn = () => {
    const own = unstored ?? readFrom(storage, KEY);
    return own ? own === "on" : isWanted();
  };
  const play = () => {
    if (isOn()) chime.play();
  };
  for (const type of ["pointerdown", "keydown"])
    presses.addEventListener(type, () => isOn() && chime.unlock(), { once: true });
  chat.subscribe((happening) => {
    if (happening.type !== "message.received" || happening.message.role === "system") return;
    // One tab plays it for all of them.
    if (isUnseen() && chat.connection.isLeading.peek()) play();
  });
  return {
    isOn,
    set(next) {
      const word = next ? "on" : "off";
      unstored = writeTo(storage, KEY, word) ? undefined : word;
      play();
    },
  };
}
