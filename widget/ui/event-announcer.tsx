import { useSignalEffect } from "@preact/signals";
import { useEffect, useMemo, useRef } from "preact/hooks";
import type { PanelEvent } from "../app/panel-events.ts";
import { createAnnouncer } from "../client/announcer.ts";
import { announcementOf } from "./announcement.ts";
import { LiveRegions } from "./live-regions.tsx";
import { usePanel } from "./panel-context.ts";

/** Long enough for every screen reader to notice, short enough that nobody finds the text again. */
const SPOKEN_MS = 4_000;

/** Used until the Markdown reader has loaded. */
export const asWritten = (body: string): string => body;

/** Such an event says nothing of the conversation. */
const isAboutSession = (event: PanelEvent): boolean =>
  event.type === "identity.failed" || (event.type === "failed" && event.what === "session");

/**
 * Announces each event once to screen readers: finished messages, never a growing text; failures without delay. While
 * another customer may be signing in, only the session's failures.
 */
export function EventAnnouncer({ wordsOf }: { wordsOf: (body: string) => string }) {
  const { chat, texts, environment } = usePanel();
  // A change of language must neither cut off nor repeat an announcement.
  const latest = useRef({ texts, wordsOf });
  latest.current = { texts, wordsOf };
  const { setTimer } = environment;
  const announcer = useMemo(() => createAnnouncer(setTimer, SPOKEN_MS), [setTimer]);
  useSignalEffect(() => {
    if (chat.identity.isChanging.value) announcer.clear();
  });
  useEffect(() => {
    const unsubscribe = chat.subscribe((event) => {
      if (chat.identity.isChanging.peek() && !isAboutSession(event)) return;
      const said = announcementOf(event, latest.current.texts, latest.current.wordsOf);
      if (said && chat.isOpen.peek()) announcer.say(said.text, said.isUrgent);
    });
    return () => {
      unsubscribe();
      announcer.clear();
    };
  }, [chat, announcer]);
  return <LiveRegions said={announcer.said} />;
}
