import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { fileURLToPath } from "node:url";
import type { SeededRandom } from "./random.ts";

const WRITER = fileURLToPath(new URL("../../service/store/kill-writer-main.ts", import.meta.url));
/** A round is killed behind this many acknowledgements, from and to: another moment each time. */
const ENOUGH = [5, 200] as const;
/** Looking whether the whole file is sound costs more with each round; keys and sequence are looked at in each. */
const INTEGRITY_EVERY = 50;

export interface KillRounds {
  readonly rounds: number;
  readonly acknowledged: number;
  readonly lost: number;
  /** Conversations with a hole in their sequence, and files that are not sound. */
  readonly faults: readonly string[];
  readonly ms: number;
}

/**
 * The service's store in a process of its own, killed in the middle of writing, on the same file again and again: the
 * shortest way to many kills. All that it acknowledged must be there afterwards.
 */
export async function runKillRounds(rounds: number, random: SeededRandom): Promise<KillRounds> {
  const folder = mkdtempSync(join(tmpdir(), "parley-kills-"));
  const path = join(folder, "service.sqlite");
  const startedAt = performance.now();
  const faults: string[] = [];
  let acknowledged = 0;
  let lost = 0;
  try {
    for (let round = 0; round < rounds; round += 1) {
      const keys = await writeAndKill(path, round, random.between(...ENOUGH));
      acknowledged += keys.length;
      const isLast = round === rounds - 1;
      // Each round's own keys at once, those of all rounds at the end.
      const found = inspect(path, round, isLast || round % INTEGRITY_EVERY === 0);
      lost += keys.filter((key) => !found.keys.has(key)).length;
      faults.push(...found.faults);
    }
    const stored = countKeys(path);
    if (stored < acknowledged)
      faults.push(`${stored} keys are stored at the end, ${acknowledged} were acknowledged`);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
  return { rounds, acknowledged, lost, faults, ms: Math.round(performance.now() - startedAt) };
}

/** Gives every key whose acknowledgement was read. */
async function writeAndKill(path: string, round: number, enough: number): Promise<string[]> {
  const child = spawn(process.execPath, [WRITER, path, String(round)], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  let printed = "";
  let lines = 0;
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    printed += text;
    lines += text.split("\n").length - 1;
    if (lines >= enough) child.kill("SIGKILL");
  });
  await once(child, "close");
  if (child.signalCode !== "SIGKILL") throw new Error(`the writer ended by itself in round ${round}`);
  // A last line without its end was cut by the kill: nobody read it.
  return printed.split("\n").slice(0, -1);
}

/** Opens what the kill left behind, as the next process would. */
function inspect(
  path: string,
  round: number,
  isWhole: boolean,
): { keys: ReadonlySet<string>; faults: string[] } {
  const database = new DatabaseSync(path);
  const rows = database
    .prepare("SELECT client_message_id AS key FROM message_keys WHERE client_message_id GLOB ?")
    .all(`${round}-*`);
  const faults: string[] = [];
  const holes = database
    .prepare(
      `SELECT count(*) AS many FROM conversations c
       WHERE last_seq <> (SELECT count(*) FROM events e WHERE e.conversation_id = c.id)
          OR last_seq <> (SELECT coalesce(max(seq), 0) FROM events e WHERE e.conversation_id = c.id)`,
    )
    .get();
  if (Number(holes?.["many"]) > 0)
    faults.push(`round ${round}: ${Number(holes?.["many"])} conversations with a hole`);
  if (isWhole) {
    const [state] = Object.values(database.prepare("PRAGMA integrity_check").get() ?? {});
    if (state !== "ok") faults.push(`round ${round}: ${String(state)}`);
  }
  database.close();
  return { keys: new Set(rows.map((row) => String(row["key"]))), faults };
}

function countKeys(path: string): number {
  const database = new DatabaseSync(path, { readOnly: true });
  const row = database.prepare("SELECT count(*) AS many FROM message_keys").get();
  database.close();
  return Number(row?.["many"]);
}
