import { computed, createModel, effect, type ReadonlySignal, signal } from "@preact/signals";
import { readFrom, writeTo } from "../client/browser-storage.ts";
import type { ComposerModel } from "./composer-model.ts";
import type { ConversationLog } from "./conversation-log.ts";
import type { RequestState } from "./conversation-requests.ts";
import type { Environment } from "./environment.ts";
import { type Customer, customerOf, nameOf } from "./identity.ts";
import type { IdentityModel } from "./identity-model.ts";
import { type Pending, placeOf } from "./log-state.ts";
import { isIdentityFault } from "./problem-texts.ts";
import type { SessionModel } from "./session-model.ts";
import type { TokenStore } from "./session-storage.ts";
import { readStoredDrafts, type StoredDraft, type StoredRequest } from "./stored-draft.ts";

const KEY = "parley.kept";

export interface StoredDraftsDeps {
  readonly environment: Pick<Environment, "tabStorage">;
  readonly tokens: TokenStore;
  readonly log: ConversationLog;
  readonly composer: ComposerModel;
  readonly handoff: ReadonlySignal<RequestState>;
  readonly session: SessionModel;
  readonly identity: IdentityModel;
}

export type StoredDrafts = InstanceType<typeof StoredDrafts>;

/**
 * Stores draft, unconfirmed messages, the unsent summary and the unconfirmed request for a person in this tab's own
 * storage, so that they survive a reload, under the name of their owner. They are restored only after the session
 * confirms the same customer.
 */
