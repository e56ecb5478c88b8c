import type { PublicConfig } from "../../shared/api/config.ts";
import type { Clock } from "../../shared/server/clock.ts";
import type { Log } from "../../shared/server/log.ts";
import type { Random } from "../../shared/server/random.ts";
import type { Feeds } from "../feeds/feeds.ts";
import type { Turns } from "../feeds/turns.ts";
import type { Limits } from "../gate/limits.ts";
import type { VerifyToken } from "../identity/verify-token.ts";
import type { LiveRouting } from "../routing/live-routing.ts";
import type { Pointers } from "../sessions/pointers.ts";
import type { ServiceTokens } from "../sessions/service-tokens.ts";
import type { Sessions } from "../sessions/sessions.ts";
import type { Locks } from "../store/locks.ts";
import type { Streams } from "../streams/streams.ts";
import type { UpstreamClient } from "../upstream/client.ts";

/** Everything that the routes work with. */
export interface RouteDeps {
  readonly upstream: UpstreamClient;
  readonly sessions: Sessions;
  readonly serviceTokens: ServiceTokens;
  readonly verifyToken: VerifyToken;
  readonly pointers: Pointers;
  readonly locks: Locks;
  readonly streams: Streams;
  /** Logs and turns of services without events. */
  readonly feeds: Feeds;
  readonly turns: Turns;
  readonly limits: Limits;
  readonly publicConfig: PublicConfig;
  readonly routing: LiveRouting;
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Log;
}
