export type Audio = Pick<
  AudioContext,
  "createOscillator" | "createGain" | "currentTime" | "destination" | "resume" | "suspend"
>;

/** Two short soft notes. */
export interface Chime {
  /** Call it in a press or a key: some browsers refuse to play before one. */
  readonly unlock: () => void;
  readonly play: () => void;
}

/** Two notes, a fourth apart, in Hz. */
const NOTES = [659.26, 880];
const NOTE_SECONDS = 0.14;
/** Volume, where 1 is full scale: audible in a quiet room, not in a loud one. */
const LOUDNESS = 0.05;

/** A sound that could not be played within this time is left out. */
const PROMPT_MS = 1000;

/** Runs the device only while it plays: one that runs takes processor time without a sound, at a desk all day. */
export function createChime(openAudio: () => Audio, now: () => number): Chime {
  let audio: Audio | undefined;
  let users = 0;
  const use = async (sound?: (device: Audio) => Promise<unknown>) => {
    const askedAt = now();
    users += 1;
    try {
      audio ??= openAudio();
      await audio.resume();
      // A device that a later press unlocks must not play everything that it missed.
      if (now() - askedAt < PROMPT_MS) await sound?.(audio);
    } catch {
      // The browser may refuse a device, or to play. What the page shows of the news is there anyway.
    }
    users -= 1;
    // It rejects for a device that the browser closed.
    if (users === 0) await audio?.suspend().catch(() => undefined);
  };
  return { unlock: () => void use(), play: () => void use(playNotes) };
}

/** Resolves when the last note has ended. */
function playNotes(audio: Audio): Promise<unknown> {
  return Promise.all(
    NOTES.map((frequency, index) => {
      const start = audio.currentTime + index * NOTE_SECONDS;
      const [tone, volume] = [audio.createOscillator(), audio.createGain()];
      tone.frequency.value = frequency;
      volume.gain.setValueAtTime(0, start);
      volume.gain.linearRampToValueAtTime(LOUDNESS, start + 0.02);
      volume.gain.exponentialRampToValueAtTime(0.0001, start + 2 * NOTE_SECONDS);
      tone.connect(volume).connect(audio.destination);
      tone.start(start);
      tone.stop(start + 2 * NOTE_SECONDS);
      return new Promise((resolve) => {
        tone.onended = resolve;
      });
    }),
  );
}
