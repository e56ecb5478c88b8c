import type { Clock } from "../../shared/server/clock.ts";
import type { Log } from "../../shared/server/log.ts";
import type { Actions } from "../actions/actions.ts";
import type { Agent } from "../agents/agent.ts";
import type { Answers } from "../answers/answers.ts";
import type { Gate } from "../auth/gate.ts";
import type { SessionTokens } from "../auth/session-token.ts";
import type { HandoffAdapter } from "../handoff/adapter.ts";
import type { Relay } from "../handoff/relay.ts";
import type { Hub } from "../live/hub.ts";
import type { OpenStreams } from "../live/open-streams.ts";
import type { Presence } from "../live/presence.ts";
import type { Waits } from "../live/waits.ts";
import type { Store } from "../store/store.ts";
import type { Summaries } from "../summaries/summaries.ts";

/** The dependencies of the routes. */
export interface RouteDeps {
  readonly store: Store;
  readonly hub: Hub;
  readonly answers: Answers;
  readonly actions: Actions;
  readonly gate: Gate;
  readonly tokens: SessionTokens;
  readonly channels: readonly string[];
  readonly agents: readonly Agent[];
  readonly adapters: readonly HandoffAdapter[];
  readonly relay: Relay;
  readonly summaries: Summaries;
  readonly clock: Clock;
  readonly log: Log;
  readonly streams: OpenStreams;
  readonly waits: Waits;
  readonly presence: Presence;
}
