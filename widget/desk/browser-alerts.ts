import { ifAny } from "../client/if-any.ts";
import { type Audio, playChime } from "../elements/chime.ts";
import type { AlertsEnvironment } from "./alerts-model.ts";
import { createWindowClaims } from "./window-claims.ts";

/** Sound and notifications of this browser. */
export function createBrowserAlerts(window: Window & typeof globalThis): AlertsEnvironment {
  let audio: (Audio & Pick<AudioContext, "resume">) | undefined;
  const wake = () => {
    audio ??= new window.AudioContext();
    // The browser may refuse to play. The title, the icon and the list show the news anyway.
    audio.resume().catch(() => undefined);
    return audio;
  };
  // Browsers play sound only after a press or a key on the page.
  for (const type of ["pointerdown", "keydown"]) window.addEventListener(type, wake, { once: true });
  return {
    storage: ifAny(() => window.localStorage),
    playSound: () => playChime(wake()),
    permission: () => ("Notification" in window ? window.Notification.permission : undefined),
    askPermission: () => window.Notification.requestPermission(),
    claim: createWindowClaims(window),
    notify({ title, body, tag, onPress }) {
      try {
        const shown = new window.Notification(title, { body, tag });
        shown.onclick = () => {
          window.focus();
          shown.close();
          onPress();
        };
      } catch {
        // Chrome on Android shows notifications of service workers only; sound and title remain.
      }
    },
  };
}
