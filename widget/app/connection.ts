import type { StreamStatus } from "../client/event-stream.ts";
import { isIdentityFault } from "./problem-texts.ts";
import type { SessionStatus } from "./session-status.ts";

/** The state of the connection to support, as shown to a person. */
export type Connection =
  /** Nothing is tried: the panel was not opened yet, or it waits for the site's identity token. */
  | "idle"
  | "connecting"
  | "live"
  /** Connected again; missed events are arriving. */
  | "catching_up"
  | "reconnecting"
  /** The device reports that it has no network. */
  | "offline"
  | "unreachable";

/** How this tab follows the conversation's events: by its own stream, or by that of the browser's leading tab. */
export interface Following {
  /** The stream's status; `reconnecting` is `connecting` after a loss, `waiting` the time before that. */
  readonly stream: StreamStatus | "reconnecting";
  /** As far as known, the log has more than this screen. */
  readonly isBehind: boolean;
}

export const NOT_FOLLOWING: Following = { stream: "idle", isBehind: false };

/** Whether the BFF answers. */
export type Network =
  | "answering"
  | "silent"
  /** The device reports that it is offline. */
  | "offline";

export function connectionOf(
  session: SessionStatus,
  { stream, isBehind }: Following,
  network: Network,
): Connection {
  if (session.kind === "none") return "idle";
  if (stream === "live") return isBehind ? "catching_up" : "live";
  if (network !== "answering") return network === "silent" ? "unreachable" : network;
  if (session.kind === "failed" && isIdentityFault(session.failure.code)) return "idle";
  if (session.kind === "failed" || stream === "waiting" || stream === "reconnecting" || isBehind)
    return "reconnecting";
  return session.kind === "starting" || stream === "connecting" ? "connecting" : "live";
}
