import { computed, type ReadonlySignal } from "@preact/signals";
import type { StreamStatus } from "./event-stream.ts";
import type { SessionPhase } from "./session-life.ts";

/** How this panel stands with support: nothing tried yet, being tried, in step, getting what was missed, tried again, nothing answers. */
export type Connection = "idle" | "connecting" | "live" | "catching_up" | "reconnecting" | "offline";

export interface ConnectionDeps {
  readonly session: ReadonlySignal<SessionPhase>;
  readonly line: {
    readonly status: ReadonlySignal<StreamStatus>;
    readonly isBehind: ReadonlySignal<boolean>;
    readonly isLost: ReadonlySignal<boolean>;
  };
  /** The device has no network, or the last call had no answer. */
  readonly isSilent: ReadonlySignal<boolean>;
}

export function connectionOf({ session, line, isSilent }: ConnectionDeps): ReadonlySignal<Connection> {
  return computed(() => {
    const { kind } = session.value;
    const status = line.status.value;
    if (kind === "none") return "idle";
    if (status === "live") return line.isBehind.value ? "catching_up" : "live";
    if (isSilent.value) return "offline";
    if (kind === "failed" || status === "waiting" || line.isLost.value || line.isBehind.value)
      return "reconnecting";
    return kind === "starting" || status === "connecting" ? "connecting" : "live";
  });
}
