import { hash } from "node:crypto";
import { createClient, ErrorReply } from "@redis/client";
import { Failure } from "../../shared/errors.ts";
import { type Clock, isRecent, within } from "../../shared/server/clock.ts";
import { StartError } from "../../shared/server/start-error.ts";

/** A store that is slower counts as unavailable. The library's own limit ends once a command was written. */
const COMMAND_MS = 2000;

/** How long a start waits for the store before it continues without; it is not ready until the store answers. */
const FIRST_CONNECT_MS = 3000;
const CONNECT_MS = 2000;
const MAX_BACKOFF_MS = 1000;
const PING_MS = 3000;
/** A connection without any bytes for this long, in either direction, is dead, whatever TCP reports; pings keep a healthy one alive. */
const SILENT_MS = 10_000;

/** A program that Redis runs as one atomic step. */
export function script(text: string) {
  return { text, sha: hash("sha1", text) };
}

export type RedisConnection = Awaited<ReturnType<typeof connectRedis>>;

/**
 * Opens a connection to Redis for commands and one for subscriptions. Commands fail at once while it is down; both
 * reconnect. A store that can't be reached yet does not stop the start; one that refuses this process does.
 *
 * @throws StartError when the store refuses the user, the password or the database
 */
export async function connectRedis(
  url: string,
  { clock, onDown }: { readonly clock: Clock; readonly onDown: (code?: string) => void },
) {
  let isStarting = true;
  const options = {
    url,
    socket: {
      connectTimeout: CONNECT_MS,
      socketTimeout: SILENT_MS,
      reconnectStrategy: (retries: number, cause: Error) =>
        isStarting && cause instanceof ErrorReply && !cause.message.includes("max number of clients")
          ? cause
          : Math.min(50 * 2 ** retries, MAX_BACKOFF_MS),
    },
    disableOfflineQueue: true,
    pingInterval: PING_MS,
  };
  const client = createClient(options);
  const subscriber = createClient({ ...options, disableOfflineQueue: false });
  // Each failed attempt raises an error; only a connection that went down matters.
  let code: string | undefined;
  client.on("error", (error: Error & { readonly code?: string }) => {
    code = replyCode(error) ?? error.code;
    if (!isStarting) onDown(code);
  });
  subscriber.on("error", () => undefined);
  const resubscribed: (() => void)[] = [];
  const runResubscribed = () => {
    for (const run of resubscribed) run();
  };
  subscriber.on("ready", runResubscribed);
  const close = () => {
    for (const one of [client, subscriber]) if (one.isOpen) one.destroy();
  };
  const late = new Error("no connection yet");
  const connecting = Promise.all([client.connect(), subscriber.connect()]);
  await within(clock, FIRST_CONNECT_MS, connecting, late).catch((cause: unknown) => {
    if (cause === late) return;
    close();
    throw new StartError(
      "The store at STORE_URL refused this process. Check the user, the password and the database number.",
      { cause: cause instanceof Error ? cause.name : undefined },
    );
  });
  isStarting = false;
  if (!client.isReady) onDown(code);
  let leftAt = Number.NEGATIVE_INFINITY;
  /** A command timed out and is still unanswered. Ends with its reply, or when the connection closes. */
  let isSilent = false;
  const settled = () => {
    isSilent = false;
  };

  async function attempt<T>(work: () => Promise<T>): Promise<T> {
    const silence = new Error("the store did not answer in time");
    try {
      // Sends nothing more: each write would restart SILENT_MS, and a dead connection would never be replaced.
      if (isSilent) throw silence;
      return await within(clock, COMMAND_MS, work().finally(settled), silence);
    } catch (cause) {
      if (cause === silence) isSilent = true;
      const code = replyCode(cause);
      // After a failover this is the former primary, and new connections may reach the next one. Not often: it answers reads.
      const isToLeave = code === "READONLY" && !isRecent(clock, leftAt, MAX_BACKOFF_MS);
      if (isToLeave) leftAt = clock.now();
      for (const one of isToLeave ? [client, subscriber] : [])
        if (one.isReady) one.sendCommand(["QUIT"]).catch(() => undefined);
      // The code is for the log.
      throw new Failure(code === "OOM" ? "storage_full" : "unavailable", {
        cause: cause instanceof ErrorReply ? Object.assign(cause, { code }) : cause,
      });
    }
  }
  async function evaluate({ sha, text }: ReturnType<typeof script>, rest: readonly string[]) {
    try {
      return await client.sendCommand(["EVALSHA", sha, ...rest]);
    } catch (error) {
      // Redis forgets scripts when it restarts.
      if (replyCode(error) !== "NOSCRIPT") throw error;
      return client.sendCommand(["EVAL", text, ...rest]);
    }
  }

  return {
    /** @throws Failure unavailable, storage_full; its `cause` is the error of Redis */
    send: (...command: string[]): Promise<unknown> => attempt(() => client.sendCommand(command)),
    /** @throws as `send` */
    run: (program: ReturnType<typeof script>, keys: readonly string[], args: readonly string[]) =>
      attempt<unknown>(() => evaluate(program, [String(keys.length), ...keys, ...args])),
    subscribe(channel: string, listen: (text: string) => void): void {
      const isLate = !subscriber.isReady;
      const made = subscriber.subscribe(channel, (text: string) => listen(text));
      // A late one waited for the connection, and signals in between were missed.
      made.then(isLate ? runResubscribed : undefined, () => undefined);
    },
    /** Runs each time subscriptions are restored. */
    onResubscribed: (run: () => void) => void resubscribed.push(run),
    close,
  };
}

/** The code of an error reply, such as OOM. If a script failed, Redis 6.2 quotes it in an `ERR`, and 7 writes NOPERM in words. */
export function replyCode(error: unknown): string | undefined {
  const message = error instanceof ErrorReply ? error.message.replace(/^ERR The user /, "NOPERM ") : "";
  return /(?:^(?!ERR )|: -)([A-Z]+) /.exec(message)?.[1];
}
