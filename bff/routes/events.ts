import { streamEvents } from "../../shared/api/conversation.ts";
import { eventsAnswer } from "../gate/headers.ts";
import { isRefused } from "../upstream/failure.ts";
import type { RouteDeps } from "./deps.ts";
import { route } from "./exchange.ts";

/** Follows the conversation after `Last-Event-ID`, or from its beginning; a position that is gone gives a `reset`. */
export function createStreamEvents({ link, streams }: Pick<RouteDeps, "link" | "streams">) {
  return route(streamEvents, async ({ session, address, requestId, lastEventId, more }) => {
    const reset = () => eventsAnswer(streams.reset("position_gone"), requestId, more());
    const followed = await link.follow(session, lastEventId);
    if (followed === undefined) return reset();
    try {
      return eventsAnswer(await streams.open({ session, address, ...followed }), requestId, more());
    } catch (error) {
      // The service does not know this position or this conversation: reading again shows which.
      if (isRefused(error, 400) || isRefused(error, 404)) return reset();
      throw error;
    }
  });
}
