import type { ComponentChildren } from "preact";
import controlsStyles from "../css/controls.module.css";
import layoutStyles from "../css/layout.module.css";
import { useDesk } from "../desk-context.ts";
import { texts } from "../texts.ts";
import { BellIcon, BellOffIcon, SoundIcon, SoundOffIcon } from "./desk-icons.tsx";

/** Turns sound and notifications on and off. */
export function AlertSwitches() {
  const { alerts } = useDesk();
  const sound = alerts.sound.value;
  const notifications = alerts.notifications.value;
  return (
    <div class={layoutStyles.deskAlerts}>
      <Switch name={texts.soundSwitch} isOn={sound} onChange={(next) => alerts.setSound(next)}>
        {sound ? <SoundIcon /> : <SoundOffIcon />}
      </Switch>
      <Switch
        name={texts.notificationsSwitch}
        isOn={notifications}
        onChange={(next) => void alerts.setNotifications(next)}
      >
        {notifications ? <BellIcon /> : <BellOffIcon />}
      </Switch>
    </div>
  );
}

/** Why there are no notifications although they were asked for. */
export function AlertsBlocked() {
  const { alerts } = useDesk();
  if (!alerts.isBlocked.value) return null;
  return (
    <div class={`${controlsStyles.banner} ${controlsStyles.bannerDoubt}`} role="alert">
      <p>{texts.notificationsBlocked}</p>
      <button
        type="button"
        class={controlsStyles.linkButton}
        onClick={() => {
          void alerts.setNotifications(false);
          // The focused button disappears with the sentence; the switch stays.
          document.querySelector<HTMLElement>('[role="switch"]:last-child')?.focus();
        }}
      >
        {texts.close}
      </button>
    </div>
  );
}

function Switch(props: {
  name: string;
  isOn: boolean;
  onChange: (next: boolean) => void;
  children: ComponentChildren;
}) {
  const { name, isOn, onChange, children } = props;
  return (
    <button
      type="button"
      role="switch"
      class={controlsStyles.iconButton}
      aria-label={name}
      aria-checked={isOn}
      title={name}
      onClick={() => onChange(!isOn)}
    >
      {children}
    </button>
  );
}
