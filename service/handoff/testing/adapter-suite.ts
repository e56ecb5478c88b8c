import { describe, expect, test, vi } from "vitest";
import { createEnvironmentReader, type Environment } from "../../../shared/server/environment.ts";
import { systemRandom } from "../../../shared/server/random.ts";
import { requestHandoff } from "../../../shared/v1/handoffs.ts";
import { openSqliteStore } from "../../store/sqlite/sqlite-store.ts";
import { createManualClock } from "../../testing/manual-clock.ts";
import type { TestCustomer } from "../../testing/test-customer.ts";
import { openTestService, problemOf, type TestService } from "../../testing/test-service.ts";
import type { PersonAct } from "../adapter.ts";
import type { AdapterKind } from "../adapter-kind.ts";

/** The target as a test sees it, for adapters that have one outside the service. */
export interface AdapterTwin {
  has(conversationId: string): boolean;
  isClosed(conversationId: string): boolean;
  read(conversationId: string): readonly { readonly id: string; readonly body: string }[];
  /** How the next calls fail: not done at all, or done with the answer lost. */
  failNext(...faults: ("down" | "lost")[]): void;
  /** A call of the target to us at the time `now`, with its signature. */
  call(now: number, conversationId: string, ...events: PersonAct[]): RequestInit;
}

export interface AdapterStage {
  readonly kind: AdapterKind;
  /** Its variables, as an operator would set them. */
  readonly env: Environment;
  /** Absent for an adapter whose people work in the service itself. */
  readonly twin?: AdapterTwin;
  /** Answers the adapter's requests in the target's place. */
  readonly fetch?: typeof fetch;
}

const MIRA = { name: "Mira" };

/** What every hand-off adapter must do. `open` creates a new stage for each test. */
export function describeAdapter(id: string, open: () => AdapterStage): void {
  const start = async () => {
    const { kind, env, twin, ...stage } = open();
    const reader = createEnvironmentReader(env, () => {
      throw new Error("ENOENT");
    });
    const clock = createManualClock();
    const adapter = kind.configure(reader).open({ clock, fetch, ...stage });
    expect(reader.faults).toEqual([]);
    const t = await openTestService({ adapters: [adapter] }, undefined, { clock });
    const ann = await t.customer("ann");
    const conversationId = await ann.start();
    const ask = () => ann.post("/v1/support/handoffs", { conversationId });
    return { t, ann, id: conversationId, ask, adapter, twin };
  };

  describe(`the hand-off adapter ${id}`, () => {
    test("has the name by which it is configured", async () => {
      expect((await start()).adapter.id).toBe(id);
    });

    test("has the conversation once the customer reads that a person was asked", async () => {
      const { ask, ann, id: conversation, twin } = await start();
      expect((await ask()).status).toBe(201);
      expect(await statusOf(ann, conversation)).toBe("requested");
      if (twin) expect(twin.has(conversation)).toBe(true);
    });
  });

  if (open().twin) describeOutside(id, start);
}

type Started = {
  t: TestService;
  ann: TestCustomer;
  id: string;
  ask: () => Promise<Response>;
  twin: AdapterTwin | undefined;
};

