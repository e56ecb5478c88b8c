import { onTestFinished } from "vitest";
import type { Stores } from "../stores.ts";
import { openOn, startRedis, type TestRedis } from "./redis-server.ts";
import { createScriptedService, type ScriptedService } from "./scripted-service.ts";
import { createTestBff, type TestBff } from "./test-bff.ts";
import { settle } from "./test-clock.ts";

export interface Pair {
  readonly redis: TestRedis;
  readonly service: ScriptedService;
  readonly a: TestBff;
  readonly b: TestBff;
  /** One more BFF on the same store; `change` takes parts away, for controls. */
  readonly another: (
    env?: Record<string, string>,
    change?: (stores: Required<Stores>) => Stores,
  ) => Promise<TestBff>;
}

/** Two BFFs before one service, on one store. */
export async function openPair(
  env: Record<string, string> = {},
  settings: readonly string[] = [],
): Promise<Pair> {
  const redis = await startRedis(settings);
  const service = createScriptedService();
  const another: Pair["another"] = async (more = {}, change = (stores) => stores) => {
    const siteId = more["SITE_ID"] ?? "parley";
    const stores = change(await openOn(redis, { siteId }));
    const bff = createTestBff({ service, ...stores, env: { ...env, ...more } });
    onTestFinished(() => bff.bff.drain());
    return bff;
  };
  return { redis, service, another, a: await another(), b: await another() };
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
/** Without what the BFFs tell each other: for controls. */
export const alone = ({ store, feedStore }: Required<Stores>): Stores => ({ store, feedStore });

/** Resolves once it is so. */
export async function until(holds: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await holds())) await settle();
}
