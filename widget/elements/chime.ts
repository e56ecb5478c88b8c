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
