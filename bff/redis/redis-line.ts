import { createHash } from "node:crypto";
import { createClient, ErrorReply } from "@redis/client";
import { Failure } from "../../shared/errors.ts";
import type { Clock } from "../../shared/server/clock.ts";
import type { StoreAddress } from "./store-address.ts";

/** A store that does not answer for so long counts as away. The library's own limit ends when a command was written. */
const COMMAND_MS = 2000;

/** How long a start waits for the store before it goes on without; then it is not ready until the store is there. */
const FIRST_CONNECT_MS = 3000;
const CONNECT_MS = 2000;
const MAX_BACKOFF_MS = 1000;
const PING_MS = 3000;
/** A connection without a byte for so long is dead, whatever TCP believes; pings keep a live one from it. */
const SILENT_MS = 10_000;

/** A program that the store runs as one atomic step. */
export interface Script {
  readonly text: string;
  readonly sha: string;
}

export function script(text: string): Script {
  return { text, sha: createHash("sha1").update(text).digest("hex") };
}

/** The line to the shared store. Everything fails at once while it is down, and comes back by itself. */
export interface RedisLine {
  /** @throws Failure unavailable, storage_full; its `cause` is the store's error */
  send(...command: string[]): Promise<unknown>;
  /** @throws as `send` */
  run(program: Script, keys: readonly string[], args: readonly string[]): Promise<unknown>;
  /** Hears what is published on a channel from now on, through cuts of the line. */
  subscribe(channel: string, listen: (text: string) => void): Promise<void>;
  /** Runs each time that the subscriptions were down and are there again. */
  onResubscribed(run: () => void): void;
  readonly isUp: boolean;
  close(): void;
}

/**
 * Opens the line. A store that can't be reached now may be there in a moment, so that is no reason not to start; one that
 * answers "not you" is.
 *
 * @throws Error with one sentence when the store refuses the user, the password or the database
 */
export async function openRedisLine(
  address: StoreAddress,
  { clock, onDown }: { readonly clock: Clock; readonly onDown: () => void },
): Promise<RedisLine> {
  let isStarting = true;
  const { host, port, tls, database, username, password } = address;
  const options = {
    socket: {
      host,
      port,
      ...(tls ? { tls: true as const } : {}),
      connectTimeout: CONNECT_MS,
      socketTimeout: SILENT_MS,
      reconnectStrategy: (retries: number, cause: Error) =>
        isStarting && cause instanceof ErrorReply ? cause : Math.min(50 * 2 ** retries, MAX_BACKOFF_MS),
    },
    database,
    ...(username === undefined ? {} : { username }),
    ...(password === undefined ? {} : { password }),
    disableOfflineQueue: true,
    pingInterval: PING_MS,
  };
  const client = createClient(options);
  const hearing = createClient({ ...options, disableOfflineQueue: false });
  // Each failed try says so; what matters is that a line that stood went down.
  const note = () => {
    if (!isStarting) onDown();
  };
  client.on("error", note);
  hearing.on("error", () => undefined);
  const resubscribed: (() => void)[] = [];
  hearing.on("ready", () => {
    for (const run of resubscribed) run();
  });
  const destroy = () => {
    for (const one of [client, hearing]) if (one.isOpen) one.destroy();
  };
  await firstConnection(clock, [client.connect(), hearing.connect()], destroy);
  isStarting = false;

  async function attempt<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await inTime(clock, work());
    } catch (cause) {
      const isFull = cause instanceof ErrorReply && cause.message.startsWith("OOM");
      throw new Failure(isFull ? "storage_full" : "unavailable", { cause });
    }
  }
  async function evaluate({ sha, text }: Script, rest: readonly string[]): Promise<unknown> {
    try {
      return await client.sendCommand(["EVALSHA", sha, ...rest]);
    } catch (error) {
      // Forgotten when the store was started anew.
      if (!(error instanceof ErrorReply && error.message.startsWith("NOSCRIPT"))) throw error;
      return client.sendCommand(["EVAL", text, ...rest]);
    }
  }

  return {
    send: (...command) => attempt(() => client.sendCommand(command)),
    run: (program, keys, args) => attempt(() => evaluate(program, [String(keys.length), ...keys, ...args])),
    async subscribe(channel, listen) {
      // Waits for the store where it is away: the subscription is there once the store is.
      const isLate = !hearing.isReady;
      const made = hearing.subscribe(channel, (text: string) => listen(text));
      if (!isLate) return attempt(() => made);
      // What was published since the line is there and before this is in nobody's ear.
      made.then(
        () => {
          for (const run of resubscribed) run();
        },
        () => undefined,
      );
    },
    onResubscribed: (run) => void resubscribed.push(run),
    get isUp() {
      return client.isReady;
    },
    close: destroy,
  };
}

/** Whether the store holds something else under a key than was written there by us. */
export function isForeignValue(error: unknown): boolean {
  const cause = error instanceof Failure ? error.cause : undefined;
  return cause instanceof ErrorReply && cause.message.startsWith("WRONGTYPE");
}

async function firstConnection(
  clock: Clock,
  connecting: readonly Promise<unknown>[],
  destroy: () => void,
): Promise<void> {
  const late = Promise.withResolvers<void>();
  const cancel = clock.after(FIRST_CONNECT_MS, late.resolve);
  try {
    await Promise.race([Promise.all(connecting), late.promise]);
  } catch (cause) {
    destroy();
    throw new Error(
      "The store at STORE_URL refused this process. Check the user, the password and the database number.",
      { cause: cause instanceof Error ? cause.name : undefined },
    );
  } finally {
    cancel();
    for (const one of connecting) one.catch(() => undefined);
  }
}

function inTime<T>(clock: Clock, work: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const cancel = clock.after(COMMAND_MS, () => reject(new Error("the store did not answer in time")));
    work.then(resolve, reject).finally(cancel);
  });
}
