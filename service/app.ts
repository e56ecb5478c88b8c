import { Hono } from "hono";
import { Failure } from "../shared/errors.ts";
import type { Clock } from "../shared/server/clock.ts";
import type { Log } from "../shared/server/log.ts";
import type { Random } from "../shared/server/random.ts";
import { type Actions, createActions } from "./actions/actions.ts";
import type { Agent } from "./agents/agent.ts";
import { type Answers, createAnswers } from "./answers/answers.ts";
import { createGate } from "./auth/gate.ts";
import { createSessionTokens } from "./auth/session-token.ts";
import type { HandoffAdapter } from "./handoff/adapter.ts";
import { createApplyInbound } from "./handoff/apply-inbound.ts";
import { createRelay } from "./handoff/relay.ts";
import { addHandoffHooks } from "./hooks/handoff-hooks.ts";
import { addProfileHooks } from "./hooks/profile-hooks.ts";
import { createMount } from "./http/operation-route.ts";
import { answerError, type RequestFacts } from "./http/problems.ts";
import { createRequestFrame } from "./http/request-frame.ts";
import type { Hub } from "./live/hub.ts";
import { createOpenStreams } from "./live/open-streams.ts";
import { createPresence, type Presence } from "./live/presence.ts";
import { createWaits } from "./live/waits.ts";
import { createOpenApiDocument } from "./openapi/document.ts";
import { createApplyChange } from "./profiles/apply-change.ts";
import type { ProfileSource } from "./profiles/source.ts";
import { createSweep, type Retention, USUAL_RETENTION } from "./retention.ts";
import { addActionRoutes } from "./routes/actions.ts";
import { addAftercareRoutes } from "./routes/aftercare.ts";
import { addAttachmentRoutes } from "./routes/attachments.ts";
import { addCapabilityRoutes } from "./routes/capabilities.ts";
import { addConversationRoutes } from "./routes/conversations.ts";
import { addCustomerRoutes } from "./routes/customers.ts";
import { addEventRoutes } from "./routes/events.ts";
import { addHandoffRoutes } from "./routes/handoffs.ts";
import { addHealthRoutes, createReadiness, notesOf, type Readiness } from "./routes/health.ts";
import { addHistoryRoutes } from "./routes/history.ts";
import { addMessageRoutes } from "./routes/messages.ts";
import type { RouteDeps } from "./routes/route-deps.ts";
import { addSelectionRoutes } from "./routes/selections.ts";
import { addSummaryRoutes } from "./routes/summaries.ts";
import { addTurnRoutes } from "./routes/turns.ts";
import { addTypingRoutes } from "./routes/typing.ts";
import type { Store } from "./store/store.ts";
import { createSummaries } from "./summaries/summaries.ts";
import { NO_TOOLS, type Toolbox } from "./tools/toolbox.ts";

/** The dependencies of the service. The store publishes into the same hub. */
export interface ServiceDeps {
  readonly store: Store;
  readonly hub: Hub;
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Log;
  /** In order of preference: the first that can answer is the default. */
  readonly agents: readonly Agent[];
  /** None without it. */
  readonly toolbox?: Toolbox | undefined;
  readonly adapters: readonly HandoffAdapter[];
  readonly sources: readonly ProfileSource[];
  readonly channels: readonly string[];
  /** Signs session tokens; at least 32 bytes. */
  readonly signingKey: Uint8Array;
  readonly publicKeyHeader: string;
  readonly handoffSecrets: readonly string[];
  readonly handoffSecretHeader: string;
  /**
   * No other process uses this store, so answers that an earlier one left are taken over without waiting for leases to
   * expire.
   */
  readonly isOnlyProcess: boolean;
  /** The usual one without it. */
  readonly retention?: Retention | undefined;
  /** Notes for an operator besides those of the agents, one sentence each. */
  readonly ownNotes?: (() => readonly string[]) | undefined;
  /** Adds the routes outside `/v1`: the desk. */
  readonly addDesk?: (app: Hono<RequestFacts>, live: DeskLive) => void;
}

