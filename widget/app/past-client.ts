import type * as history from "../../shared/api/history.ts";
import type { Mark } from "../../shared/conversation.ts";
import type { DurableEvent } from "../../shared/event.ts";
import type { Message } from "../../shared/message.ts";
import type { BffClient, TargetOf } from "./bff-client.ts";
import { ChatFailure } from "./chat-failure.ts";
import { answer, list, maybe, oneOf, record, text } from "./reader.ts";
import { at, id, marks, message, role, seq } from "./wire.ts";

const LIST: TargetOf<typeof history.listConversations> = { method: "GET", path: "/api/conversations" };
const SEARCH: TargetOf<typeof history.searchConversations> = {
  method: "POST",
  path: "/api/conversations/search",
};
const CURRENT: TargetOf<typeof history.continueConversation> = {
  method: "POST",
  path: "/api/conversations/current",
};
const MESSAGES: TargetOf<typeof history.readPast> = {
  method: "GET",
  path: "/api/conversations/messages",
};

/** One of the customer's own conversations, as the list shows it. */
export interface Past {
  readonly reference: string;
  readonly isCurrent: boolean;
  readonly status: "open" | "ended";
  readonly startedAt: string;
  readonly firstWords?: string;
  /** The words around what was searched for. */
  readonly excerpt?: string;
  readonly answeredBy?: { readonly role: Message["role"]; readonly name?: string };
  /** Who ended it, if the service says so. */
  readonly ended?: { readonly by: EndedBy };
}

type EndedBy = Extract<DurableEvent, { type: "conversation.ended" }>["by"];

export interface PastPage {
  readonly conversations: readonly Past[];
  readonly next?: string;
}

export interface PastMessages {
  readonly messages: readonly Message[];
  readonly marks?: readonly Mark[];
  readonly nextBefore?: number;
}

const past = record<Past>({
  reference: text(1, 200),
  isCurrent: oneOf(true, false),
  status: oneOf("open", "ended"),
  startedAt: at,
  firstWords: maybe(text(1)),
  excerpt: maybe(text(1)),
  answeredBy: maybe(record<NonNullable<Past["answeredBy"]>>({ role, name: maybe(text(1, 200)) })),
  ended: maybe(record<NonNullable<Past["ended"]>>({ by: oneOf("customer", "human", "system") })),
});
const page = { conversations: list(past), next: maybe(text(1)) };
const readPage = answer<PastPage>(page);
const readFound = answer<PastPage & { readonly text: string }>({ ...page, text: text(1) });
const readMessages = answer<PastMessages>({ messages: list(message), marks, nextBefore: maybe(seq) });
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
