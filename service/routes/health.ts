import type { Hono } from "hono";
import { Failure } from "../../shared/errors.ts";
import { errorFacts } from "../../shared/server/log.ts";
import { shareAnswer } from "../../shared/server/share-answer.ts";
import type { RequestFacts } from "../http/problems.ts";
import { StoreFault } from "../store/store-fault.ts";
import type { Toolbox } from "../tools/toolbox.ts";
import type { RouteDeps } from "./route-deps.ts";

type ReadinessDeps = Pick<RouteDeps, "agents" | "clock" | "log" | "store"> & NoteDeps;
type NoteDeps = Pick<RouteDeps, "agents"> & {
  readonly ownNotes?: (() => readonly string[]) | undefined;
  readonly toolbox: Pick<Toolbox, "notes">;
};

/** Whether a question could be answered now; `reasons` are sentences for an operator. */
export interface Readiness {
  readonly ready: boolean;
  readonly reasons: readonly string[];
  /** Sentences for an operator that do not change `ready`. */
  readonly notes: readonly string[];
}

/** A write reaches the disk, so many probes share one. */
const STORE_PROBE_MS = 1000;

/** Checks for real: a committed write, an existing workspace, an agent that can answer. */
export function createReadiness(deps: ReadinessDeps): () => Promise<Readiness> {
  const probeStore = shareAnswer(deps.clock, STORE_PROBE_MS, () => findStoreFaults(deps));
  return async () => {
    const reasons = [...(await probeStore())];
    const notes = [...notesOf(deps)];
    const faults = deps.agents.map((agent) => agent.unavailable());
    if (!faults.includes(undefined)) {
      const sentences = faults.length > 0 ? faults.map(String) : ["No agent is enabled."];
      // Customers can still write and ask for a person, and a restart would bring no other server back.
      const isWaiting = deps.agents.some((agent) => agent.isWaiting?.());
      (isWaiting ? notes : reasons).push(...sentences);
    }
    return { ready: reasons.length === 0, reasons, notes: [...new Set(notes)] };
  };
}

async function findStoreFaults({ store, log }: ReadinessDeps): Promise<readonly string[]> {
  try {
    await store.probe();
    return (await store.workspaces.list()).length === 0 ? ["There is no workspace yet."] : [];
  } catch (error) {
    log.error(errorFacts(error), "the store can't be written");
    return [whyNotWritten(error)];
  }
}

/** Faults of the configuration that do not stop answers. */
export function notesOf({ agents, ownNotes, toolbox }: NoteDeps): readonly string[] {
  // Two agents that answer from the same articles have the same to say.
  const ofAgents = new Set(agents.flatMap((agent) => agent.notes?.() ?? []));
  return [...(ownNotes?.() ?? []), ...ofAgents, ...toolbox.notes()];
}

function whyNotWritten(error: unknown): string {
  if (!(error instanceof Failure)) return "The store can't be written.";
  if (error.cause instanceof StoreFault) return error.cause.message;
  return error.code === "storage_full"
    ? "The disk of the data folder is full: nothing new is stored until there is room. What is there can be read and erased."
    : "The store can't be written.";
}

/** `/livez`: the process answers. `/readyz`: it could answer a customer. */
export function addHealthRoutes(app: Hono<RequestFacts>, ready: () => Promise<Readiness>): void {
  app.get("/livez", (c) => c.json({ live: true }));
  app.get("/readyz", async (c) => {
    const readiness = await ready();
    return c.json(readiness, readiness.ready ? 200 : 503);
  });
}
