import type { FailureCode } from "../../shared/errors.ts";
import { MAX_MESSAGE_CODE_POINTS } from "../../shared/limits.ts";
import { parseJson } from "../client/parse-json.ts";
import type { UnsentSummary } from "./composer-model.ts";
import type { Pending } from "./log-state.ts";
import { list, maybe, oneOf, readAs, record, text } from "./reader.ts";
import { attachment, code, id } from "./wire.ts";

/** A request for a person that nothing has confirmed. Without a code it waits for the next message. */
export interface StoredRequest {
  /** The conversation and its latest hand-off: with another one, this request or a later one has arrived. */
  readonly place: string;
  readonly code?: FailureCode;
  /** The page's reason for a person. */
  readonly reason?: string | undefined;
  /** The customer in whose session it was made. */
  readonly by?: string | undefined;
}

/** The unconfirmed texts of one customer, written on one page of this tab. */
export interface StoredDraft {
  /** This browser's last logout at the time of writing. */
  readonly era: string;
  /** The identified customer who wrote it; empty for an anonymous visitor. */
  readonly owner: string;
  readonly draft: string;
  readonly pending: readonly Pending[];
  readonly summary?: UnsentSummary | undefined;
  readonly request?: StoredRequest | undefined;
}

const storedDraft = record<StoredDraft>({
  era: text(),
  owner: text(),
  draft: text(),
  pending: list(
    record<Pending>({
      clientMessageId: id,
      body: text(0, MAX_MESSAGE_CODE_POINTS),
      attachments: maybe(list(attachment, 5)),
      status: oneOf("sending", "queued", "not_confirmed"),
      code: maybe(code),
      by: maybe(text()),
      // Derived from another page's answer: this page did not wait.
      retryAfter: () => undefined,
      detail: () => undefined,
    }),
  ),
  summary: maybe(
    record<UnsentSummary>({
      handoffId: id,
      text: text(1),
      isOpen: oneOf(true, false),
      isGenerated: oneOf(true, false),
      asked: maybe(text()),
    }),
  ),
  request: maybe(
    record<StoredRequest>({ place: text(), code: maybe(code), reason: maybe(text()), by: maybe(text()) }),
  ),
});

/** The unconfirmed texts in this tab's storage, page by page; anything else is skipped. */
export const readStoredDrafts = (raw: string) =>
  // Earlier versions stored a single page.
  [parseJson(raw)].flat().flatMap((one) => readAs(storedDraft, one) ?? []);
