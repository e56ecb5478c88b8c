import type { AlertNotification, AlertsEnvironment } from "../alerts-model.ts";

/** A browser that counts sounds and collects notifications. `answer` is what its person says when asked. */
export function createScriptedAlerts() {
  const stored = new Map<string, string>();
  const script = {
    sounds: 0,
    notified: [] as AlertNotification[],
    permission: "default" as NotificationPermission | undefined,
    answer: "granted" as NotificationPermission,
    stored,
    /** Another window of the same browser was faster, for these means and news. */
    claimedElsewhere: new Set<string>(),
  };
  const environment: AlertsEnvironment = {
    storage: {
      getItem: (key) => stored.get(key) ?? null,
      setItem: (key, value) => void stored.set(key, value),
      removeItem: (key) => void stored.delete(key),
    },
    playSound() {
      script.sounds += 1;
    },
    permission: () => script.permission,
    async askPermission() {
      script.permission = script.answer;
      return script.answer;
    },
    notify: (notification) => void script.notified.push(notification),
    claim: async (means, id) => !script.claimedElsewhere.has(`${means}.${id}`),
  };
  return Object.assign(script, { environment });
}
