import { ServiceEvent } from "../event.ts";
import { v1 } from "../operation.ts";

/**
 * Server-Sent Events: each durable event has `id: SEQ` and one line of JSON; `Last-Event-ID` goes on after that seq with
 * nothing missed and nothing twice; live signals have no id; a comment every 15 s says that the line lives.
 */
export const streamEvents = v1({
  id: "events",
  method: "GET",
  path: "/v1/support/conversations/:id/events",
  auth: "session",
  /** The JSON of one event; the body as a whole is `text/event-stream`. */
  answer: ServiceEvent,
  summary: "Follow a conversation's events",
});
