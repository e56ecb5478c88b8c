import type { Chat } from "../app/chat.ts";

export type Audio = Pick<AudioContext, "createOscillator" | "createGain" | "currentTime" | "destination">;

/** Two notes, a fourth apart, in Hz. */
const NOTES = [659.26, 880];
const NOTE_SECONDS = 0.14;
/** Volume, where 1 is full scale: audible in a quiet room, not in a loud one. */
const LOUDNESS = 0.05;

/** Two short soft notes. */
export function playChime(audio: Audio): void {
  for (const [index, frequency] of NOTES.entries()) {
    const start = audio.currentTime + index * NOTE_SECONDS;
    const [tone, volume] = [audio.createOscillator(), audio.createGain()];
    tone.frequency.value = frequency;
    volume.gain.setValueAtTime(0, start);
    volume.gain.linearRampToValueAtTime(LOUDNESS, start + 0.02);
    volume.gain.exponentialRampToValueAtTime(0.0001, start + 2 * NOTE_SECONDS);
    tone.connect(volume).connect(audio.destination);
    tone.start(start);
    tone.stop(start + 2 * NOTE_SECONDS);
  }
}

/** Plays a sound once for each verified message of an agent or a person that arrives while nobody is looking. */
export function chimeOnNews(
  chat: Pick<Chat, "subscribe" | "connection">,
  isUnseen: () => boolean,
  play: () => void,
): void {
  chat.subscribe((happening) => {
    if (happening.type !== "message.received" || happening.message.role === "system") return;
    if (isUnseen() && chat.connection.isLeading.peek()) play();
  });
}
