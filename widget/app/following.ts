import type { StreamStatus } from "../client/event-stream.ts";
import type { Following } from "./connection.ts";

/** The state after `before` when the stream's status changes. After a loss, missed events are still to arrive. */
export function followingAfter({ stream, isBehind }: Following, status: StreamStatus): Following {
  const wasLost = stream === "waiting" || stream === "reconnecting";
  if (status === "live") return { stream: status, isBehind: isBehind || wasLost };
  return { stream: wasLost && status === "connecting" ? "reconnecting" : status, isBehind };
}

/** The stream's status, as the tabs share it. */
export function statusOf({ stream }: Following): StreamStatus {
  return stream === "reconnecting" ? "connecting" : stream;
}
