import { createFakeService, type FakeService } from "../../service/testing/fake/fake-service.ts";
import { SessionState } from "../../shared/api/session.ts";
import { createTestSite, type TestSite, type TokenParts } from "../identity/testing/site-keys.ts";
import type { FetchApp } from "../upstream/fetch-transport.ts";
import { createTestBff, type TestBff, type TestBffOptions } from "./test-bff.ts";
import { createTestClock, type TestClock } from "./test-clock.ts";

/** A site with its keys, and a BFF that knows them. */
export interface IdentityBench {
  readonly bff: TestBff;
  readonly site: TestSite;
  readonly service: FakeService;
  readonly clock: TestClock;
  /** Starts a session as the customer `sub`. */
  readonly enter: (sub: string, given?: TokenParts) => Promise<SessionState>;
  /** Sends a token in a running session. */
  readonly identify: (bearer: string, token: string) => Promise<Response>;
}

export interface BenchOptions extends Partial<TestBffOptions> {
  readonly site?: TestSite;
  readonly clock?: TestClock;
}

export function openIdentityBench(options: BenchOptions = {}): IdentityBench {
  const clock = options.clock ?? createTestClock();
  const site = options.site ?? createTestSite(() => clock.now());
  const service = createFakeService();
  const env = { IDENTITY_KEYS: site.keySet, ...options.env };
  const { site: _site, ...rest } = options;
  const bff = createTestBff({
    ...rest,
    service: (options.service ?? service) satisfies FetchApp,
    clock,
    env,
  });
  return {
    bff,
    site,
    service,
    clock,
    async enter(sub, { claims, ...parts } = {}) {
      const token = site.token({ ...parts, claims: { sub, ...claims } });
      const answer = await bff.post("/api/session", { token });
      if (answer.status !== 201) throw new Error(`not let in: ${answer.status} ${await answer.text()}`);
      return (await answer.json()) as SessionState;
    },
    identify: (bearer, token) => bff.post("/api/session/identity", { token }, bearer),
  };
}

/** The session in an answer. */
export async function says(answer: Response): Promise<SessionState> {
  return SessionState.parse(await answer.json());
}

/** The bodies of all identify calls to the service, in order. */
export function identifyBodies({ service }: Pick<IdentityBench, "service">) {
  return service
    .calls("identify")
    .map(({ body }) => body as { externalId: string; attributes: Record<string, unknown> });
}
