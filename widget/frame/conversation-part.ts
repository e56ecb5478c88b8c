// The part that is loaded when there is a conversation, or about to be one (docs/decisions/0018-parts.md).
import type { ReadonlySignal } from "@preact/signals";
import type { PanelSettings } from "../../shared/frame-port.ts";
import type { Chat } from "../app/chat.ts";
import type { Environment } from "../app/environment.ts";
import type { Language } from "../app/language.ts";
import { sendReadReceipts } from "../app/read-receipts.ts";
import { TeaserModel } from "../app/teaser.ts";
import { type ConversationPart, conversationPart } from "../ui/conversation-part.ts";
import { isUnseen } from "../ui/log/log-news.ts";
import { startSound } from "../ui/sound.ts";
import { showTeaser } from "../ui/teaser.tsx";

export interface LaterDeps {
  readonly chat: Chat;
  readonly environment: Environment;
  readonly settings: ReadonlySignal<PanelSettings>;
  readonly language: ReadonlySignal<Language>;
  readonly document: Document;
  /** Positions the frame on the site's page with these rules, in addition to its own. */
  readonly dress: (rules: string) => void;
  /** Returns the focus to the launcher. */
  readonly leave: () => void;
}

/** Starts the part, and returns its components. */
export function startConversation(deps: LaterDeps): ConversationPart {
  const { chat, environment, settings, language, document, dress, leave } = deps;
  sendReadReceipts(chat, environment);
  const isWanted = () => settings.value.teaser !== "false" && !settings.value.inline;
  showTeaser(document, { teaser: new TeaserModel({ chat, environment, isWanted, dress, leave }), language });
  const sound = startSound({
    chat,
    environment,
    isWanted: () => settings.value.sound === "true",
    isUnseen: () => isUnseen(chat),
    openAudio: () => new AudioContext(),
    presses: document,
  });
  return { ...conversationPart, sound };
}
