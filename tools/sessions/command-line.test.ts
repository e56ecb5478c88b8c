import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { openStore } from "../../bff/store/open-store.ts";
import type { Store } from "../../bff/store/store.ts";
import { hasRedis, openOn, startRedis } from "../../bff/testing/redis-server.ts";
import { createTestBff, problemOf } from "../../bff/testing/test-bff.ts";
import { settle } from "../../bff/testing/test-clock.ts";
import { completed, delta, withTurnLines } from "../../bff/testing/turn-lines.ts";
import { createFakeService, json } from "../../service/testing/fake/fake-service.ts";
import { runSessions } from "./command-line.ts";

const LIFE_MS = 3_600_000;
const quiet = () => undefined;
const QUIET = { debug: quiet, info: quiet, warn: quiet, error: quiet };

const run = async (env: Record<string, string>, ...args: string[]) => {
  const lines: string[] = [];
  await runSessions({ args, env, readFile: () => "", print: (line) => void lines.push(line) });
  return lines.join("\n");
};

const sessionOf = (externalId: string) => ({
  facts: {
    customer: { externalId, displayName: `Name of ${externalId}`, identified: true },
    route: { channel: "web", agentProvider: "knowledge" },
    capabilities: [],
  },
  sealedToken: "010203",
  createdAt: 1,
  lastSeenAt: 1,
});

/** A data folder with a session, a pointer and a log each for ben and for ann, who was anon_1 before. */
async function openFolder() {
  const dataDir = mkdtempSync(join(tmpdir(), "parley-sessions-"));
  onTestFinished(() => rmSync(dataDir, { recursive: true, force: true }));
  const store = await openStore({ dataDir, storeUrl: undefined, siteId: "parley" }, { log: QUIET });
  onTestFinished(() => store.close());
  const put = (key: string, value: object) =>
    store.write([{ key, value: JSON.stringify(value), lifeMs: LIFE_MS }]);
  for (const name of ["ann", "ben"]) {
    await put(`session:session-${name}`, sessionOf(name));
    await put(`pointer:${name}`, {
      conversationId: `c-${name}`,
      status: "open",
      epoch: "e",
      started: 1,
      handoffs: 0,
      ...(name === "ann" ? { visitors: ["anon_1", "anon_2"] } : {}),
    });
    const log = JSON.stringify([name === "ann" ? "anon_1" : name, `c-${name}`]);
    await put(`log:${log}`, [{ body: `words of ${name}` }]);
  }
  const bytes = () =>
    readdirSync(dataDir)
      .map((name) => readFileSync(join(dataDir, name), "latin1"))
      .join("");
  return { dataDir, store, bytes, run: (...args: string[]) => run({ DATA_DIR: dataDir }, ...args) };
}

const has = async (store: Store, key: string) => (await store.get(key)) !== undefined;

describe("erasing a customer from the embedded store", () => {
  it("STORE10 removes sessions, pointers and logs, including those of the customer's anonymous time, and nobody else's", async () => {
    const { store, run: runHere, bytes } = await openFolder();
    const said = await runHere("erase", "--external-id", "ann");
    expect(said).toContain("Erased 1 session, 1 pointer to conversations and 1 entry of logs.");
    expect(said).toContain("They wrote as anon_1");
    expect(said).toContain("They wrote as anon_2");
    expect(bytes()).not.toMatch(/ann\b|anon_1/);
    expect(bytes()).toContain("words of ben");
    expect(await has(store, "session:session-ben")).toBe(true);
    expect(await runHere("erase", "--external-id", "ann")).toContain("Nothing is stored about this customer");
  });

  it("STORE10 nothing comes back while a BFF writes an answer or waits for a hand-off", async () => {
    const { store, bytes, run: runHere } = await openFolder();
    const service = createFakeService({ kind: "turns" });
    const lines = withTurnLines(service);
    const bff = createTestBff({ service, store });
    const { token, customer } = await bff.startSession();
    const taken = bff.post("/api/conversation", { clientMessageId: "k1", body: "canary" }, token);
    await settle();
    lines[0]?.send(delta("It "));
    expect((await taken).status).toBe(201);
    const [conversationId = ""] = service.conversations.keys();
    const held = Promise.withResolvers<Response>();
    service.answer("handoffs", () => held.promise);
    const asked = bff.post("/api/conversation/handoff", {}, token);
    await settle();
    expect(service.calls("handoffs")).toHaveLength(1);

    expect(bytes(), "control").toContain(customer.externalId);
    await runHere("erase", "--external-id", customer.externalId);
    lines[0]?.send(completed("It is on its way."));
    lines[0]?.end();
    held.resolve(json({ handoff: { id: "h1", conversationId, status: "requested" } }, 201));
    expect((await asked).ok).toBe(false);
    await settle();
    expect(bytes()).not.toContain(customer.externalId);
  });

  it("STORE10 their messages are in the file before (control)", async () => {
    const { bytes } = await openFolder();
    expect(bytes()).toMatch(/words of ann/);
  });

  it.each([
    [[], "Unknown command."],
    [["backup", "/tmp/never"], "Unknown command."],
    [["erase"], "Name the customer with --external-id."],
    [["erase", "--frob"], "Unknown option"],
  ])("refuses %j with a sentence", async (args, sentence) => {
    const { run: runHere } = await openFolder();
    await expect(runHere(...args)).rejects.toThrow(sentence);
  });

  it("refuses a folder without a store with a sentence", async () => {
    await expect(run({ DATA_DIR: "/nowhere" }, "erase", "--external-id", "ann")).rejects.toThrow(
      "There is no /nowhere/bff.sqlite",
    );
  });
});

describe.runIf(hasRedis)("erasing a customer from the shared store", () => {
  it("SHARE8 removes sessions, pointer and log while a BFF runs, and touches nobody else's", async () => {
    const redis = await startRedis();
    const service = createFakeService({ kind: "turns" });
    const lines = withTurnLines(service);
    const bff = createTestBff({ service, store: await openOn(redis) });
    const begin = async (body: string) => {
      const { token, customer } = await bff.startSession();
      const answer = bff.post("/api/conversation", { clientMessageId: "k1", body }, token);
      const index = lines.length;
      while (!lines[index]) await settle();
      lines[index]?.send(completed("Yes."));
      lines[index]?.end();
      expect((await answer).status).toBe(201);
      return { token, id: customer.externalId };
    };
    const one = await begin("canary of one");
    const other = await begin("canary of another");
    const dump = async () => {
      const text =
        "local t = {} for _, k in ipairs(redis.call('KEYS', '*')) do t[#t+1] = k .. redis.call('DUMP', k) end return table.concat(t)";
      return String(await redis.command("EVAL", text, "0"));
    };
    expect(await dump()).toContain(one.id);
    const erase = () => run({ STORE_URL: redis.url }, "erase", "--external-id", one.id);
    expect(await erase()).toContain("Erased 1 session, 1 pointer to conversations and 3 entries of logs.");
    expect(await dump()).not.toContain(one.id);
    expect(await problemOf(await bff.post("/api/session", {}, one.token))).toBe("401 unauthenticated");
    expect((await bff.post("/api/session", {}, other.token)).status).toBe(200);
    expect(await erase()).toContain("Nothing is stored about this customer");
    const elsewhere = run({ STORE_URL: redis.url, SITE_ID: "shop" }, "erase", "--external-id", other.id);
    await expect(elsewhere).rejects.toThrow("No BFF has used this store with SITE_ID=shop");
  });
});
