import { describe, expect, it } from "vitest";
import { hasRedis, openOn, startRedis } from "../../bff/testing/redis-server.ts";
import { createScriptedService } from "../../bff/testing/scripted-service.ts";
import { createTestBff, problemOf } from "../../bff/testing/test-bff.ts";
import { settle } from "../../bff/testing/test-clock.ts";
import { completed, withTurnLines } from "../../bff/testing/turn-lines.ts";
import { runSharedKept } from "./kept-shared.ts";

const run = async (url: string, ...args: string[]) => {
  const lines: string[] = [];
  const env = { STORE_URL: url };
  await runSharedKept({ args, env, readFile: () => "", print: (line) => void lines.push(line) });
  return lines.join("\n");
};

describe.runIf(hasRedis)("erasing a customer from the shared store", () => {
  it("SHARE8 takes sessions, pointer and log, ends what runs, and touches nobody else's", async () => {
    const redis = await startRedis();
    const service = createScriptedService();
    const lines = withTurnLines(service);
    const bff = createTestBff({ service, ...(await openOn(redis)) });
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
    const said = await run(redis.url, "erase", "--external-id", one.id);
    expect(said).toContain("Erased 1 sessions, 1 pointers to conversations and 3 entries of logs.");
    expect(await dump()).not.toContain(one.id);
    expect(await problemOf(await bff.post("/api/session", {}, one.token))).toBe("401 unauthenticated");
    expect((await bff.post("/api/session", {}, other.token)).status).toBe(200);
    expect(await run(redis.url, "erase", "--external-id", one.id)).toContain("keep nothing of this customer");
  });

  it("is the only command there: copies are made by the store's own means", async () => {
    await expect(run("redis://127.0.0.1:1", "backup", "/tmp/never")).rejects.toThrow(
      /^Sessions are in the store/,
    );
    await expect(run("redis://127.0.0.1:1", "erase")).rejects.toThrow(
      "Name the customer with --external-id.",
    );
  });
});
