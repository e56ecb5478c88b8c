import { useEffect, useRef } from "preact/hooks";
import { usePanel } from "./panel-context.ts";
import type { Answerer } from "./who-answers.ts";

/** Announces that the connection is lost, and who answers once it is back, as the header shows it. */
export function useLineAnnouncement({ text, line }: Answerer): void {
  const { chat, announcer } = usePanel();
  const wasDown = useRef(false);
  const isOpen = chat.isOpen.value;
  // An event says why a session failed.
  const isSaid = line === "down" && chat.session.state.value.kind === "failed";
  const latest = useRef({ text, isSaid });
  latest.current = { text, isSaid };
  useEffect(() => {
    if (line === "unsure") return;
    const isChanged = wasDown.current !== (line === "down");
    wasDown.current = isOpen && line === "down";
    if (isOpen && isChanged && !latest.current.isSaid) announcer.say(latest.current.text);
  }, [line, isOpen, announcer]);
}
