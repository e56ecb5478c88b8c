import { describe, expect, test } from "vitest";
import { MAX_TRAITS } from "../../../shared/limits.ts";
import { createEnvironmentReader } from "../../../shared/server/environment.ts";
import type { Traits } from "../../../shared/traits.ts";
import { createManualClock } from "../../testing/manual-clock.ts";
import { json } from "../../testing/test-customer.ts";
import { openTestService, type TestService } from "../../testing/test-service.ts";
import type { ProfileChange } from "../source.ts";
import { configureSources } from "../sources.ts";

export interface SourceStage {
  /** The fields of its entry in `PROFILE_SOURCES` that are specific to its kind. */
  readonly entry: object;
  /** A call of the source at the time `now`, with its signature. */
  readonly call: (change: ProfileChange, now: number) => RequestInit;
}

const NAME = "crm";
const FUTURE = "The change is dated more than five minutes in the future. Check the clock of its sender.";
const PLAN = { externalId: "ann", traits: { plan: "pro" }, messageId: "m1" };

/** What every profile source must do. */
export function describeSource(kind: string, { entry, call }: SourceStage): void {
  const start = async () => {
    const clock = createManualClock();
    const list = [{ name: NAME, kind, traits: ["plan", "seats", "note"], ...entry }];
    const reader = createEnvironmentReader({ PROFILE_SOURCES: JSON.stringify(list) }, noFile);
    const sources = configureSources(reader).map((open) => open({ clock }));
    expect(reader.faults).toEqual([]);
    const t = await openTestService({ sources });
    const now = clock.now();
    const tell = (change: Partial<ProfileChange>, init: RequestInit = {}) => {
      const whole = { ...PLAN, at: now, ...change };
      return t.request(`/hooks/profiles/${NAME}`, { ...call(whole, now), ...init });
    };
    return { t, now, tell, clock };
  };

  describe(`the profile source ${kind}`, () => {
    test("sets the traits that it may set, and no others", async () => {
      const { t, tell } = await start();
      expect((await tell({ traits: { plan: "pro", seats: 3, email: "a@b.c", admin: true } })).status).toBe(
        200,
      );
      expect(await traitsOf(t, "ann")).toEqual({ plan: "pro", seats: 3 });
    });

    test("does not store what looks like a secret or is not a trait", async () => {
      const { t, tell } = await start();
      await tell({ traits: { note: "4111 1111 1111 1111", plan: { nested: true }, seats: 2 } });
      expect(await traitsOf(t, "ann")).toEqual({ seats: 2 });
      expect(t.log.text()).not.toContain("4111");
    });

    test("applies a repeated change once, and the newest by its own time wins, in whatever order changes arrive", async () => {
      const { t, tell, now } = await start();
      const changes = [1, 2, 3].map((step) => ({
        traits: { seats: step },
        at: now + step,
        messageId: `m${step}`,
      }));
      for (const index of [2, 0, 1, 2, 0]) await tell(changes[index] ?? {});
      await tell({ traits: { plan: "old" }, at: now - 1, messageId: "m0" });
      expect(await traitsOf(t, "ann")).toEqual({ seats: 3, plan: "old" });
    });

    test("a change from the future is refused, so that it does not block the later ones", async () => {
      const { t, tell, now } = await start();
      const tolerated = now + 5 * 60_000;
      const refused = await tell({ traits: { plan: "future" }, at: tolerated + 1 });
      expect(await refused.json()).toMatchObject({ code: "bad_request", detail: FUTURE });
      expect((await tell({ traits: { plan: "soon" }, at: tolerated })).status).toBe(200);
      expect(await traitsOf(t, "ann")).toEqual({ plan: "soon" });
    });

    test("between two changes of the same moment the same one wins, in either order", async () => {
      const outcomes: Traits[] = [];
      for (const order of [
        ["a", "b"],
        ["b", "a"],
      ]) {
        const { t, tell } = await start();
        for (const messageId of order) await tell({ traits: { plan: messageId }, messageId });
        outcomes.push(await traitsOf(t, "ann"));
      }
      expect(outcomes[0]).toEqual(outcomes[1]);
    });

    test("does not change what the application has set, before or after", async () => {
      const { t, tell, now } = await start();
      await tell({ traits: { plan: "from the source", seats: 1 } });
      const profile = { externalId: "ann", attributes: { plan: "from the site" } };
      const identified = await t.request("/v1/customers/identify", json(profile, t.workspace.credential));
      expect(identified.status).toBe(200);
      await tell({ traits: { plan: "again", seats: 2 }, at: now + 1, messageId: "m2" });
      expect(await traitsOf(t, "ann")).toEqual({ plan: "from the site", seats: 2 });
    });

    test("does not bring back a trait that newer ones of the application have displaced", async () => {
      const { t, tell, now } = await start();
      await tell({ traits: { plan: "pro" } });
      const attributes = Object.fromEntries([...Array(MAX_TRAITS).keys()].map((n) => [`k${n}`, n]));
      const profile = { externalId: "ann", attributes };
      const identified = await t.request("/v1/customers/identify", json(profile, t.workspace.credential));
      expect(identified.status).toBe(200);
      await tell({ traits: { plan: "max" }, at: now + 1, messageId: "m2" });
      expect(await traitsOf(t, "ann")).toEqual(attributes);
    });

    test("can't change a visitor whose id this product created", async () => {
      const { t, tell } = await start();
      await t.customer("anon_1");
      expect((await tell({ externalId: "anon_1" })).status).toBe(200);
      expect(await traitsOf(t, "anon_1")).toEqual({});
    });

    test("a call without its signature is 401 and changes nothing", async () => {
      const { t, tell, now } = await start();
      const honest = call({ ...PLAN, at: now }, now);
      const forged = Buffer.concat([Buffer.from(honest.body as Uint8Array), Buffer.from(" ")]);
      expect((await tell({}, { headers: {} })).status).toBe(401);
      expect((await tell({}, { body: forged })).status).toBe(401);
      expect(await traitsOf(t, "ann")).toEqual({});
    });

    test("what the source reported is erased with the customer", async () => {
      const { t, tell } = await start();
      await tell({});
      await t.store.erasure.eraseCustomer(t.workspace.id, "ann");
      expect(await traitsOf(t, "ann")).toEqual({});
    });
  });
}

/** As the desk shows them. */
async function traitsOf(t: TestService, externalId: string): Promise<Traits> {
  const customer = await t.customer(externalId);
  const target = { workspaceId: t.workspace.id, conversationId: await customer.start() };
  return (await t.store.desk.readDeskConversation(target))?.customer.traits ?? {};
}

function noFile(): string {
  throw new Error("ENOENT");
}
