import type { Clock } from "../../shared/server/clock.ts";
import type { EnvironmentReader, Fault } from "../../shared/server/environment.ts";
import type { Log } from "../../shared/server/log.ts";
import type { Agent } from "./agent.ts";

/** The dependencies of an agent besides its configuration. */
export interface AgentDeps {
  readonly clock: Clock;
  readonly log: Log;
  readonly fetch: typeof fetch;
  /** An agent may store files below it, in a folder of its own that it creates when it needs one. */
  readonly dataDir: string;
  /** Aborts when the service stops: what the agent does between questions ends then. */
  readonly stopping: AbortSignal;
}

/** An agent whose configuration was read; nothing is opened yet. */
export interface ConfiguredAgent {
  /** The name in `AGENT_PROVIDERS`, and the `agentProvider` of routes. */
  readonly id: string;
  /** Finds what would make `open` fail and does not show in the variables themselves, such as a missing folder. */
  findFaults(): Promise<readonly Fault[]>;
  /** @throws Error with one sentence for an operator */
  open(deps: AgentDeps): Promise<Agent>;
}

/** One kind of agent that this program includes. */
export interface AgentProvider {
  readonly id: string;
  /** Reads only the agent's own variables. Pure: every problem goes to `reader`. */
  configure(reader: EnvironmentReader): ConfiguredAgent;
}
