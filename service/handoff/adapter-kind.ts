import type { Clock } from "../../shared/server/clock.ts";
import type { EnvironmentReader } from "../../shared/server/environment.ts";
import type { HandoffAdapter } from "./adapter.ts";

/** The dependencies of an adapter besides its configuration. */
export interface AdapterDeps {
  readonly clock: Clock;
  readonly fetch: typeof fetch;
}

/** An adapter whose configuration was read. */
export interface ConfiguredAdapter {
  /** The name in `HANDOFF_ADAPTERS`, and the `humanHandoffAdapter` of routes. */
  readonly id: string;
  open(deps: AdapterDeps): HandoffAdapter;
}

/** One kind of adapter that this program includes. */
export interface AdapterKind {
  readonly id: string;
  /** Reads only the adapter's own variables. Pure: every problem goes to `reader`. */
  configure(reader: EnvironmentReader): ConfiguredAdapter;
}
