import { createModel, type ReadonlySignal, signal } from "@preact/signals";
import { type BrowserStorage, readFrom, writeTo } from "../client/browser-storage.ts";
import type { News } from "./desk-news.ts";
import { texts } from "./texts.ts";

/** "on" or "off" for this browser. */
const SOUND = "parley.desk.sound";
const NOTIFICATIONS = "parley.desk.notifications";

export interface AlertNotification {
  readonly title: string;
  readonly body: string;
  /** A later one with the same tag replaces it, and browsers do that in silence. */
  readonly tag: string;
  readonly onPress: () => void;
}

/** The browser's own means of getting a person's attention. */
export interface AlertsEnvironment {
  readonly storage: BrowserStorage | undefined;
  readonly playSound: () => void;
  /** Undefined where the browser has no notifications. */
  readonly permission: () => NotificationPermission | undefined;
  readonly askPermission: () => Promise<NotificationPermission>;
  readonly notify: (notification: AlertNotification) => void;
  /**
   * Whether this is the browser's window that announces the news of that id by `means`: the first window that asks, or
   * none while the person looks at another one. `isHere`: they look at this one.
   */
  readonly claim: (means: Means, id: string, isHere: boolean) => Promise<boolean>;
}

export type Means = "sound" | "notification";

export interface AlertsModelDeps {
  readonly environment: AlertsEnvironment;
  /** Whether the person is looking at this page now. */
  readonly isPresent: () => boolean;
  /** The open conversation. */
  readonly openedId: () => string | undefined;
  /** Brings a conversation on screen. */
  readonly open: (conversationId: string) => void;
}

export type AlertsModel = InstanceType<typeof AlertsModel>;

/**
 * Sound and notifications for news. Both are this browser's own choice: sound is on until it is turned off,
 * notifications are off until the person turns them on and the browser allows them. A notification names the customer
 * and never contains their text, because others may see the screen.
 */
export const AlertsModel = createModel(({ environment, isPresent, openedId, open }: AlertsModelDeps) => {
  const { storage } = environment;
  const isAllowed = () => environment.permission() === "granted";
  const sound = signal(readFrom(storage, SOUND) !== "off");
  const notifications = signal(readFrom(storage, NOTIFICATIONS) === "on");
  const isBlocked = signal(false);
  /** A browser may take a permission back, such as one that was given for one visit. */
  const checkPermission = (): void => {
    if (!notifications.peek() || isAllowed()) return;
    notifications.value = false;
    isBlocked.value = true;
  };
  checkPermission();

  return {
    sound: sound as ReadonlySignal<boolean>,
    notifications: notifications as ReadonlySignal<boolean>,
    /** The person wanted notifications and the browser did not allow them. */
    isBlocked: isBlocked as ReadonlySignal<boolean>,
    /** Turning it on plays it once. */
    setSound(next: boolean): void {
      sound.value = next;
      writeTo(storage, SOUND, next ? "on" : "off");
      if (next) environment.playSound();
    },
    async setNotifications(next: boolean): Promise<void> {
      isBlocked.value = false;
      if (next && environment.permission() === "default") {
        await environment.askPermission().catch(() => "denied");
      }
      notifications.value = next && isAllowed();
      isBlocked.value = next && !notifications.value;
      writeTo(storage, NOTIFICATIONS, notifications.value ? "on" : "off");
    },
    async alert(all: readonly News[]): Promise<void> {
      const isSeen = isPresent();
      const news = all.filter(({ kind, conversationId }) => {
        return !(isSeen && kind !== "waiting" && conversationId === openedId());
      });
      const claimed = async (means: Means) => {
        const are = await Promise.all(news.map(({ id }) => environment.claim(means, id, isSeen)));
        return news.filter((_, at) => are[at]);
      };
      if (sound.value && (await claimed("sound")).length > 0) environment.playSound();
      checkPermission();
      if (isSeen || !notifications.value) return;
      const own = await claimed("notification");
      const [first] = own;
      if (!first) return;
      environment.notify({
        title: own.length > 1 ? texts.alert.many(own.length) : texts.alert[first.kind],
        body: own.length > 1 ? "" : first.name,
        tag: own.length > 1 ? first.id : first.conversationId,
        onPress: () => open(first.conversationId),
      });
    },
  };
});