/** The live state of conversations that the desk needs. */
export interface DeskLive extends Pick<Answers, "draft" | "interrupting" | "wake"> {
  readonly actions: Pick<Actions, "answerAsPerson">;
  readonly presence: Presence;
}

export interface Service {
  readonly app: Hono<RequestFacts>;
  /** Takes over the answers that an earlier process left unanswered. Call it once, before the first request. */
  start(): Promise<void>;
  ready(): Promise<Readiness>;
  /** The notes of `ready`, without a write. */
  notes(): readonly string[];
  /** Resolves when no agent is answering, no action is running, no message is on its way to a hand-off target, and no sweep is running. */
  settled(): Promise<void>;
  /** Ends the streams and stops the agents. Does not close the store. */
  close(): Promise<void>;
}

/** Builds the whole `/v1` service. */
export function createService(deps: ServiceDeps): Service {
  const tokens = createSessionTokens({ key: deps.signingKey, clock: deps.clock, random: deps.random });
  const { toolbox = NO_TOOLS } = deps;
  const answers = createAnswers({ ...deps, toolbox, store: deps.store.answers });
  const actions = createActions({ ...deps, toolbox, store: deps.store.actions });
  const relay = createRelay(deps);
  const summaries = createSummaries({ ...deps, store: deps.store.summaries });
  const streams = createOpenStreams();
  const presence = createPresence(deps);
  const waits = createWaits({ ...deps, handoffs: deps.store.handoffs });
  const gate = createGate({ ...deps, tokens });
  const routes: RouteDeps = {
    ...deps,
    answers,
    actions,
    relay,
    summaries,
    tokens,
    gate,
    streams,
    waits,
    presence,
  };

  const app = new Hono<RequestFacts>();
  app.onError((error, c) => answerError(error, c, deps.log));
  app.notFound((c) => answerError(new Failure("not_found"), c, deps.log));
  app.use(createRequestFrame(deps));

  const mount = createMount(app, gate);
  addCustomerRoutes(mount, routes);
  addSelectionRoutes(mount, routes);
  addConversationRoutes(mount, routes);
  addHandoffRoutes(mount, routes);
  addSummaryRoutes(mount, routes);
  addCapabilityRoutes(mount, routes);
  addTurnRoutes(mount, routes);
  addActionRoutes(mount, routes);
  addMessageRoutes(mount, routes);
  addHistoryRoutes(mount, routes);
  addEventRoutes(mount, routes);
  addAttachmentRoutes(mount, routes);
  addAftercareRoutes(mount, routes);
  addTypingRoutes(mount, routes);
  addHandoffHooks(app, { ...deps, applyInbound: createApplyInbound({ ...deps, answers }) });
  addProfileHooks(app, { ...deps, applyChange: createApplyChange(deps) });
  const ready = createReadiness({ ...deps, toolbox });
  addHealthRoutes(app, ready);
  const openApi = createOpenApiDocument(deps);
  app.get("/v1/openapi.json", (c) => c.json(openApi));
  deps.addDesk?.(app, { ...answers, actions, presence });

  const sweeping = createSweep({ ...deps, streams, retention: deps.retention ?? USUAL_RETENTION });

  return {
    app,
    async start() {
      // Not awaited: a server that is away must not delay the start.
      void toolbox.start();
      await actions.start({ isOnlyProcess: deps.isOnlyProcess });
      await answers.start({ isOnlyProcess: deps.isOnlyProcess });
      await relay.start();
      sweeping.start();
    },
    ready,
    notes: () => notesOf({ ...deps, toolbox }),
    async settled() {
      await answers.settled();
      await actions.settled();
      await relay.settled();
      await sweeping.settled();
    },
    async close() {
      sweeping.stop();
      streams.endAll();
      relay.close();
      await answers.close();
      await actions.close();
      await toolbox.close();
      await sweeping.settled();
    },
  };
}
