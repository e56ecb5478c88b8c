import type { DatabaseSync } from "node:sqlite";
import { Failure } from "../../../shared/errors.ts";
import type { Random } from "../../../shared/server/random.ts";
import { createId } from "../../ids.ts";
import type { Published } from "../../live/hub.ts";
import { q } from "./query.ts";
import type { Sql } from "./sql.ts";
import { isLocked } from "./storage-failure.ts";

/** The dependencies of one write. Events that it publishes are sent after the commit, and not at all if it fails. */
export interface Transaction {
  readonly sql: Sql;
  /** The time of this write, milliseconds since 1970. */
  readonly now: number;
  newId(prefix: string): string;
  publish(entry: Published): void;
}

/**
 * Runs `work` in a transaction. The promise resolves only after the COMMIT is on disk: a caller that awaits it may
 * report success. Rejects with what `work` threw, or with `storage_full` or `unavailable` (also when the file under the
 * database is no longer the one at its path).
 * `work` must not await: the writes of a group run one after another, synchronously.
 */
export type Write = <T>(work: (transaction: Transaction) => T) => Promise<T>;

/** Calls `run` once after `ms` milliseconds. */
export type Pause = (ms: number, run: () => void) => void;

/** The dependencies of a write that runs now. */
export function createTransaction(
  { sql, random }: { readonly sql: Sql; readonly random: Random },
  now: number,
  publish: Transaction["publish"],
): Transaction {
  return { sql, now, newId: (prefix) => createId(prefix, now, random), publish };
}

export interface WriteQueue {
  readonly write: Write;
  /** Commits queued writes and accepts no more. */
  close(): void;
}

interface Job {
  /** How often the lock was tried since this write was queued. */
  missed: number;
  readonly work: (transaction: Transaction) => unknown;
  readonly resolve: (value: unknown) => void;
  readonly reject: (reason: unknown) => void;
}

interface Done {
  readonly job: Job;
  readonly published: Published[];
  readonly value?: unknown;
  readonly error?: unknown;
}

/** Bounds how long one commit delays reads; a larger group saves nothing measurable. */
const MAX_GROUP = 256;

/** While another process holds the lock, each write retries 100 times, 20 ms apart: for two seconds. */
const LOCK_RETRY_MS = 20;
const LOCK_RETRIES = 100;

/**
 * A group is committed after a turn of the event loop that added nothing to it, or after this many turns. An idle turn
 * costs microseconds; a missed chance to share a commit costs a disk sync.
 */
const MAX_TURNS = 32;

/**
 * Group commit: queued writes share the next commit, so that one fsync serves many (measured: 3.6 times as many durable
 * writes). While a commit blocks, requests gather; they are handled together on the event loop's next turn. While
 * another process holds the lock, each write waits for two seconds and is then refused; reads continue.
 */
export function createWriteQueue(deps: {
  database: DatabaseSync;
  sql: Sql;
  now: () => number;
  random: Random;
  publish: (entry: Published) => void;
  /** The reason why a later start would not find what is written now; undefined if it would. */
  displaced?: () => Error | undefined;
  /** The machine's own timer by default, because another process does not follow a test's clock. */
  pause?: Pause | undefined;
}): WriteQueue {
  const { pause = (ms, run) => void setTimeout(run, ms) } = deps;
  let waiting: Job[] = [];
  let scheduled = false;
  let closed = false;

  const flush = () => {
    scheduled = false;
    // `close` may have written them already.
    if (waiting.length === 0) return;
    const refusal = begin(deps);
    if (isLocked(refusal)) {
      waiting = waiting.filter((job) => stillWaits(job, refusal));
      if (waiting.length === 0) return;
      scheduled = true;
      pause(LOCK_RETRY_MS, flush);
      return;
    }
    const group = waiting.splice(0, MAX_GROUP);
    if (refusal === undefined) commitGroup(deps, group);
    else for (const job of group) job.reject(refusal);
    if (waiting.length > 0) schedule();
  };
  const gather = (seen: number, turns: number) => {
    // `close` may have committed some meanwhile.
    const isGrowing = waiting.length > seen && waiting.length < MAX_GROUP;
    if (!isGrowing || turns === MAX_TURNS) flush();
    else setImmediate(gather, waiting.length, turns + 1);
  };
  const schedule = () => {
    if (scheduled) return;
    scheduled = true;
    setImmediate(gather, 0, 0);
  };
  return {
    write: <T>(work: (transaction: Transaction) => T) =>
      new Promise<T>((resolve, reject) => {
        if (closed) {
          reject(new Failure("unavailable"));
          return;
        }
        waiting.push({ missed: 0, work, resolve: (value) => resolve(value as T), reject });
        schedule();
      }),
    close() {
      closed = true;
      while (waiting.length > 0) {
        const group = waiting.splice(0, MAX_GROUP);
        const refusal = begin(deps);
        if (refusal === undefined) commitGroup(deps, group);
        else for (const job of group) job.reject(refusal);
      }
    },
  };
}

type QueueDeps = Parameters<typeof createWriteQueue>[0];

/** Takes the lock; returns why it could not. */
function begin(deps: QueueDeps): unknown {
  try {
    refuseDisplaced(deps);
    deps.sql.run(q`BEGIN IMMEDIATE`);
    return undefined;
  } catch (error) {
    return error ?? new Error("A transaction did not begin and did not say why.");
  }
}

/** @throws Failure `unavailable` */
function refuseDisplaced({ displaced }: QueueDeps): void {
  const cause = displaced?.();
  if (cause) throw new Failure("unavailable", { cause });
}

/** Counts one more attempt without the lock; the last one refuses the write. */
function stillWaits(job: Job, refusal: unknown): boolean {
  job.missed += 1;
  if (job.missed < LOCK_RETRIES) return true;
  job.reject(refusal);
  return false;
}

/** Runs and commits a group in the open transaction. */
function commitGroup(deps: QueueDeps, group: readonly Job[]): void {
  const done: Done[] = [];
  try {
    for (const job of group) done.push(runJob(deps, job));
    deps.sql.run(q`COMMIT`);
    // The file may have been removed meanwhile: then no write of the group is acknowledged.
    refuseDisplaced(deps);
  } catch (error) {
    if (deps.database.isTransaction) deps.sql.run(q`ROLLBACK`);
    for (const job of group) job.reject(error);
    return;
  }
  for (const { job, published, value, error } of done) {
    for (const entry of published) deps.publish(entry);
    if (error === undefined) job.resolve(value);
    else job.reject(error);
  }
}

/** One write within the group: a failure rolls back only its own savepoint. */
function runJob(deps: QueueDeps, job: Job): Done {
  const published: Published[] = [];
  deps.sql.run(q`SAVEPOINT one_write`);
  try {
    const value = job.work(createTransaction(deps, deps.now(), (entry) => void published.push(entry)));
    deps.sql.run(q`RELEASE one_write`);
    return { job, published, value };
  } catch (error) {
    // On a full disk SQLite undoes the whole transaction, so the whole group is lost.
    if (!deps.database.isTransaction) throw error;
    deps.sql.run(q`ROLLBACK TO one_write`);
    deps.sql.run(q`RELEASE one_write`);
    return {
      job,
      published: [],
      error: error ?? new Error("A write failed without saying why."),
    };
  }
}
