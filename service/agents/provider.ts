import type { EnvironmentReader, Fault } from "../../shared/server/environment.ts";
import type { Agent } from "./agent.ts";

/** What an agent takes from outside, apart from its configuration. */
export interface AgentDeps {
  /** Waits between two pieces of an answer, so that it can be read as it comes; rejects when the signal aborts. */
  readonly pace?: ((signal: AbortSignal) => Promise<unknown>) | undefined;
}

/** An agent whose configuration was read, before anything is opened. */
export interface ConfiguredAgent {
  /** The name in `AGENT_PROVIDERS`, and the `agentProvider` of routes. */
  readonly id: string;
  /** Finds what would stop `open` and is not in the variables themselves, such as a folder that is missing. */
  findFaults(): Promise<readonly Fault[]>;
  /** @throws Error with one sentence for an operator */
  open(deps: AgentDeps): Promise<Agent>;
}

/** One kind of agent that this program has. */
export interface AgentProvider {
  readonly id: string;
  /** Reads the agent's own variables, and no others. Pure: every problem goes to `reader`. */
  configure(reader: EnvironmentReader): ConfiguredAgent;
}
