import { effect, type ReadonlySignal, signal } from "@preact/signals";
import type { Message } from "../../shared/message.ts";
import type { Chat } from "./chat.ts";
import type { Environment } from "./environment.ts";
import css from "./teaser-in-page.css?inline";

/** How long a message is teased. */
const SHOWN_MS = 12_000;

export interface TeaserDeps {
  readonly chat: Pick<Chat, "subscribe" | "isOpen" | "identity" | "conversation">;
  readonly environment: Pick<Environment, "isVisible" | "setTimer">;
  /** Whether the site's owner has it, on this page. */
  readonly isWanted: () => boolean;
  /** Stands the frame on the site's page by these rules, beside its own. */
  readonly dress: (rules: string) => void;
  /** Gives the focus back to the launcher. */
  readonly leave: () => void;
}

export interface Teaser {
  /** The message that is shown now. */
  readonly message: ReadonlySignal<Message | undefined>;
  /** It is drawn, so many pixels high, with its button at that side: the frame makes room for it above the launcher. */
  readonly stand: (height: number, buttonAt: "left" | "right") => void;
  /** It is not wanted now. Nothing is read by that, and the panel stays closed. */
  readonly close: () => void;
  /** The focus came to it, or left it: it does not go from under somebody. */
  readonly hold: (isHeld: boolean) => void;
}

/**
 * Teases, above the launcher, the message of an agent or a person that came while the panel was closed and its page
 * visible. The frame draws it, so that the page learns nothing of it (FRAME1); the loader shows the frame as
 * small as that only while something is unread.
 */
export function createTeaser({ chat, environment, isWanted, dress, leave }: TeaserDeps): Teaser {
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
    if (
      chat.isOpen.peek() ||
      chat.identity.isChanging.peek() ||
      !isWanted() ||
      environment.isVisible?.() === false
    )
      return;
    count();
    message.value = happening.message;
  });
  effect(() => {
    if (chat.isOpen.value || chat.identity.isChanging.value || chat.conversation.unread.value === 0) drop();
  });
  effect(() => {
    // An open panel is not shown that small whatever the rules; said now, they would make the loader open it once more.
    if (message.value || chat.isOpen.value || !isDressed) return;
    isDressed = false;
    dress("");
  });

  return {
    message,
    stand(height, buttonAt) {
      if (!message.peek()) return;
      isDressed = true;
      const [from, cut, to] = buttonAt === "right" ? [0, 244, 280] : [280, 36, 0];
      dress(`${css}iframe,div{--tall:${Math.ceil(height)}px;--from:${from}px;--cut:${cut}px;--to:${to}px}`);
    },
    close: drop,
    hold(held) {
      isHeld = held;
      if (message.peek()) count();
    },
  };
}
