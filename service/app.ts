import { Hono } from "hono";
import { Failure } from "../shared/errors.ts";
import type { Clock } from "../shared/server/clock.ts";
import { errorFacts, type Log } from "../shared/server/log.ts";
import type { Random } from "../shared/server/random.ts";
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
import { createOpenApiDocument } from "./openapi/document.ts";
import { createApplyChange } from "./profiles/apply-change.ts";
import type { ProfileSource } from "./profiles/source.ts";
import { addAftercareRoutes } from "./routes/aftercare.ts";
import { addAttachmentRoutes } from "./routes/attachments.ts";
import { addCapabilityRoutes } from "./routes/capabilities.ts";
import { addConversationRoutes } from "./routes/conversations.ts";
import { addCustomerRoutes } from "./routes/customers.ts";
import { addEventRoutes } from "./routes/events.ts";
import { addHandoffRoutes } from "./routes/handoffs.ts";
import { addHealthRoutes, type Readiness, readReadiness } from "./routes/health.ts";
import { addMessageRoutes } from "./routes/messages.ts";
import type { RouteDeps } from "./routes/route-deps.ts";
import { addSelectionRoutes } from "./routes/selections.ts";
import { addTurnRoutes } from "./routes/turns.ts";
import { addTypingRoutes } from "./routes/typing.ts";
import type { Store } from "./store/store.ts";

/** Everything that the service takes from outside. The store publishes into the same hub. */
export interface ServiceDeps {
  readonly store: Store;
  readonly hub: Hub;
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Log;
  /** In the operator's order: the first that can answer is the default. */
  readonly agents: readonly Agent[];
  readonly adapters: readonly HandoffAdapter[];
  readonly sources: readonly ProfileSource[];
  readonly channels: readonly string[];
  /** Signs session tokens; at least 32 bytes. */
  readonly signingKey: Uint8Array;
  readonly publicKeyHeader: string;
  readonly handoffSecret: string | undefined;
  readonly handoffSecretHeader: string;
  /** No other process has this store: answers that an earlier one left are taken up at once, without waiting for its leases. */
  readonly isOnlyProcess: boolean;
  /** Adds what stands beside `/v1`: the desk. */
  readonly addDesk?: (app: Hono<RequestFacts>, answers: Pick<Answers, "interrupting">) => void;
}

export interface Service {
  readonly app: Hono<RequestFacts>;
  /** Takes up the answers that an earlier process left owed. Once, before the first request. */
  start(): Promise<void>;
  ready(): Promise<Readiness>;
  /** Resolves when no agent is speaking and nothing is on its way to a hand-off's target. */
  settled(): Promise<void>;
  /** Ends the streams and stops the agents. The store stays open: whoever opened it closes it. */
  close(): Promise<void>;
}

/** How often files go that were uploaded and never sent. */
const SWEEP_MS = 60 * 60 * 1000;

/** The whole `/v1` service: its table of contents. */
export function createService(deps: ServiceDeps): Service {
  const tokens = createSessionTokens({ key: deps.signingKey, clock: deps.clock, random: deps.random });
  const answers = createAnswers({ ...deps, store: deps.store.answers });
  const relay = createRelay(deps);
  const streams = createOpenStreams();
  const gate = createGate({ ...deps, tokens });
  const routes: RouteDeps = { ...deps, answers, relay, tokens, gate, streams };

  const app = new Hono<RequestFacts>();
  app.onError((error, c) => answerError(error, c, deps.log));
  app.notFound((c) => answerError(new Failure("not_found"), c, deps.log));
  app.use(createRequestFrame(deps));

  const mount = createMount(app, gate);
  addCustomerRoutes(mount, routes);
  addSelectionRoutes(mount, routes);
  addConversationRoutes(mount, routes);
  addHandoffRoutes(mount, routes);
  addCapabilityRoutes(mount);
  addTurnRoutes(mount, routes);
  addMessageRoutes(mount, routes);
  addEventRoutes(mount, routes);
  addAttachmentRoutes(mount, routes);
  addAftercareRoutes(mount, routes);
  addTypingRoutes(mount, routes);
  addHandoffHooks(app, { ...deps, applyInbound: createApplyInbound({ ...deps, answers }) });
  addProfileHooks(app, { ...deps, applyChange: createApplyChange(deps) });
  addHealthRoutes(app, routes);
  const openApi = createOpenApiDocument(deps);
  app.get("/v1/openapi.json", (c) => c.json(openApi));
  deps.addDesk?.(app, answers);

  const sweep = () =>
    deps.store.attachments
      .sweep()
      .catch((error: unknown) =>
        deps.log.warn(errorFacts(error), "files that nobody sent could not be removed"),
      );
  const stopSweeping = deps.clock.every(SWEEP_MS, () => void sweep());

  return {
    app,
    async start() {
      await answers.start({ isOnlyProcess: deps.isOnlyProcess });
      await relay.start();
      await sweep();
    },
    ready: () => readReadiness(routes),
    async settled() {
      await answers.settled();
      await relay.settled();
    },
    async close() {
      stopSweeping();
      streams.endAll();
      relay.close();
      await answers.close();
    },
  };
}
