import { effect, type ReadonlySignal, type Signal } from "@preact/signals";
import * as z from "zod/mini";
import { Attachment } from "../../shared/attachment.ts";
import { FailureCode } from "../../shared/errors.ts";
import { type BrowserStorage, readFrom, writeTo } from "../client/browser-storage.ts";
import { parseJson } from "../client/parse-json.ts";
import type { Reply } from "./reply.ts";

const KEY = "parley.desk.unsent";

const Unsent = z.object({
  owner: z.string(),
  epoch: z.optional(z.string()),
  drafts: z.record(z.string(), z.string()),
  drafted: z.array(z.string()),
  replies: z.array(
    z.object({
      conversationId: z.string(),
      clientMessageId: z.string(),
      body: z.string(),
      attachments: z.array(Attachment),
      fromDraft: z.boolean(),
      // Without one, the page before got no answer.
      code: z._default(FailureCode, "support_timeout"),
    }),
  ),
});

export interface UnsentDeps {
  readonly tabStorage: BrowserStorage | undefined;
  /** The signed-in person's id. */
  readonly owner: ReadonlySignal<string | undefined>;
  /** The log's epoch when this tab, with the pages before it, first read the list. */
  readonly firstEpoch: Signal<string | undefined>;
  readonly drafts: Signal<Readonly<Record<string, string>>>;
  /** The conversations whose draft has words of the agent's. */
  readonly drafted: Signal<readonly string[]>;
  readonly replies: Signal<readonly Reply[]>;
}

/** Stores the signed-in person's drafts and unconfirmed replies in this tab, so that they survive a reload. */
export function storeUnsent({ tabStorage, owner, firstEpoch, drafts, drafted, replies }: UnsentDeps) {
  effect(() => {
    if (owner.value === undefined) return;
    const isEmpty = replies.value.length === 0 && Object.values(drafts.value).every((text) => text === "");
    const unsent = {
      owner: owner.value,
      epoch: firstEpoch.value,
      drafts: drafts.value,
      drafted: drafted.value,
      replies: replies.value,
    };
    writeTo(tabStorage, KEY, isEmpty ? undefined : JSON.stringify(unsent));
  });
  return {
    /** Brings back what `user` left on an earlier page of this tab. */
    restore(user: string): void {
      const { data } = Unsent.safeParse(parseJson(readFrom(tabStorage, KEY) ?? ""));
      if (data?.owner !== user) return;
      firstEpoch.value = data.epoch;
      drafts.value = data.drafts;
      drafted.value = data.drafted;
      replies.value = data.replies.map((reply) => ({ ...reply, status: "not_confirmed" }));
    },
    forget(): void {
      writeTo(tabStorage, KEY, undefined);
    },
  };
}
