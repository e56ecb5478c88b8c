import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { Pool } from "undici";
import * as z from "zod/mini";
import { freePort } from "../../bff/testing/free-port.ts";
import { checkDatabase } from "../../service/store/sqlite/check-database.ts";
import { createProgram, type Program } from "../kit/program.ts";
import { createWorkspace } from "../kit/service-client.ts";
import type { SeededRandom } from "./random.ts";

const WRITERS = 8;
/** A round is killed after a random number of acknowledgements in this range. */
const ENOUGH = [3, 120] as const;
/** How often the whole database is verified, which costs more with each round. Keys are checked in every round. */
const CHECK_EVERY = 50;
/** A session of the service is valid for some minutes. */
const SESSION_EVERY = 20;
/** A dead process refuses at once; this timeout finds one that hangs, in ms. */
const ANSWER_MS = 20_000;

export interface KillRounds {
  readonly rounds: number;
  readonly acknowledged: number;
  /** Messages sent again because a kill left them unconfirmed. */
  readonly resent: number;
  readonly lost: number;
  readonly doubled: number;
  /** Faults that the service's own check of the database found. */
  readonly faults: readonly string[];
  readonly ms: number;
}

interface Writer {
  readonly externalId: string;
  token: string;
  conversationId: string;
  /** Sent when the process was killed, and not acknowledged: sent again with the same key. */
  doubt: string | undefined;
}

const Session = z.object({ token: z.string() });
const Started = z.object({ conversation: z.object({ id: z.string() }) });

/**
 * Runs the service in its own process, kills it with SIGKILL while customers write to it, and starts it again on the
 * same data, repeatedly. All that it acknowledged must exist exactly once, and unconfirmed messages can be sent again.
 */
export async function runKillRounds(rounds: number, random: SeededRandom): Promise<KillRounds> {
  const folder = mkdtempSync(join(tmpdir(), "parley-kills-"));
  const path = join(folder, "service.sqlite");
  const startedAt = performance.now();
  const found = { rounds, acknowledged: 0, resent: 0, lost: 0, doubled: 0, faults: [] as string[] };
  try {
    const { credential } = await createWorkspace({ dataDir: folder });
    const program = createProgram({
      main: "service/main.ts",
      port: await freePort(),
      env: { DATA_DIR: folder, LOG_LEVEL: "silent" },
    });
    const writers = Array.from(
      { length: WRITERS },
      (_, at): Writer => ({
        externalId: `writer-${at}`,
        token: "",
        conversationId: "",
        doubt: undefined,
      }),
    );
    for (let round = 0; round < rounds; round += 1) {
      await program.start();
      const kept = await writeAndKill({ program, credential, writers, round, random });
      found.acknowledged += kept.keys.length;
      found.resent += kept.resent;
      found.lost += kept.keys.length - countStored(path, kept.keys);
      if (round !== rounds - 1 && round % CHECK_EVERY !== 0) continue;
      found.faults.push(...checkDatabase(path).faults.map((fault) => `round ${round}: ${fault}`));
    }
    found.doubled = countDoubled(path);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
  return { ...found, ms: Math.round(performance.now() - startedAt) };
}

interface Round {
  readonly program: Program;
  readonly credential: string;
  readonly writers: readonly Writer[];
  readonly round: number;
  readonly random: SeededRandom;
}

/** Returns every key that a 2xx acknowledged, with its conversation. */
async function writeAndKill({ program, credential, writers, round, random }: Round) {
  const pool = new Pool(program.url, { connections: WRITERS, headersTimeout: ANSWER_MS });
  const post = createPost(pool);
  const keys: Kept[] = [];
  const enough = random.between(...ENOUGH);
  let resent = 0;
  let killed: Promise<unknown> | undefined;
  if (round % SESSION_EVERY === 0)
    await Promise.all(writers.map((writer) => enter(post, credential, writer)));
  const write = async (writer: Writer, at: number) => {
    for (let turn = 0; !killed; turn += 1) {
      if (writer.doubt !== undefined) resent += 1;
      writer.doubt ??= `${round}-${at}-${turn}`;
      const path = `/v1/support/conversations/${writer.conversationId}/turns`;
      const turned = {
        clientMessageId: writer.doubt,
        content: { body: `Text ${writer.doubt}`, format: "plain" },
      };
      const isKept = await post(path, writer.token, { ...turned, attachments: [] }).then(
        () => true,
        (error: unknown) => {
          // Only a kill may leave it unconfirmed.
          if (!killed) throw error;
          return false;
        },
      );
      if (!isKept) return;
      keys.push({ key: writer.doubt, conversationId: writer.conversationId });
      writer.doubt = undefined;
      if (keys.length >= enough) killed ??= program.end("SIGKILL");
    }
  };
  try {
    await Promise.all(writers.map(write));
  } finally {
    await (killed ?? program.end("SIGKILL"));
    await pool.destroy();
  }
  return { keys, resent };
}

type Post = (path: string, bearer: string, body: unknown) => Promise<unknown>;

/** @throws Error when there was no 2xx */
function createPost(pool: Pool): Post {
  return async (path, bearer, body) => {
    const headers = { authorization: `Bearer ${bearer}`, "content-type": "application/json" };
    const answer = await pool.request({ method: "POST", path, headers, body: JSON.stringify(body) });
    const text = await answer.body.text();
    if (answer.statusCode >= 300) throw new Error(`${path} answered ${answer.statusCode}: ${text}`);
    return JSON.parse(text);
  };
}

/** A session, and the first time a conversation in which a person was asked for, so that no agent writes. */
async function enter(post: Post, credential: string, writer: Writer): Promise<void> {
  writer.token = Session.parse(
    await post("/v1/sdk/sessions", credential, { externalId: writer.externalId }),
  ).token;
  if (writer.conversationId !== "") return;
  writer.conversationId = Started.parse(
    await post("/v1/support/conversations", writer.token, {}),
  ).conversation.id;
  await post("/v1/support/handoffs", writer.token, { conversationId: writer.conversationId });
}

interface Kept {
  readonly key: string;
  readonly conversationId: string;
}

/** Opens the files after the kill, as the next process would. */
function countStored(path: string, keys: readonly Kept[]): number {
  const database = new DatabaseSync(path);
  const find = database.prepare(
    "SELECT 1 FROM message_keys WHERE conversation_id = ? AND author = 'customer' AND client_message_id = ?",
  );
  const stored = keys.filter(({ key, conversationId }) => find.get(conversationId, key) !== undefined);
  database.close();
  return stored.length;
}

/** Texts that are stored more than once: every one was sent under its own key. */
function countDoubled(path: string): number {
  const database = new DatabaseSync(path, { readOnly: true });
  const row = database
    .prepare(
      `SELECT count(*) - count(DISTINCT data_json ->> '$.message.body') AS many FROM events
       WHERE type = 'message.created' AND data_json ->> '$.message.body' IS NOT NULL`,
    )
    .get();
  database.close();
  return Number(row?.["many"]);
}
