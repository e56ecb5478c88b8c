import { useSignal } from "@preact/signals";
import styles from "./menu.module.css";
import { usePanel } from "./panel-context.ts";
import type { Sound } from "./sound.ts";

/** The menu item that turns the sound for new messages on and off. */
export function SoundSwitch({ sound }: { sound: Sound }) {
  const { texts } = usePanel();
  const isOn = useSignal(sound.isOn());
  return (
    <button
      type="button"
      role="switch"
      class={styles.switch}
      aria-checked={isOn.value}
      onClick={() => {
        sound.set(!isOn.value);
        isOn.value = sound.isOn();
      }}
    >
      {texts.soundForMessages}
      <span class={styles.track} aria-hidden="true" />
    </button>
  );
}
