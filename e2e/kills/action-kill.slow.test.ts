import { spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import * as z from "zod/mini";
import { createActions } from "../../service/actions/actions.ts";
import { checkDatabase } from "../../service/store/sqlite/check-database.ts";
import { openSqliteStore } from "../../service/store/sqlite/sqlite-store.ts";
import { createMemoryLog } from "../../service/testing/memory-log.ts";
import { newDatabasePath } from "../../service/testing/test-store.ts";
import { systemClock } from "../../shared/server/clock.ts";
import { systemRandom } from "../../shared/server/random.ts";

const PROGRAM = fileURLToPath(new URL("./action-kill-main.ts", import.meta.url));
const Started = z.object({
  owner: z.object({ workspaceId: z.string(), customerId: z.string() }),
  id: z.string(),
  actionId: z.string(),
});

/** Starts the process, and kills it once the tool was called. */
async function allowAndKill(path: string) {
  const child = spawn(process.execPath, [PROGRAM, path], { stdio: ["ignore", "pipe", "inherit"] });
  let printed = "";
  child.stdout.setEncoding("utf8").on("data", (chunk: string) => {
    printed += chunk;
    if (printed.includes("called\n")) child.kill("SIGKILL");
  });
  await once(child, "close");
  expect(child.signalCode).toBe("SIGKILL");
  expect(printed.match(/called/g)).toHaveLength(1);
  return Started.parse(JSON.parse(printed.split("\n")[0] ?? ""));
}

test("ACT2 ACT3 SIGKILL between the consent and the result: reported as unknown, and never run again", async () => {
  const path = newDatabasePath();
  const { owner, id, actionId } = await allowAndKill(path);
  const [clock, random, log] = [systemClock, systemRandom, createMemoryLog()];
  const store = openSqliteStore({ path, clock, random, publish: () => undefined });
  const read = async () => (await store.conversations.readTranscript(owner, id, 0, 100)).actions;
  // The control: without a next process nothing is reported.
  expect((await read())?.[0]).not.toHaveProperty("result");
  let calls = 0;
  const act = async () => {
    calls += 1;
    return { status: "completed" } as const;
  };
  for (let starts = 0; starts < 2; starts += 1) {
    const actions = createActions({ store: store.actions, toolbox: { act }, clock, random, log });
    await actions.start({ isOnlyProcess: true });
    // The customer presses the button again.
    await actions.answerAsCustomer(owner, id, { actionId, approved: true });
    await actions.settled();
    await actions.close();
  }
  expect(await read()).toMatchObject([{ actionId, approved: true, result: { status: "unknown" } }]);
  expect(calls).toBe(0);
  await store.close();
  expect(checkDatabase(path).faults).toEqual([]);
});
