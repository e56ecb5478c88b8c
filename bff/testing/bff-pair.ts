import { onTestFinished } from "vitest";
import type { Store } from "../store/store.ts";
import { createUseCounts } from "../store/use-counts.ts";
import { openOn, startRedis, type TestRedis } from "./redis-server.ts";
import { createScriptedService, type ScriptedService } from "./scripted-service.ts";
import { createTestBff, type TestBff } from "./test-bff.ts";
import { settle } from "./test-clock.ts";

export interface Pair {
  readonly redis: TestRedis;
  readonly service: ScriptedService;
  readonly a: TestBff;
  readonly b: TestBff;
  /** How many leases these BFFs have asked for. */
  readonly leasesAsked: () => number;
  /** One more BFF on the same store; `change` takes parts of it away, for controls. */
  readonly another: (env?: Record<string, string>, change?: (store: Store) => Store) => Promise<TestBff>;
}

/** Two BFFs before one service, on one store. */
export async function openPair(
  env: Record<string, string> = {},
  settings: readonly string[] = [],
): Promise<Pair> {
  const redis = await startRedis(settings);
  const service = createScriptedService();
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

// What a panel asks of one of them.
export const resume = (bff: TestBff, token: string) => bff.post("/api/session", {}, token);
export const start = (bff: TestBff, token: string, key = "k1") =>
  bff.post("/api/conversation", { clientMessageId: key, body: "Hello" }, token);
export const send = (bff: TestBff, token: string, key: string) =>
  bff.post("/api/conversation/messages", { clientMessageId: key, body: "Hello" }, token);
export const follow = (bff: TestBff, token: string) =>
  bff.request("GET", "/api/conversation/events", { token });
export const leave = (bff: TestBff, token: string) => bff.request("DELETE", "/api/session", { token });
/** A store that believes its memory, hears no signal, takes no lease and counts by itself: for controls. */
export function alone(store: Store): Store {
  const known = new Map<string, Promise<string | undefined>>();
  return {
    ...store,
    ...createUseCounts(),
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

/** A store that reports each lease that is asked for. */
function watchLeases(store: Store, onAsked: () => void): Store {
  return {
    ...store,
    write(changes, signal) {
      if (changes.some(({ key, was }) => key.startsWith("lease:") && was === null)) onAsked();
      return store.write(changes, signal);
    },
  };
}

/** Resolves once it is so. */
export async function until(holds: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await holds())) await settle();
}
