import type * as z from "zod/mini";
import type * as history from "../../shared/api/history.ts";
import type { ApiOperation } from "../../shared/operation.ts";
import type { BffClient, TargetOf } from "./bff-client.ts";
import { ChatFailure } from "./chat-failure.ts";
import { answer, list, maybe, oneOf, record, text } from "./reader.ts";
import { actions, at, id, marks, message, seq } from "./wire.ts";

const LIST: TargetOf<typeof history.listConversations> = "GET /api/conversations";
const SEARCH: TargetOf<typeof history.searchConversations> = "POST /api/conversations/search";
const CURRENT: TargetOf<typeof history.continueConversation> = "POST /api/conversations/current";
const MESSAGES: TargetOf<typeof history.readPast> = "GET /api/conversations/messages";

type Answer<O extends ApiOperation> = z.infer<O["answer"]>;
export type PastPage = Answer<typeof history.listConversations>;
/** One of the customer's own conversations, as the list shows it. */
export type Past = PastPage["conversations"][number];
type PastMessages = Omit<Answer<typeof history.readPast>, "status">;

const past = record<Past>({
  reference: text(1, 200),
  isCurrent: oneOf(true, false),
  status: oneOf("open", "ended"),
  startedAt: at,
  firstWords: maybe(text(1)),
  excerpt: maybe(text(1)),
  answeredBy: maybe(
    record<NonNullable<Past["answeredBy"]>>({ role: oneOf("agent", "human"), name: maybe(text(1, 200)) }),
  ),
  ended: maybe(record<NonNullable<Past["ended"]>>({ at, by: oneOf("customer", "human", "system") })),
});
const page = { conversations: list(past), next: maybe(text(1)) };
const readPage = answer<PastPage>(page);
const readFound = answer<PastPage & { readonly text: string }>({ ...page, text: text(1) });
const readMessages = answer<PastMessages>({
  messages: list(message),
  marks,
  actions,
  nextBefore: maybe(seq),
});
const readCurrent = answer<{ conversation: { id: string } }>({
  conversation: record<{ id: string }>({ id }),
});

export type PastClient = ReturnType<typeof createPastClient>;

/** Reads the customer's own conversations. Each call returns a verified answer, or throws a ChatFailure. */
export function createPastClient(client: Pick<BffClient, "call">) {
  return {
    list: (token: string, after: string | undefined) =>
      client.call(LIST, readPage, {
        token,
        ...(after === undefined ? {} : { query: `?after=${encodeURIComponent(after)}` }),
      }),
    async search(token: string, words: string, after: string | undefined): Promise<PastPage> {
      const body = { text: words, ...(after === undefined ? {} : { after }) };
      const found = await client.call(SEARCH, readFound, { token, body });
      // A list for other words would be taken for the answer to these.
      if (found.text !== words) throw new ChatFailure("not_confirmed");
      return found;
    },
    /** Makes it the conversation of the panel. Returns its id. */
    continue: async (token: string, reference: string) =>
      (await client.call(CURRENT, readCurrent, { token, body: { of: reference } })).conversation.id,
    read(token: string, reference: string, before: number | undefined) {
      const query = `?of=${encodeURIComponent(reference)}${before === undefined ? "" : `&before=${before}`}`;
      return client.call(MESSAGES, readMessages, { token, query });
    },
  };
}
