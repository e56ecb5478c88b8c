import type { PublicConfig } from "../../shared/api/config.ts";
import type { Clock } from "../../shared/server/clock.ts";
import type { Log } from "../../shared/server/log.ts";
import type { Random } from "../../shared/server/random.ts";
import type { Link } from "../conversation/link.ts";
import type { Limits } from "../gate/limits.ts";
import type { VerifyToken } from "../identity/verify-token.ts";
import type { LiveRouting } from "../routing/live-routing.ts";
import type { Pointers } from "../sessions/pointers.ts";
import type { Sessions } from "../sessions/sessions.ts";
import type { Locks } from "../store/locks.ts";
import type { Streams } from "../streams/streams.ts";
import type { UpstreamClient } from "../upstream/client.ts";

/** Everything that the routes work with. */
export interface RouteDeps {
  /** The way to the conversation of a session's customer. */
  readonly link: Link;
  /** For what happens before there is a session: the customer, their session, the selection. */
  readonly upstream: UpstreamClient;
  readonly sessions: Sessions;
  readonly pointers: Pointers;
  readonly locks: Locks;
  readonly streams: Streams;
  readonly verifyToken: VerifyToken;
  readonly limits: Limits;
  readonly publicConfig: PublicConfig;
  readonly routing: LiveRouting;
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Log;
}
