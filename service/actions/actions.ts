import { Failure } from "../../shared/errors.ts";
import type { Clock } from "../../shared/server/clock.ts";
import { errorFacts, type Log } from "../../shared/server/log.ts";
import type { Random } from "../../shared/server/random.ts";
import { createId } from "../ids.ts";
import type { ActionAnswer, ActionStore, AllowedAction } from "../store/actions.ts";
import type { DeskTarget, Person } from "../store/desk.ts";
import type { Owner } from "../store/owner.ts";
import { ACT_MS, type Toolbox } from "../tools/toolbox.ts";

/** Longer than an action may take, so that it expires only if its process is gone. */
const LEASE_MS = 2 * ACT_MS;
/** How long after its time an unanswered action may still be shown as open. Nobody can allow it any more then. */
const LOOK_MS = 15_000;

/**
 * Runs what customers and people of the team allow, at most once. The answer is stored before the tool is called; what the
 * tool answers is an event of the log. An action whose process dies meanwhile is reported as unknown, never tried again.
 */
export interface Actions {
  /** Resolves once the answer is stored; an allowed action runs afterwards. @throws what `ActionStore` throws */
  answerAsCustomer(owner: Owner, conversationId: string, answer: GivenAnswer): Promise<void>;
  answerAsPerson(target: DeskTarget, person: Person, answer: GivenAnswer): Promise<void>;
  start(options: { readonly isOnlyProcess: boolean }): Promise<void>;
  /** Resolves when no action is running. */
  settled(): Promise<void>;
  /** Gives up the running ones: they are reported as unknown, unless their server's answer is already here. */
  close(): Promise<void>;
}

interface GivenAnswer {
  readonly actionId: string;
  readonly approved: boolean;
}

export function createActions(deps: {
  readonly store: ActionStore;
  readonly toolbox: Pick<Toolbox, "act">;
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Log;
}): Actions {
  const { store, clock, log } = deps;
  const terms = { owner: createId("proc", clock.now(), deps.random), ms: LEASE_MS };
  const closing = new AbortController();
  const running = new Set<Promise<void>>();
  let stopLooking: (() => void) | undefined;

  const run = async (action: AllowedAction) => {
    const { id: actionId, tool } = action;
    try {
      const outcome = await deps.toolbox.act(action, closing.signal);
      const isStored = await store.finish(actionId, terms.owner, outcome);
      log.info({ actionId, tool, status: outcome.status, isStored }, "an action ended");
    } catch (error) {
      // It stays running until its lease expires, and is then reported as unknown.
      log.error({ actionId, ...errorFacts(error) }, "what became of an action could not be stored");
    }
  };
  const take = (answer: ActionAnswer) => {
    if (answer.kind === "expired") {
      throw new Failure("forbidden", { detail: "This can no longer be answered." });
    }
    if (answer.kind !== "allowed") return;
    const done = run(answer.action).finally(() => running.delete(done));
    running.add(done);
  };
  const look = async (isOnlyProcess: boolean) => {
    try {
      while ((await store.expire({ isOnlyProcess })) > 0);
    } catch (error) {
      log.error(errorFacts(error), "open actions could not be looked for");
    }
  };
  return {
    async answerAsCustomer(owner, conversationId, given) {
      if (closing.signal.aborted) throw new Failure("unavailable");
      take(await store.answerAsCustomer(owner, { conversationId, ...given }, terms));
    },
    async answerAsPerson(target, person, given) {
      if (closing.signal.aborted) throw new Failure("unavailable");
      take(await store.answerAsPerson(target, person, given, terms));
    },
    async start({ isOnlyProcess }) {
      await look(isOnlyProcess);
      stopLooking = clock.every(LOOK_MS, () => void look(false));
    },
    async settled() {
      while (running.size > 0) await Promise.all(running);
    },
    async close() {
      stopLooking?.();
      closing.abort();
      await this.settled();
    },
  };
}
