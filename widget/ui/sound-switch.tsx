import { useSignal } from "@preact/signals";
import type { Texts } from "../app/texts.ts";
import styles from "./menu.module.css";
import type { Sound } from "./sound.ts";

/** Of the menu: whether what comes while nobody looks is heard. */
export function SoundSwitch({ sound, texts }: { sound: Sound; texts: Texts }) {
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
