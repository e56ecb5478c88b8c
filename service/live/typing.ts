import type { ServiceEvent } from "../../shared/event.ts";
import type { Clock } from "../../shared/server/clock.ts";
import type { Hub } from "./hub.ts";

/** How long one word of it holds, in ms: whoever goes on writing says so every three seconds or so. */
export const TYPING_MS = 6000;

/** What comes sooner is taken and not passed on: nobody would see a difference. */
const AGAIN_MS = 2000;

/** Who is writing, and where. */
export interface Writer {
  readonly workspaceId: string;
  readonly conversationId: string;
  readonly role: "customer" | "human";
  /** Shown to the other side. */
  readonly name?: string;
}

/** Tells the other side that somebody is writing: live alone, kept nowhere. */
export interface Typing {
  /** Holds for `TYPING_MS`, or until what they wrote is there. */
  tell(writer: Writer): void;
}

interface Writing {
  readonly toldAt: number;
  /** Ends it without a word. */
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
      const isNews = before === undefined || clock.now() - before.toldAt >= AGAIN_MS;
      const stop = () => {
        writing.get(key)?.leave();
        writing.delete(key);
        say({ type: "typing.stopped", role });
      };
      const cancel = clock.after(TYPING_MS, stop);
      const unsubscribe = hub.subscribe(conversationId, ({ event }) => {
        if (event.type === "conversation.erased") {
          // No event follows that one.
          writing.get(key)?.leave();
          writing.delete(key);
        } else if (endsWriting(event, role)) stop();
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

/** Whether what happened takes the dots away: it is said, or nobody can say it any more. */
function endsWriting(event: ServiceEvent, role: Writer["role"]): boolean {
  if (event.type === "message.created") return event.message.role === role;
  if (event.type === "conversation.ended") return true;
  return role === "human" && event.type.startsWith("handoff.");
}