function describeOutside(adapterId: string, open: () => Promise<Started>): void {
  const start = async () => {
    const started = await open();
    if (!started.twin) throw new Error("This adapter has no twin.");
    const { twin, t, id } = started;
    const hook = (...events: PersonAct[]) =>
      t.request(`/hooks/handoff/${adapterId}`, twin.call(t.clock.now(), id, ...events));
    return { ...started, twin, hook };
  };

  describe(`a request to the hand-off adapter ${adapterId}`, () => {
    test.each(["down", "lost"] as const)(
      "a target that is %s: nobody was asked, the agent stays",
      async (fault) => {
        const { ask, ann, id, twin, t } = await start();
        twin.failNext(fault);
        expect((await problemOf(await ask())).code).toBe("unavailable");
        expect(await statusOf(ann, id)).toBeUndefined();
        expect(twin.has(id)).toBe(false);
        await ann.say(id, "Still there?");
        await t.service.settled();
        expect((await ann.transcript(id)).messages.at(-1)?.role).toBe("agent");
      },
    );
  });

  describe(`messages to the hand-off adapter ${adapterId}`, () => {
    const bodies = (twin: AdapterTwin, id: string) => twin.read(id).map(({ body }) => body);

    test("are what the customer writes, in order, and nothing from before the hand-off", async () => {
      const { ask, ann, id, twin, t } = await start();
      await ann.say(id, "To the agent");
      await t.service.settled();
      await ask();
      for (const body of ["one", "two", "three"]) await ann.say(id, body);
      await t.service.settled();
      expect(bodies(twin, id)).toEqual(["one", "two", "three"]);
    });

    test("HAND6 the summary that the customer sent goes to the target in its turn, once", async () => {
      const { ask, ann, id, twin, t } = await start();
      const { handoff } = requestHandoff.answer.parse(await (await ask()).json());
      await ann.say(id, "one");
      twin.failNext("lost");
      const given = { handoffId: handoff.id, text: "The lamp is broken.\nIt is urgent." };
      for (let time = 0; time < 2; time += 1)
        await ann.post(`/v1/support/conversations/${id}/summary`, given);
      await ann.say(id, "two");
      await passTime(t, 60_000);
      await t.service.settled();
      expect(bodies(twin, id)).toEqual(["one", given.text, "two"]);
    });

    test.each(["down", "lost"] as const)("each message once when the target is %s", async (fault) => {
      const { ask, ann, id, twin, t } = await start();
      await ask();
      twin.failNext(fault, fault);
      await ann.say(id, "one");
      await ann.say(id, "two");
      await passTime(t, 60_000);
      await t.service.settled();
      expect(bodies(twin, id)).toEqual(["one", "two"]);
    });

    test("after a restart only those are sent that the target does not have", async () => {
      const { ask, ann, id, twin, t } = await start();
      await ask();
      await ann.say(id, "one");
      await t.service.settled();
      twin.failNext(...Array.from({ length: 5 }, () => "down" as const));
      await ann.say(id, "two");
      await t.close();
      const again = await t.reopen();
      await passTime(again, 600_000);
      await again.service.settled();
      expect(bodies(twin, id)).toEqual(["one", "two"]);
    });

    test.each([
      ["an open conversation", false],
      ["an ended conversation", true],
    ])(
      "ERASE1 of %s do not reach the target once it is erased, and the target is asked to close it",
      async (_, ends) => {
        const { ask, ann, id, twin, t } = await start();
        await ask();
        twin.failNext(...Array.from({ length: 5 }, () => "down" as const));
        await ann.say(id, "one");
        await ann.say(id, "two");
        if (ends) await ann.delete(`/v1/support/conversations/${id}`);
        expect((await ann.delete(`/v1/support/conversations/${id}/content`)).status).toBe(200);
        await passTime(t, 60_000);
        await t.service.settled();
        expect(bodies(twin, id)).toEqual([]);
        expect(twin.isClosed(id)).toBe(true);
      },
    );

    test("ERASE1 do not reach the target once another process erased the customer, and the target is asked to close it", async () => {
      const { ask, ann, id, twin, t } = await start();
      await ask();
      twin.failNext("down");
      await ann.say(id, "one");
      await ann.say(id, "two");
      const { path, clock, workspace } = t;
      const other = openSqliteStore({ path, clock, random: systemRandom, publish: () => undefined });
      await other.erasure.eraseCustomer(workspace.id, "ann");
      await other.close();
      await passTime(t, 60_000);
      await t.service.settled();
      expect(bodies(twin, id)).toEqual([]);
      expect(twin.isClosed(id)).toBe(true);
    });

    test("are sent no more after the service closed, also of a conversation that ended before", async () => {
      const { ask, ann, id, twin, t } = await start();
      await ask();
      twin.failNext(...Array.from({ length: 5 }, () => "down" as const));
      await ann.say(id, "one");
      await ann.delete(`/v1/support/conversations/${id}`);
      await t.close();
      await passTime(t, 60_000);
      expect(bodies(twin, id)).toEqual([]);
    });

    test("end also when the conversation ends in the same commit as the request, and a later request is followed", async () => {
      const { ask, ann, id, twin, t } = await start();
      const request = t.store.handoffs.request.bind(t.store.handoffs);
      vi.spyOn(t.store.handoffs, "request").mockImplementationOnce((...given) => {
        const asked = request(...given);
        void t.store.conversations.end(given[0], id);
        return asked;
      });
      await ask();
      await t.service.settled();
      expect(twin.isClosed(id)).toBe(true);
      expect((await ann.post(`/v1/support/conversations/${id}/reopen`, {})).status).toBe(200);
      await ask();
      await ann.say(id, "one");
      await t.service.settled();
      expect(bodies(twin, id)).toEqual(["one"]);
    });

    test("end when the conversation ends, and the target is asked to close it", async () => {
      const { ask, ann, id, twin, t } = await start();
      await ask();
      await ann.delete(`/v1/support/conversations/${id}`);
      await t.service.settled();
      expect(twin.isClosed(id)).toBe(true);
    });
  });

  describe(`calls from the hand-off adapter ${adapterId}`, () => {
    test("show who joined, what they write, and that they resolved it", async () => {
      const { ask, ann, id, hook } = await start();
      await ask();
      expect((await hook({ type: "joined", person: MIRA })).status).toBe(200);
      expect((await ann.transcript(id)).conversation?.handoff).toMatchObject({ human: MIRA });
      await hook({ type: "message", id: "1", person: MIRA, body: "Hello Ann" });
      await hook({ type: "message", id: "2", person: { name: "Tom" }, body: "Tom here" });
      const { messages } = await ann.transcript(id);
      expect(messages.map(({ role, body, author }) => [role, body, author?.name])).toEqual([
        ["human", "Hello Ann", "Mira"],
        ["human", "Tom here", "Tom"],
      ]);
      await hook({ type: "resolved", person: MIRA });
      expect((await ann.transcript(id)).conversation?.status).toBe("ended");
    });

    test("show no person before the target says so", async () => {
      const { ask, ann, id } = await start();
      await ask();
      expect((await ann.transcript(id)).conversation?.handoff).toEqual({
        id: expect.any(String),
        status: "requested",
        // The wait is unknown for another system's people.
        wait: {},
      });
    });

    test("store a message that arrives ten times once", async () => {
      const { ask, ann, id, hook } = await start();
      await ask();
      const call = () => hook({ type: "message", id: "1", person: MIRA, body: "Hello" });
      expect((await Promise.all(Array.from({ length: 10 }, call))).every(({ ok }) => ok)).toBe(true);
      expect((await ann.transcript(id)).messages).toHaveLength(1);
    });

    test("store the first message of a second hand-off also if the target numbers each one's messages from 1", async () => {
      const { ask, ann, id, hook } = await start();
      for (const body of ["Hello", "Hello again"]) {
        await ask();
        await hook({ type: "message", id: "1", person: MIRA, body });
        await hook({ type: "returned", person: MIRA });
      }
      expect((await ann.transcript(id)).messages.map(({ body }) => body)).toEqual(["Hello", "Hello again"]);
    });

    test("HAND4 that give a request back before anybody joined end it, and the agent answers", async () => {
      const { ask, ann, id, hook, t } = await start();
      await ask();
      expect((await hook({ type: "returned", person: MIRA })).status).toBe(200);
      expect(await statusOf(ann, id)).toBe("failed");
      await ann.say(id, "Agent?");
      await t.service.settled();
      expect((await ann.transcript(id)).messages.map(({ role }) => role)).toEqual(["customer", "agent"]);
    });

    test("let the agent answer after a person handed back", async () => {
      const { ask, ann, id, hook, t } = await start();
      await ask();
      await hook({ type: "joined", person: MIRA });
      await ann.say(id, "Mira?");
      await hook({ type: "returned", person: MIRA });
      await t.service.settled();
      await ann.say(id, "Agent?");
      await t.service.settled();
      const roles = (await ann.transcript(id)).messages.map(({ role }) => role);
      expect(roles).toEqual(["customer", "agent", "customer", "agent"]);
    });

    test("without a signature are 401 and change nothing", async () => {
      const { ask, ann, id, twin, t } = await start();
      await ask();
      const call = twin.call(t.clock.now(), id, { type: "message", id: "1", person: MIRA, body: "forged" });
      for (const forged of [
        { ...call, headers: {} },
        { ...call, body: Buffer.concat([Buffer.from(call.body as Uint8Array), Buffer.from(" ")]) },
      ]) {
        expect((await t.request(`/hooks/handoff/${adapterId}`, forged)).status).toBe(401);
      }
      expect((await ann.transcript(id)).messages).toEqual([]);
      expect(await statusOf(ann, id)).toBe("requested");
    });

    test("about a hand-off that was returned do not end the conversation", async () => {
      const { ask, ann, id, hook } = await start();
      await ask();
      await hook({ type: "joined", person: MIRA });
      await hook({ type: "returned", person: MIRA });
      expect((await hook({ type: "resolved", person: MIRA })).status).toBe(200);
      expect((await ann.transcript(id)).conversation?.status).toBe("open");
    });

    test("that are late or for an unknown conversation are acknowledged and change nothing", async () => {
      const { ask, ann, id, twin, t, hook } = await start();
      await ask();
      const unknown = twin.call(t.clock.now(), "conv_missing", { type: "joined", person: MIRA });
      expect((await t.request(`/hooks/handoff/${adapterId}`, unknown)).status).toBe(200);
      await ann.delete(`/v1/support/conversations/${id}`);
      const before = await ann.transcript(id);
      expect((await hook({ type: "message", id: "9", person: MIRA, body: "Late" })).status).toBe(200);
      expect(await ann.transcript(id)).toEqual(before);
    });
  });
}

async function statusOf(customer: TestCustomer, id: string): Promise<string | undefined> {
  return (await customer.transcript(id)).conversation?.handoff?.status;
}

/** Lets retries come due, one after another. */
async function passTime(t: TestService, ms: number): Promise<void> {
  for (let passed = 0; passed < ms; passed += 1000) {
    for (let turns = 0; turns < 3; turns += 1) await new Promise(setImmediate);
    t.clock.advance(1000);
  }
}
