import { DatabaseSync } from "node:sqlite";
import { describe, expect, onTestFinished, test } from "vitest";
import { systemRandom } from "../../../shared/server/random.ts";
import { createManualClock } from "../../testing/manual-clock.ts";
import { newDatabasePath } from "../../testing/test-store.ts";
import { MARIA, openStage } from "../testing/store-stage.ts";
import type { Query } from "./query.ts";
import { createSql, type Sql } from "./sql.ts";
import { openSqliteStore } from "./sqlite-store.ts";
import { listWaits, MOST_PLACES, readWait } from "./wait.ts";

async function openQueue() {
  const path = newDatabasePath();
  const clock = createManualClock();
  const store = openSqliteStore({ path, clock, random: systemRandom, publish: () => undefined });
  const stage = await openStage({ store, clock, published: [] });
  const database = new DatabaseSync(path, { readOnly: true });
  onTestFinished(async () => {
    database.close();
    await store.close();
  });
  let customers = 0;
  /** Another customer asks for a person. */
  const ask = async (workspaceId = stage.workspaceId) => {
    clock.advance(1);
    customers += 1;
    const owner = await stage.customer(`customer-${customers}`, workspaceId);
    const id = await stage.start(owner);
    await stage.ask(owner, id);
    return { owner, id };
  };
  /** Customers who wait, each for the given time until a person joins and, after `silent` more seconds, replies. */
  const serve = async (count: number, seconds: number, workspaceId = stage.workspaceId, silent = 0) => {
    for (let served = 0; served < count; served += 1) {
      const { id: conversationId } = await ask(workspaceId);
      const target = { workspaceId, conversationId };
      clock.advance(seconds * 1000);
      await store.desk.acceptHandoff(target, MARIA);
      clock.advance(silent * 1000);
      for (const body of ["Hello", "Welcome"]) {
        await store.desk.replyAsHuman(target, MARIA, { clientMessageId: body, body });
        clock.advance(60_000);
      }
    }
  };
  const addWorkspace = async () => (await store.workspaces.create({ name: "two", publicKey: "pk_two" })).id;
  return { ...stage, database, ask, serve, addWorkspace };
}

/** Passes queries on, and collects them. */
function recording(sql: Sql): { readonly sql: Sql; readonly queries: Query[] } {
  const queries: Query[] = [];
  const note = (query: Query) => {
    queries.push(query);
    return query;
  };
  return {
    queries,
    sql: {
      one: (reader, query) => sql.one(reader, note(query)),
      all: (reader, query) => sql.all(reader, note(query)),
      has: (query) => sql.has(note(query)),
      run: (query) => sql.run(note(query)),
    },
  };
}

describe("HAND5 the wait for a person", () => {
  test("is the workspace's own: another one's hand-offs neither change nor displace it", async () => {
    const { store, ask, serve, addWorkspace } = await openQueue();
    const other = await addWorkspace();
    await serve(5, 60);
    await serve(60, 7, other);
    for (let count = 0; count < 3; count += 1) await ask(other);
    const { owner, id } = await ask();
    expect(await store.handoffs.readWait(owner, id)).toEqual({ place: 1, usualSeconds: 60 });
    expect(await store.handoffs.listWaits(owner.workspaceId)).toEqual([
      { conversationId: id, wait: { place: 1, usualSeconds: 60 } },
    ]);
  });

  test("ends with a person's first reply, not when somebody takes the conversation and is silent", async () => {
    const { store, ask, serve, clock, workspaceId } = await openQueue();
    await serve(4, 20, workspaceId, 70);
    const { id: conversationId } = await ask();
    clock.advance(5000);
    await store.desk.acceptHandoff({ workspaceId, conversationId }, MARIA);
    const { owner, id } = await ask();
    expect((await store.handoffs.readWait(owner, id))?.usualSeconds, "four have a reply").toBeUndefined();
    const more = { workspaceId, conversationId };
    await store.desk.replyAsHuman(more, MARIA, { clientMessageId: "1", body: "Here I am" });
    expect((await store.handoffs.readWait(owner, id))?.usualSeconds).toBe(90);
  });

  test("is the median of the latest 50 hand-offs to which a person replied", async () => {
    const { store, ask, serve } = await openQueue();
    await serve(30, 600);
    await serve(50, 20);
    const { owner, id } = await ask();
    expect((await store.handoffs.readWait(owner, id))?.usualSeconds).toBe(20);
  });

  test("leaves out the hand-offs during which the clock was set back: they waited less than nothing", async () => {
    const { ask, serve, store, workspaceId } = await openQueue();
    await serve(5, 10, workspaceId, -3600);
    const { owner, id } = await ask();
    expect(await store.handoffs.readWait(owner, id)).toEqual({ place: 1 });
    await serve(5, 20);
    expect(await store.handoffs.readWait(owner, id)).toEqual({ place: 1, usualSeconds: 20 });
  });

  test("names no place after the last one that is counted", async () => {
    const { store, ask } = await openQueue();
    for (let count = 0; count < MOST_PLACES - 1; count += 1) await ask();
    const [last, next] = [await ask(), await ask()];
    expect(await store.handoffs.readWait(last.owner, last.id)).toEqual({ place: MOST_PLACES });
    expect(await store.handoffs.readWait(next.owner, next.id)).toEqual({});
    const listed = await store.handoffs.listWaits(last.owner.workspaceId);
    expect(listed.at(-1)).toEqual({ conversationId: last.id, wait: { place: MOST_PLACES } });
  });

  test("is read by indexes: no query scans a table or sorts it", async () => {
    const { database, ask, serve } = await openQueue();
    await serve(5, 60);
    const { owner, id } = await ask();
    const { sql, queries } = recording(createSql(database));
    readWait(sql, owner, id);
    listWaits(sql, owner.workspaceId);
    const plans = queries.flatMap(({ text, values }) =>
      database
        .prepare(`EXPLAIN QUERY PLAN ${text}`)
        .all(...values)
        .map(({ detail }) => String(detail)),
    );
    expect(queries).toHaveLength(5);
    expect(plans.filter((step) => /^SCAN (?!\(subquery)|TEMP B-TREE/.test(step))).toEqual([]);
    expect(plans.filter((step) => step.includes("handoffs_replied"))).toHaveLength(2);
    expect(plans.filter((step) => step.includes("conversations_by_queue"))).toHaveLength(2);
  });
});
