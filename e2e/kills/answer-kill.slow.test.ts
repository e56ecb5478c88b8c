import { spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import * as z from "zod/mini";
import { createAnswers } from "../../service/answers/answers.ts";
import { createHub } from "../../service/live/hub.ts";
import { checkDatabase } from "../../service/store/sqlite/check-database.ts";
import { openSqliteStore } from "../../service/store/sqlite/sqlite-store.ts";
import { createSilentAgent } from "../../service/testing/agents.ts";
import { createMemoryLog } from "../../service/testing/memory-log.ts";
import { newDatabasePath } from "../../service/testing/test-store.ts";
import { NO_TOOLS } from "../../service/tools/toolbox.ts";
import { systemClock } from "../../shared/server/clock.ts";
import { systemRandom } from "../../shared/server/random.ts";

const PROGRAM = fileURLToPath(new URL("./answer-kill-main.ts", import.meta.url));
const ROUNDS = 5;
/** How much of an answer the service may lose at most (docs/decisions/0041-answer-leases.md). */
const MAX_LOST = 2048;
const Started = z.object({
  owner: z.object({ workspaceId: z.string(), customerId: z.string() }),
  id: z.string(),
});

/** Starts the answer, and kills its process once `enough` characters were shown. */
async function answerAndKill(path: string, round: number, enough: number, mode = "") {
  const child = spawn(process.execPath, [PROGRAM, path, `round ${round}`, mode], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  let printed = "";
  child.stdout.setEncoding("utf8").on("data", (chunk: string) => {
    printed += chunk;
    if (printed.length > enough) child.kill("SIGKILL");
  });
  await once(child, "close");
  expect(child.signalCode).toBe("SIGKILL");
  const [first = "", ...deltas] = printed.split("\n").slice(0, -1);
  return {
    ...Started.parse(JSON.parse(first)),
    shown: deltas.map((line) => z.string().parse(JSON.parse(line))).join(""),
  };
}

/** The next process's result: two starts, so a second closing message would be noticed. */
async function closeAfterwards(path: string, { owner, id }: z.infer<typeof Started>) {
  const clock = systemClock;
  const random = systemRandom;
  const log = createMemoryLog();
  const store = openSqliteStore({ path, clock, random, publish: () => undefined });
  const hub = createHub(() => undefined);
  for (let starts = 0; starts < 2; starts += 1) {
    const agents = [createSilentAgent({ id: "knowledge" })];
    const answers = createAnswers({
      toolbox: NO_TOOLS,
      store: store.answers,
      hub,
      agents,
      clock,
      random,
      log,
    });
    await answers.start({ isOnlyProcess: true });
    await answers.settled();
    await answers.close();
  }
  const { messages } = await store.conversations.readTranscript(owner, id, 0, 100);
  await store.close();
  return messages.slice(1);
}

describe("SIGKILL while an agent answers", () => {
  test(`AGENT3 ${ROUNDS} times: what was shown is in the log as incomplete, once, except for at most the last 2,048 characters`, async () => {
    const path = newDatabasePath();
    for (let round = 0; round < ROUNDS; round += 1) {
      const killed = await answerAndKill(path, round, 3000 + round * 3000);
      const answers = await closeAfterwards(path, killed);
      expect(answers).toMatchObject([{ role: "agent", incomplete: true, notice: "agent_failed" }]);
      const body = answers[0]?.body ?? "";
      expect(body.length).toBeGreaterThanOrEqual(killed.shown.length - MAX_LOST);
      const common = Math.min(body.length, killed.shown.length);
      expect(body.slice(0, common)).toBe(killed.shown.slice(0, common));
    }
    expect(checkDatabase(path).faults).toEqual([]);
  });

  test("a process that stores nothing of its answer is detected (control)", async () => {
    const path = newDatabasePath();
    const killed = await answerAndKill(path, 0, 6000, "unsaved");
    expect(killed.shown.length).toBeGreaterThan(MAX_LOST);
    const answers = await closeAfterwards(path, killed);
    expect(answers[0]?.body.startsWith(killed.shown.slice(0, 100))).toBe(false);
  });
});
