import { Failure } from "../../shared/errors.ts";
import { LoggedEvent } from "../../shared/event.ts";
import { isAnonymousId } from "../../shared/id.ts";
import { type RedisLine, script } from "../redis/redis-line.ts";
import { channelOf } from "../redis/redis-peers.ts";
import { type FeedStore, type LogName, PlaceTaken } from "./feed-store.ts";
import { formatFeedWord } from "./feed-word.ts";
import { KEPT_MS } from "./feeds.ts";

/**
 * KEYS: the list of entries, the places of keys. ARGV: entries before, life, channel, word, count of entries, the entries,
 * then message keys and their places. All or none, and told in the very step, so that everybody hears them in order.
 */
const APPEND = script(`
if redis.call('LLEN', KEYS[1]) ~= tonumber(ARGV[1]) then return 0 end
local count = tonumber(ARGV[5])
for i = 6, 5 + count do redis.call('RPUSH', KEYS[1], ARGV[i]) end
for i = 6 + count, #ARGV, 2 do redis.call('HSETNX', KEYS[2], ARGV[i], ARGV[i + 1]) end
redis.call('PEXPIRE', KEYS[1], ARGV[2])
redis.call('PEXPIRE', KEYS[2], ARGV[2])
redis.call('PUBLISH', ARGV[3], ARGV[4])
return 1`);

const READ = script(`
redis.call('PEXPIRE', KEYS[1], ARGV[2])
redis.call('PEXPIRE', KEYS[2], ARGV[2])
return redis.call('LRANGE', KEYS[1], ARGV[1], -1)`);

const FIND = script(`
local place = redis.call('HGET', KEYS[2], ARGV[1])
return place and redis.call('LINDEX', KEYS[1], place)`);

/** The logs that several BFFs share: a list each, whose place is the seq. Each expires by itself. */
export function createRedisFeedStore(line: RedisLine, prefix: string): FeedStore {
  const keysOf = ({ externalId, conversationId }: LogName) => {
    const name = JSON.stringify([externalId, conversationId]);
    return [`${prefix}log:${name}`, `${prefix}log-keys:${name}`];
  };
  const lifeOf = ({ externalId }: LogName) =>
    String(isAnonymousId(externalId) ? KEPT_MS.anonymous : KEPT_MS.identified);
  const channel = channelOf(prefix, "feed");

  return {
    lastSeq: async (log) => Number(await line.send("LLEN", keysOf(log)[0] ?? "")),
    async append(log, events) {
      const first = events[0];
      if (!first) return;
      const places = events.flatMap((event) =>
        event.type === "message.created" && event.message.clientMessageId !== undefined
          ? [event.message.clientMessageId, String(event.seq - 1)]
          : [],
      );
      const args = [
        String(first.seq - 1),
        lifeOf(log),
        channel,
        formatFeedWord(log, events),
        String(events.length),
        ...events.map((event) => JSON.stringify(event)),
      ];
      if ((await line.run(APPEND, keysOf(log), [...args, ...places])) !== 1) {
        throw new PlaceTaken();
      }
    },
    async read(log, after) {
      const entries = await line.run(READ, keysOf(log), [String(after), lifeOf(log)]);
      return (entries as string[]).map(eventOf);
    },
    async find(log, key) {
      const entry = await line.run(FIND, keysOf(log), [key]);
      return typeof entry === "string" ? eventOf(entry) : undefined;
    },
    // Each log expires by itself.
    purge: () => Promise.resolve(),
    // The line is closed with the sessions.
    close: () => Promise.resolve(),
  };
}

/** An entry is believed only when it is one: others may write where the store is. */
function eventOf(text: string): LoggedEvent {
  try {
    const parsed = LoggedEvent.safeParse(JSON.parse(text));
    if (parsed.success) return parsed.data;
  } catch {
    // Told below, as for every other form that is none.
  }
  throw new Failure("unavailable", { cause: new Error("an entry of a log is not one of ours") });
}
