import { Failure } from "../../shared/errors.ts";
import { LoggedEvent } from "../../shared/event.ts";
import { isAnonymousId } from "../../shared/id.ts";
import { type RedisLine, script } from "../redis/redis-line.ts";
import { channelOf } from "../redis/redis-peers.ts";
import type { FeedStore, LogName } from "./feed-store.ts";
import { formatFeedWord } from "./feed-word.ts";
import { KEPT_MS } from "./feeds.ts";

/**
 * The place of an entry that waits for its own, which is known in the store alone. No text can name it there: between the
 * quotes of JSON a quote has a backslash before it. 2 to the 52nd, beyond any log.
 */
const WAITING = 4_503_599_627_370_496;

/**
 * KEYS: the list of entries, the places of keys. ARGV: life, channel, the word before and behind its entries, the first
 * place that waits, count of entries, the entries, then message keys and the places of their entries among them. All or
 * none, placed and told in the very step, so that everybody hears them in order. Gives how many entries there were before.
 */
const APPEND = script(`
local last = redis.call('LLEN', KEYS[1])
local count = tonumber(ARGV[6])
local entries = {}
for i = 1, count do
  local waiting = string.format('"seq":%.0f', ARGV[5] + i - 1)
  entries[i] = string.gsub(ARGV[6 + i], waiting, string.format('"seq":%d', last + i))
  redis.call('RPUSH', KEYS[1], entries[i])
end
for i = 7 + count, #ARGV, 2 do redis.call('HSETNX', KEYS[2], ARGV[i], last + ARGV[i + 1]) end
redis.call('PEXPIRE', KEYS[1], ARGV[1])
redis.call('PEXPIRE', KEYS[2], ARGV[1])
redis.call('PUBLISH', ARGV[2], ARGV[3] .. table.concat(entries, ',') .. ARGV[4])
return last`);

const READ = script(`
redis.call('PEXPIRE', KEYS[1], ARGV[2])
redis.call('PEXPIRE', KEYS[2], ARGV[2])
return redis.call('LRANGE', KEYS[1], ARGV[1], -1)`);

const FIND = script(`
local place = redis.call('HGET', KEYS[2], ARGV[1])
return place and redis.call('LINDEX', KEYS[1], place)`);

/** Closes the list of entries, which is the last of a word. */
const END_OF_WORD = "]}";

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
    async append(log, place) {
      const waiting = place(WAITING);
      const keys = waiting.flatMap((event, index) =>
        event.type === "message.created" && event.message.clientMessageId !== undefined
          ? [event.message.clientMessageId, String(index)]
          : [],
      );
      const word = formatFeedWord(log, []);
      const args = [
        lifeOf(log),
        channel,
        word.slice(0, -END_OF_WORD.length),
        END_OF_WORD,
        String(WAITING),
        String(waiting.length),
        ...waiting.map((event) => JSON.stringify(event)),
      ];
      const last = Number(await line.run(APPEND, keysOf(log), [...args, ...keys]));
      return place(last + 1);
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
