import type { ServiceEvent } from "../../shared/event.ts";
import { type Clock, isRecent } from "../../shared/server/clock.ts";
import type { Hub } from "./hub.ts";

/** When a typing signal expires, in ms. A client that is still typing renews it about every three seconds. */
export const TYPING_MS = 6000;

/** A signal renewed sooner than this is accepted and not published: readers would see no difference. */
const AGAIN_MS = 2000;

/** The person who is typing, and the conversation. */
export interface Writer {
  readonly workspaceId: string;
  readonly conversationId: string;
  readonly role: "customer" | "human";
  /** Shown to the other side. */
  readonly name?: string;
}

/** Shows the other side that somebody is typing. The signal is live only and never stored. */
export interface Typing {
  /** Shows it for `TYPING_MS`, or until the message arrives. */
  tell(writer: Writer): void;
}

interface Writing {
  readonly toldAt: number;
  /** Ends it without publishing anything. */
  readonly leave: () => void;
}

export function createTyping(deps: {
  readonly hub: Pick<Hub, "publish" | "subscribe">;
  readonly clock: Clock;
}): Typing {
  const { hub, clock } = deps;
  const writing = new Map<string, Writing>();

  return {
    tell({ workspaceId, conversationId, role, name }) {
      const key = `${role} ${conversationId}`;
      const say = (event: ServiceEvent) => hub.publish({ workspaceId, conversationId, event });
      const before = writing.get(key);
      before?.leave();
      const isNews = before === undefined || !isRecent(clock, before.toldAt, AGAIN_MS);
      const forget = () => {
        writing.get(key)?.leave();
        writing.delete(key);
      };
      const stop = () => {
        forget();
        say({ type: "typing.stopped", role });
      };
      const cancel = clock.after(TYPING_MS, stop);
      const unsubscribe = hub.subscribe(conversationId, ({ event }) => {
        // No other event would end it.
        if (event.type === "conversation.erased") forget();
        else if (endsWriting(event, role)) stop();
      });
      writing.set(key, {
        toldAt: isNews ? clock.now() : before.toldAt,
        leave() {
          cancel();
          unsubscribe();
        },
      });
      if (isNews) say({ type: "typing.started", role, ...(name === undefined ? {} : { name }) });
    },
  };
}

/** Whether an event ends the typing: the message has arrived, or none can be sent any more. */
function endsWriting(event: ServiceEvent, role: Writer["role"]): boolean {
  if (event.type === "message.created") return event.message.role === role;
  if (event.type === "conversation.ended") return true;
  return role === "human" && event.type.startsWith("handoff.");
}
