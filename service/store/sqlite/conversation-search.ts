import { loopTurn } from "../../../shared/server/loop-turn.ts";
import { FIRST_WORDS } from "../../../shared/v1/history.ts";
import type { HistoryPage, HistoryPlace } from "../conversations.ts";
import type { Owner } from "../owner.ts";
import { integer, reader, text } from "./columns.ts";
import { NEWEST, OwnRow, ownConversations, pastOf, wordsOf } from "./conversation-history.ts";
import { q } from "./query.ts";
import type { Sql } from "./sql.ts";

const Said = reader({ seq: integer, body: text });

/** Characters that one search reads: some hundredths of a second of work. The next page goes on after them. */
const CHARACTERS = 500_000;
/** Rows that are read in one turn of the event loop. */
const AT_ONCE = 50;
/** Characters of an excerpt before what was found. */
const BEFORE = 40;

/**
 * Searches the messages of the customer's conversations, one after the other from the newest. There is no index of
 * words: it would be a second copy of customers' texts, and split only a few scripts into words
 * (docs/decisions/0059-search-without-an-index.md).
 */
export async function searchOwn(
  sql: Sql,
  owner: Owner,
  given: string,
  after: HistoryPlace = NEWEST,
  limit: number,
): Promise<HistoryPage> {
  const words = [...new Set(fold(given).split(/\s+/).filter(Boolean))];
  const conversations: HistoryPage["conversations"] = [];
  let place = after;
  let left = CHARACTERS;
  for (;;) {
    const rows = sql.all(OwnRow, ownConversations(owner, place, AT_ONCE));
    for (const row of rows) {
      const { excerpt, read } = await searchIn(sql, row.id, words);
      if (excerpt !== undefined) conversations.push({ ...pastOf(sql, row), ...(excerpt ? { excerpt } : {}) });
      place = { startedAt: row.started_at, id: row.id };
      left -= read;
      if (conversations.length >= limit || left <= 0) return { conversations, next: place };
      await loopTurn();
    }
    if (rows.length < AT_ONCE) return { conversations };
  }
}

/** The words around what was found, if this conversation's messages contain all words; and how much was read. */
async function searchIn(sql: Sql, id: string, words: readonly string[]) {
  const missing = new Set(words);
  let best: { body: string; found: readonly string[] } = { body: "", found: [] };
  // Even an empty conversation costs a query.
  let read = AT_ONCE;
  for (let seq = 0; ; ) {
    const page = sql.all(
      Said,
      q`SELECT seq, coalesce(data_json ->> '$.message.body', '') AS body FROM events
        WHERE conversation_id = ${id} AND seq > ${seq} AND type = 'message.created' ORDER BY seq LIMIT ${AT_ONCE}`,
    );
    for (const { body } of page) {
      read += body.length;
      const folded = fold(body);
      const found = words.filter((word) => folded.includes(word));
      for (const word of found) missing.delete(word);
      if (found.length > best.found.length) best = { body, found };
    }
    const last = page.at(-1);
    if (best.found.length === words.length || !last || page.length < AT_ONCE) break;
    seq = last.seq;
    await loopTurn();
  }
  return { excerpt: missing.size === 0 ? excerptOf(best.body, best.found[0] ?? "") : undefined, read };
}

/** Letters without case, accents and width, so that "Ärger" is found by "arger" and "ＡＢＣ" by "abc". */
function fold(text: string): string {
  return text
    .normalize("NFKD")
    .replace(/\p{Mn}/gu, "")
    .toLowerCase();
}

function excerptOf(body: string, word: string): string {
  const end = endOf(body, word);
  const start = Math.max(0, end - word.length - BEFORE);
  // The marks of bold and code mean nothing in a list.
  const cut = wordsOf(body.slice(start).replaceAll(/[*`]+/g, ""));
  return start === 0 ? cut : `…${cut}`.slice(0, FIRST_WORDS).toWellFormed();
}

/** The shortest beginning of `body` that contains the word when folded: folding changes lengths. */
function endOf(body: string, word: string): number {
  let [low, high] = [0, body.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (fold(body.slice(0, middle)).includes(word)) high = middle;
    else low = middle + 1;
  }
  return low;
}
