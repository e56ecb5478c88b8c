import { ServiceEvent } from "../event.ts";
import { v1 } from "../operation.ts";
import { nothingToEcho } from "./echo.ts";
import { CALL } from "./limits.ts";

/**
 * Server-Sent Events: each durable event has `id: SEQ` and one line of JSON. `Last-Event-ID` resumes after that seq with
 * nothing missed and nothing twice. Live signals have no id. A comment every 15 s shows that the connection lives.
 */
export const streamEvents = v1({
  id: "events",
  method: "GET",
  path: "/v1/support/conversations/:id/events",
  auth: "session",
  summary: "Follow a conversation's events",
  needs: "events",
  headers: ["Last-Event-ID"],
  answer: ServiceEvent,
  stream: {
    accept: "text/event-stream",
    mediaTypes: ["text/event-stream"],
    statuses: [200],
    event: ServiceEvent,
  },
  echo: nothingToEcho,
  status: 200,
  retry: "never",
  limits: CALL,
});
