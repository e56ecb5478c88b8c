import { effect, type ReadonlySignal, signal } from "@preact/signals";
import type { Message } from "../../shared/message.ts";
import type { Chat } from "./chat.ts";
import type { Environment } from "./environment.ts";
import css from "./teaser-in-page.css?inline";

/** How long a message is teased. */
const SHOWN_MS = 12_000;

export interface TeaserDeps {
  readonly chat: Pick<Chat, "subscribe" | "isOpen" | "isHeld" | "unread">;
  readonly environment: Pick<Environment, "isVisible" | "setTimer">;
  /** Whether the site's owner has it, on this page. */
  readonly isWanted: () => boolean;
  /** Stands the frame on the site's page by these rules, beside its own. */
  readonly dress: (rules: string) => void;
}

export interface Teaser {
  /** What is teased now. */
  readonly message: ReadonlySignal<Message | undefined>;
  /** It is drawn, so many pixels high: the frame makes room for it above the launcher. */
  readonly stand: (height: number) => void;
}

/**
 * Teases, above the launcher, the message of an agent or a person that came while the panel was closed and its page
 * before somebody's eyes. The frame draws it, so that the page gets no word of it (FRAME1); the loader shows the frame as
 * small as that only while something is unread.
 */
export function createTeaser({ chat, environment, isWanted, dress }: TeaserDeps): Teaser {
  const message = signal<Message>();
  let isDressed = false;
  let cancel = (): void => undefined;
  const drop = () => {
    cancel();
    message.value = undefined;
  };

  chat.subscribe((happening) => {
    if (happening.type !== "message.received" || happening.message.role === "system") return;
    if (chat.isOpen.peek() || chat.isHeld.peek() || !isWanted() || environment.isVisible?.() === false)
      return;
    cancel();
    cancel = environment.setTimer(drop, SHOWN_MS);
    message.value = happening.message;
  });
  effect(() => {
    if (chat.isOpen.value || chat.isHeld.value || chat.unread.value === 0) drop();
  });
  effect(() => {
    // An open panel is not shown that small whatever the rules; said now, they would make the loader open it once more.
    if (message.value || chat.isOpen.value || !isDressed) return;
    isDressed = false;
    dress("");
  });

  return {
    message,
    stand(height) {
      if (!message.peek()) return;
      isDressed = true;
      dress(`${css}iframe,div{--tall:${Math.ceil(height)}px}`);
    },
  };
}
