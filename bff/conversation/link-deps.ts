import type { Clock } from "../../shared/server/clock.ts";
import type { Log } from "../../shared/server/log.ts";
import type { Routing } from "../routing/decide.ts";
import type { Pointers } from "../sessions/pointers.ts";
import type { Sessions } from "../sessions/sessions.ts";
import type { Locks } from "../store/locks.ts";
import type { UpstreamClient } from "../upstream/client.ts";
import type { ReadBounds } from "./read-bounds.ts";
import type { References } from "./references.ts";
import type { Service } from "./service.ts";

export interface LinkDeps {
  readonly upstream: UpstreamClient;
  readonly service: Service;
  readonly sessions: Sessions;
  readonly pointers: Pointers;
  readonly locks: Locks;
  /** Bounds the number of logs that are read at once. */
  readonly readBounds: ReadBounds;
  /** Names of past conversations that only their own customer can use. */
  readonly references: References;
  readonly routing: Routing;
  readonly clock: Clock;
  readonly log: Log;
}
