import { useSignalEffect } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import type { PanelEvent } from "../app/panel-events.ts";
import { LiveRegions } from "../elements/live-regions.tsx";
import { announcementOf, type Words } from "./announcement.ts";
import { usePanel } from "./panel-context.ts";

/** Such an event says nothing of the conversation. */
const isAboutSession = (event: PanelEvent): boolean =>
  event.type === "identity.failed" || (event.type === "failed" && event.what === "session");

/**
 * Announces each event once to screen readers: finished messages, never a growing text; failures without delay. While
 * another customer may be signing in, only the session's failures.
 */
export function EventAnnouncer({ words }: { words: Words | undefined }) {
  const { chat, texts, announcer } = usePanel();
  // A change of language must neither cut off nor repeat an announcement.
  const latest = useRef({ texts, words });
  latest.current = { texts, words };
  useSignalEffect(() => {
    if (chat.identity.isChanging.value) announcer.clear();
  });
  useEffect(() => {
    const unsubscribe = chat.subscribe((event) => {
      if (chat.identity.isChanging.peek() && !isAboutSession(event)) return;
      const said = announcementOf(event, latest.current.texts, latest.current.words);
      if (said && chat.isOpen.peek()) announcer.say(said.text, said.isUrgent);
    });
    const stopClearing = chat.session.subscribe(({ kind }) => {
      if (kind === "cleared") announcer.clear();
    });
    return () => {
      unsubscribe();
      stopClearing();
      announcer.clear();
    };
  }, [chat, announcer]);
  return <LiveRegions said={announcer.said} />;
}
