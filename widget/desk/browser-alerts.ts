import { ifAny } from "../client/if-any.ts";
import { createChime } from "../elements/chime.ts";
import type { AlertsEnvironment } from "./alerts-model.ts";
import { createWindowClaims } from "./window-claims.ts";

/** Sound and notifications of this browser. */
export function createBrowserAlerts(window: Window & typeof globalThis): AlertsEnvironment {
  const chime = createChime(() => new window.AudioContext(), Date.now);
  // Browsers play sound only after a press or a key on the page.
  for (const type of ["pointerdown", "keydown"]) window.addEventListener(type, chime.unlock, { once: true });
  return {
    storage: ifAny(() => window.localStorage),
    playSound: chime.play,
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
