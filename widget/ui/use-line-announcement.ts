import { useEffect, useRef } from "preact/hooks";
import { usePanel } from "./panel-context.ts";
import type { Answerer } from "./who-answers.ts";

/** Announces that the connection is lost, and who answers once it is back, as the header shows it. */
export function useLineAnnouncement({ text, line }: Answerer): void {
  const { chat, announcer } = usePanel();
  const wasDown = useRef(false);
  const isOpen = chat.isOpen.value;
  const { kind } = chat.session.state.value;
  // Without a session, as after a logout, nobody knows whether it is back.
  const isUnsure = line === "unsure" || kind === "none" || kind === "starting";
  // Events say why a session failed, and that the conversation has ended.
  const isSaid = kind === "failed" || chat.conversation.current.value?.status === "ended";
  const latest = useRef({ text, isSaid });
  latest.current = { text, isSaid };
  useEffect(() => {
    if (isUnsure) return;
    const isChanged = wasDown.current !== (line === "down");
    wasDown.current = isOpen && line === "down";
    if (isOpen && isChanged && !latest.current.isSaid) announcer.say(latest.current.text);
  }, [line, isUnsure, isOpen, announcer]);
}
