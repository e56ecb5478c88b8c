import { createModel, effect, type ReadonlySignal, signal } from "@preact/signals";
import type { Message } from "../../shared/message.ts";
import type { Chat } from "./chat.ts";
import type { Environment } from "./environment.ts";
import css from "./teaser-in-page.css?inline";

/** How long a message is previewed. */
const SHOWN_MS = 12_000;

export interface TeaserDeps {
  readonly chat: Pick<Chat, "subscribe" | "isOpen" | "identity" | "conversation">;
  readonly environment: Pick<Environment, "isVisible" | "setTimer">;
  /** Whether the site's owner enabled previews on this page. */
  readonly isWanted: () => boolean;
  /** Positions the frame on the site's page with these rules, in addition to its own. */
  readonly dress: (rules: string) => void;
  /** Returns the focus to the launcher. */
  readonly leave: () => void;
}

export type TeaserModel = InstanceType<typeof TeaserModel>;

/**
 * Previews, above the launcher, a message of an agent or a person that arrived while the panel was closed and its page
 * visible. The frame draws it, so that the page learns nothing of it (FRAME1); the loader shows the frame in this small
 * size only while something is unread.
 */
export const TeaserModel = createModel(({ chat, environment, isWanted, dress, leave }: TeaserDeps) => {
  const message = signal<Message>();
  let isDressed = false;
  let isHeld = false;
  let cancel = (): void => undefined;
  const drop = () => {
    cancel();
    message.value = undefined;
    // An open panel has the focus itself.
    if (isHeld && !chat.isOpen.peek()) leave();
    isHeld = false;
  };
  const count = () => {
    cancel();
    if (!isHeld) cancel = environment.setTimer(drop, SHOWN_MS);
  };

  chat.subscribe((happening) => {
    if (happening.type !== "message.received" || happening.message.role === "system") return;
    if (chat.isOpen.peek() || chat.identity.isChanging.peek() || !isWanted() || !environment.isVisible())
      return;
    count();
    message.value = happening.message;
  });
  effect(() => {
    if (chat.isOpen.value || chat.identity.isChanging.value || chat.conversation.unread.value === 0) drop();
  });
  effect(() => {
    if (message.value || !isDressed) return;
    isDressed = false;
    dress("");
  });

  return {
    /** The message that is shown now. */
    message: message as ReadonlySignal<Message | undefined>,
    /** Makes room above the launcher for a teaser of this height, with its button at this side. */
    stand(height: number, buttonAt: "left" | "right"): void {
      if (!message.peek()) return;
      isDressed = true;
      const [from, cut, to] = buttonAt === "right" ? [0, 244, 280] : [280, 36, 0];
      dress(`${css}iframe,div{--tall:${Math.ceil(height)}px;--from:${from}px;--cut:${cut}px;--to:${to}px}`);
    },
    /** Hides the teaser. Its message stays unread and the panel closed. */
    close: drop,
    /** While the teaser has the focus, it stays. */
    hold(held: boolean): void {
      isHeld = held;
      if (message.peek()) count();
    },
  };
});
