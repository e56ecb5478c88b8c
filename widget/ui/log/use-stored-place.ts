import { useEffect, useRef } from "preact/hooks";
import type { Environment } from "../../app/environment.ts";
import { readFrom, writeTo } from "../../client/browser-storage.ts";
import type { Follow } from "../../elements/follow.ts";

/** In this tab's storage: the conversation, and how far from its end its reader was, in CSS pixels. */
const KEY = "parley.place";

/**
 * Stores the scroll position when the page is left, unless it is at the end.
 * @returns a function that restores it once on the next page; it returns false if this conversation has none
 */
export function useStoredPlace(
  { tabStorage }: Pick<Environment, "tabStorage">,
  conversationId: string | undefined,
  { scroller, place }: Pick<Follow, "scroller" | "place">,
): () => boolean {
  // Anything may have written there.
  const stored = useRef(/^(\S+) (\d{1,9})$/.exec(readFrom(tabStorage, KEY) ?? ""));
  useEffect(() => {
    const store = () => {
      const box = scroller.current;
      const isAway = box && conversationId && place.peek() !== "end";
      writeTo(
        tabStorage,
        KEY,
        isAway ? `${conversationId} ${Math.round(box.scrollHeight - box.scrollTop)}` : undefined,
      );
    };
    addEventListener("pagehide", store);
    return () => removeEventListener("pagehide", store);
  }, [tabStorage, conversationId, scroller, place]);
  return () => {
    const [, id, fromEnd] = stored.current ?? [];
    const box = scroller.current;
    if (!box || !id || id !== conversationId) return false;
    stored.current = null;
    box.scrollTop = box.scrollHeight - Number(fromEnd);
    place.value = "away";
    return true;
  };
}
