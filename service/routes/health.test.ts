import { renameSync, writeFileSync } from "node:fs";
import { DatabaseSync } from "node:sqlite";
import { describe, expect, test } from "vitest";
import { Failure } from "../../shared/errors.ts";
import { createSilentAgent, echoAgent } from "../testing/agents.ts";
import { createHeldPause } from "../testing/held-pause.ts";
import { openTestService } from "../testing/test-service.ts";

describe("health", () => {
  test("/livez and /readyz are 200 when a question could be answered", async () => {
    const t = await openTestService();
    expect((await t.request("/livez")).status).toBe(200);
    const ready = await t.request("/readyz");
    expect(ready.status).toBe(200);
    expect(await ready.json()).toEqual({ ready: true, reasons: [], notes: [] });
  });

  test("/readyz is 503 with a reason while the store can't be written, and /livez stays 200", async () => {
    const t = await openTestService();
    const store = { ...t.store, probe: () => Promise.reject(new Failure("storage_full")) };
    const full = await openTestService({ store });
    const ready = await full.request("/readyz");
    expect(ready.status).toBe(503);
    expect(await ready.json()).toEqual({
      ready: false,
      reasons: [expect.stringMatching(/^The disk .* is full/)],
      notes: [],
    });
    expect((await full.request("/livez")).status).toBe(200);
  });

  test("the store is written at most once a second, however many probes come", async () => {
    const given = await openTestService();
    let writes = 0;
    const probe = () => {
      writes += 1;
      return given.store.probe();
    };
    const t = await openTestService({ store: { ...given.store, probe } });
    await Promise.all(Array.from({ length: 20 }, () => t.request("/readyz")));
    await t.service.ready();
    expect(writes).toBe(1);
    t.clock.advance(1000);
    await t.request("/readyz");
    expect(writes).toBe(2);
  });

  test("/readyz is 503 while no agent can answer, 200 as soon as one can", async () => {
    const down = createSilentAgent({ id: "down", unavailable: () => "The articles are gone." });
    const none = await openTestService({ agents: [down] });
    expect(await (await none.request("/readyz")).json()).toMatchObject({
      reasons: ["The articles are gone."],
    });
    const one = await openTestService({ agents: [down, echoAgent] });
    expect((await one.request("/readyz")).status).toBe(200);
  });

  test("/readyz stays 200 while only another server keeps the agent from answering, and says so", async () => {
    const down = createSilentAgent({ id: "down", unavailable: () => "The model server gives no answers." });
    const t = await openTestService({ agents: [{ ...down, isWaiting: () => true }] });
    const ready = await t.request("/readyz");
    expect(ready.status).toBe(200);
    expect(await ready.json()).toMatchObject({ reasons: [], notes: ["The model server gives no answers."] });
  });

  test("/readyz stays 200 while an agent has something to note, and repeats it", async () => {
    const agent = { ...echoAgent, notes: () => ["The pages are two days old."] };
    const t = await openTestService({ agents: [agent, { ...agent, id: "other" }] });
    const ready = await t.request("/readyz");
    expect(ready.status).toBe(200);
    expect(await ready.json()).toEqual({ ready: true, reasons: [], notes: ["The pages are two days old."] });
    expect(t.service.notes()).toEqual(["The pages are two days old."]);
  });

  test("/readyz writes for real: reading would not detect a lock that another process holds", async () => {
    const lockWait = createHeldPause();
    lockWait.letGo();
    const t = await openTestService({}, undefined, { pause: lockWait.pause });
    const other = new DatabaseSync(t.path);
    other.exec("BEGIN IMMEDIATE");
    expect((await t.request("/readyz")).status).toBe(503);
    expect(await t.store.workspaces.list()).toHaveLength(1);
    other.exec("ROLLBACK");
    other.close();
    t.clock.advance(1000);
    expect((await t.request("/readyz")).status).toBe(200);
  });

  test("/readyz is 503 once the database was deleted or replaced under the process: no later start would find its data", async () => {
    const t = await openTestService();
    const away = `${t.path}.away`;
    renameSync(t.path, away);
    const answer = await t.request("/readyz");
    expect(answer.status).toBe(503);
    expect(await answer.json()).toMatchObject({
      reasons: [expect.stringContaining("Put the same file back")],
    });
    writeFileSync(t.path, "another");
    t.clock.advance(1000);
    expect((await t.request("/readyz")).status).toBe(503);
    renameSync(away, t.path);
    t.clock.advance(1000);
    expect((await t.request("/readyz")).status).toBe(200);
  });
});
