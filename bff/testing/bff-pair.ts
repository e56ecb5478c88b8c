import { onTestFinished } from "vitest";
import { createFakeService, type FakeService } from "../../service/testing/fake/fake-service.ts";
import type { Kind } from "../../service/testing/fake/kinds.ts";
import { systemClock } from "../../shared/server/clock.ts";
import { createUseCounts } from "../../shared/server/use-counts.ts";
import type { Store } from "../store/store.ts";
import { openOn, startRedis, type TestRedis } from "./redis-server.ts";
import { createTestBff, type TestBff } from "./test-bff.ts";
import { settle } from "./test-clock.ts";

export interface Pair {
  readonly redis: TestRedis;
  readonly service: FakeService;
  readonly a: TestBff;
  readonly b: TestBff;
  /** How many leases these BFFs have requested. */
  readonly leasesAsked: () => number;
  /** One more BFF on the same store; `change` removes parts of it, for controls. */
  readonly another: (env?: Record<string, string>, change?: (store: Store) => Store) => Promise<TestBff>;
}

/** Two BFFs with one service, on one store. */
export async function openPair(
  env: Record<string, string> = {},
  { settings = [], kind = "full" }: { settings?: readonly string[]; kind?: Kind } = {},
): Promise<Pair> {
  const redis = await startRedis(settings);
  const service = createFakeService({ kind });
  let asked = 0;
  const countAsked = () => {
    asked += 1;
  };
  const another: Pair["another"] = async (more = {}, change = (store) => store) => {
    const siteId = more["SITE_ID"] ?? "parley";
    const store = change(watchLeases(await openOn(redis, { siteId }), countAsked));
    const bff = createTestBff({ service, store, env: { ...env, ...more } });
    onTestFinished(() => bff.bff.drain());
    return bff;
  };
  return { redis, service, another, leasesAsked: () => asked, a: await another(), b: await another() };
}

// A panel's calls to one of them.
export const resume = (bff: TestBff, token: string) => bff.post("/api/session", {}, token);
export const start = (bff: TestBff, token: string, key = "k1") =>
  bff.post("/api/conversation", { clientMessageId: key, body: "Hello" }, token);
export const send = (bff: TestBff, token: string, key: string) =>
  bff.post("/api/conversation/messages", { clientMessageId: key, body: "Hello" }, token);
export const follow = (bff: TestBff, token: string) =>
  bff.request("GET", "/api/conversation/events", { token });
export const leave = (bff: TestBff, token: string) => bff.request("DELETE", "/api/session", { token });
/** A store that trusts its memory, receives no signals, takes no leases and counts by itself: for controls. */
export function alone(store: Store): Store {
  const known = new Map<string, ReturnType<Store["get"]>>();
  return {
    ...store,
    ...createUseCounts(systemClock),
    isShared: false,
    subscribe: () => undefined,
    get(key) {
      const value = known.get(key) ?? store.get(key);
      known.set(key, value);
      return value;
    },
    write(changes, signal) {
      for (const { key } of changes) known.delete(key);
      return store.write(changes, signal);
    },
  };
}

/** A store that reports each requested lease. */
function watchLeases(store: Store, onAsked: () => void): Store {
  return {
    ...store,
    write(changes, signal) {
      if (changes.some(({ key, was }) => key.startsWith("lease:") && was === null)) onAsked();
      return store.write(changes, signal);
    },
  };
}

/** Resolves once the condition is true. */
export async function until(holds: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await holds())) await settle();
}