export const StoredDrafts = createModel((deps: StoredDraftsDeps) => {
  const { tokens, log, composer, handoff, session, identity } = deps;
  const { draft } = composer;
  const { tabStorage } = deps.environment;
  const stored = readStoredDrafts(readFrom(tabStorage, KEY) ?? "");
  /** Texts of earlier pages that are not on the screen. Those from before the last logout have no owner any more. */
  const earlier = signal<readonly StoredDraft[]>(stored.filter(({ era }) => era === tokens.era()));
  /** Texts of an earlier page that are shown although no session has confirmed their owner. */
  const shown = { keys: new Set<string>(), draft: "" };
  const isRefused = signal(false);
  const pending = computed(() => log.state.value.pending);
  const summary = computed(() => (composer.summary.value?.text ? composer.summary.value : undefined));
  const request = computed(() =>
    requestOf(handoff.value, placeOf(log.state.value), customerOf(identity.who.value)?.externalId),
  );
  const isShown = ({ clientMessageId }: Pending) => shown.keys.has(clientMessageId);
  /**
   * The session belongs to a visitor whom the site does not name. Customers' texts are then in memory only, because the
   * site may still name one of them on this page: many sites know their visitor only after the panel has opened.
   */
  const isVisitor = computed(() => identity.who.value.kind === "confirmed" && identity.owner.value === "");

  const withEntry = (
    owner: string,
    words: string,
    messages: readonly Pending[],
    more?: Pick<StoredDraft, "summary" | "request">,
  ): readonly StoredDraft[] => [
    ...earlier.value,
    { era: tokens.era(), owner, draft: words, pending: messages, ...more },
  ];
  const write = (all: readonly StoredDraft[]) =>
    writeTo(tabStorage, KEY, all.length > 0 ? JSON.stringify(all) : undefined);

  effect(() => {
    const owner = identity.owner.value;
    const all = withEntry(owner ?? "", composer.ownText.value, pending.value, {
      summary: summary.value,
      request: request.value,
    });
    // Stored without a name they might be restored for somebody else.
    const named = (owner === undefined ? earlier.value : all).filter(
      (one) =>
        (one.draft || one.summary || one.request || one.pending.length > 0) &&
        !(isVisitor.value && one.owner),
    );
    // If there is no room for everything, store the messages; otherwise nothing, because the earlier content is
    // outdated.
    const isDone = write(named) || write(named.map((one) => ({ ...one, draft: "", summary: undefined })));
    isRefused.value = owner === undefined || !isDone;
    if (!isDone) write([]);
  });

  const put = (next: readonly Pending[]) => log.replace({ ...log.state.value, pending: next });
  /** Hides what `show` put on the screen, except what the customer has edited since. */
  const hide = () => {
    if (shown.keys.size === 0 && shown.draft === "") return;
    const words = draft.value === shown.draft ? shown.draft : "";
    earlier.value = withEntry("", words, pending.value.filter(isShown));
    if (words) draft.value = "";
    put(pending.value.filter((one) => !isShown(one)));
    shown.keys.clear();
    shown.draft = "";
  };
  /** Shows an anonymous visitor's unsent texts while support can't be reached and the site does not identify its visitor. */
  const show = () => {
    const mine = earlier.value.filter((one) => !one.owner);
    const words = textOf(mine);
    // A summary is shown only beside its hand-off, and a request in its conversation, which the session reports.
    earlier.value = earlier.value.flatMap((one) =>
      one.owner ? one : one.summary || one.request ? { ...one, draft: "", pending: [] } : [],
    );
    if (composer.ownText.value) earlier.value = withEntry("", words, []);
    else if (words) draft.value = shown.draft = words;
    const messages = withStatus(mine);
    for (const { clientMessageId } of messages) shown.keys.add(clientMessageId);
    put([...messages, ...pending.value]);
  };

  identity.onStatement(hide);
  session.subscribe((change) => {
    if (change.kind === "claimed") hide();
    else if (change.kind === "cleared") {
      hide();
      earlier.value = change.before
        ? withEntry(change.before, composer.ownText.value, pending.value, { request: request.value })
        : [];
    } else if (change.kind === "failed" && !isIdentityFault(change.failure.code)) {
      if (identity.owner.value === "" && !tokens.isIdentified()) show();
    }
  });

  return {
    /** How many messages of earlier pages are not shown, because their owner is not known yet. */
    hiddenCount: computed(() => (isVisitor.value ? 0 : earlier.value.flatMap((one) => one.pending).length)),
    /** A reload would lose messages that wait here. */
    isAtRisk: computed(() => isRefused.value && pending.value.some(({ status }) => status !== "sending")),
    /** The current customer retried this message, so it is theirs now. */
    take(clientMessageId: string): void {
      shown.keys.delete(clientMessageId);
    },
    /**
     * Restores, once, what this customer left on earlier pages, and drops what other customers left. A restored draft
     * comes before newer text. A message that was last sent in another session is restored as `queued`.
     */
    restore(customer: Customer): Pick<StoredDraft, "pending" | "request"> {
      hide();
      const owner = nameOf(customer);
      const mine = earlier.value.filter((one) => one.owner === owner);
      earlier.value = owner ? [] : earlier.value.filter((one) => one.owner);
      draft.value = textOf([...mine, { draft: composer.ownText.value }]) || draft.value;
      composer.summary.value = mine.findLast((one) => one.summary)?.summary ?? composer.summary.value;
      return {
        pending: withStatus(mine, customer.externalId),
        request: mine.findLast((one) => one.request)?.request,
      };
    },
  };
});

function requestOf(state: RequestState, place: string, by: string | undefined): StoredRequest | undefined {
  const { kind, reason } = state;
  const failure = state.kind === "failed" ? state.failure : undefined;
  // The next session says whether the conversation is lost.
  if (kind === "idle" || failure?.code === "no_conversation") return undefined;
  if (kind === "afterMessage") return { place, by, reason };
  // A service that was unreachable may be reachable after the reload, so this becomes a doubt.
  const code = failure && !failure.isSilence ? failure.code : "support_timeout";
  return { place, by, reason, code };
}

function textOf(all: readonly Pick<StoredDraft, "draft">[]): string {
  return all.flatMap(({ draft }) => draft || []).join("\n");
}

/**
 * The messages. Unconfirmed ones stay so. Others become `sending`, or `queued` without `id` or if they were last sent in
 * the session of another customer than `id`.
 */
function withStatus(all: readonly StoredDraft[], id?: string): readonly Pending[] {
  return all.flatMap(({ pending }) =>
    pending.map((one) =>
      one.status === "not_confirmed"
        ? one
        : { ...one, status: id && (one.by ?? id) === id ? "sending" : "queued" },
    ),
  );
}
