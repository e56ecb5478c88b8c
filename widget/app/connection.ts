import type { StreamStatus } from "../client/event-stream.ts";
import type { SessionStatus } from "./session-status.ts";

/** How this panel stands with support, as a person is told. */
export type Connection =
  /** Nothing was tried yet. */
  | "idle"
  | "connecting"
  | "live"
  /** Connected again; what was missed is arriving. */
  | "catching_up"
  | "reconnecting"
  /** The device has no network, or nothing answers. */
  | "offline";

/** How this tab follows the conversation's events: by its own stream, or by that of the browser's leading tab. */
export interface Following {
  /** The stream's status; `reconnecting` is `connecting` after a loss, `waiting` the time before that. */
  readonly stream: StreamStatus | "reconnecting";
  /** The log has more than this screen, as far as is known. */
  readonly isBehind: boolean;
}

export const NOT_FOLLOWING: Following = { stream: "idle", isBehind: false };

/** Whether the BFF answers. */
export type Network =
  | "answering"
  /** The last call got no answer. */
  | "silent"
  /** The device says that it has no network. */
  | "offline";

/** What becomes of `before` when the stream has another status. After a loss, what was missed is still to arrive. */
export function followingAfter({ stream, isBehind }: Following, status: StreamStatus): Following {
  const wasLost = stream === "waiting" || stream === "reconnecting";
  if (status === "live") return { stream: status, isBehind: isBehind || wasLost };
  return { stream: wasLost && status === "connecting" ? "reconnecting" : status, isBehind };
}

/** The stream's status, as the tabs tell each other. */
export function statusOf({ stream }: Following): StreamStatus {
  return stream === "reconnecting" ? "connecting" : stream;
}

export function connectionOf(
  session: SessionStatus["kind"],
  { stream, isBehind }: Following,
  network: Network,
): Connection {
  if (session === "none") return "idle";
  if (stream === "live") return isBehind ? "catching_up" : "live";
  if (network !== "answering") return "offline";
  if (session === "failed" || stream === "waiting" || stream === "reconnecting" || isBehind)
    return "reconnecting";
  return session === "starting" || stream === "connecting" ? "connecting" : "live";
}
