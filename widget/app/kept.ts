import { computed, effect, type Signal, signal } from "@preact/signals";
import type { SessionState } from "../../shared/api/session.ts";
import type { Environment } from "./environment.ts";
import type { Log } from "./log.ts";
import type { Pending } from "./log-state.ts";
import { readFrom, type TokenStore, writeTo } from "./session-storage.ts";
import { readKept } from "./wire.ts";

const KEY = "parley.kept";

/** What a customer wrote in this tab and nobody has confirmed. */
export interface Kept {
  /** This browser's last logout when it was written. */
  readonly era: string;
  /** The customer whom the site vouched for; empty for a visitor. */
  readonly owner: string;
  readonly draft: string;
  readonly pending: readonly Pending[];
}

type Customer = SessionState["customer"];

export interface KeptDeps {
  readonly environment: Pick<Environment, "tabStorage">;
  readonly tokens: Pick<TokenStore, "era">;
  readonly log: Log;
  readonly draft: Signal<string>;
  readonly customer: () => Customer | undefined;
}

/**
 * Keeps draft and unconfirmed messages in this tab's own storage, over a reload. They come back when the session says that
 * the customer is the one who wrote them, and for nobody else (R27).
 */
export function createKept({ environment, tokens, log, draft, customer }: KeptDeps) {
  const { tabStorage } = environment;
  const raw = readFrom(tabStorage, KEY);
  let left = raw === undefined ? undefined : readKept(raw);
  let isWritten = raw !== undefined;
  const isRefused = signal(false);
  const pending = computed(() => log.state.value.pending);

  const ownerOf = (who: Customer | undefined) => (who?.identified ? who.externalId : "");
  const save = () => {
    const now = { draft: draft.value, pending: pending.value };
    // Until it is known who is there, what was left behind stays beside what is new.
    const kept: Kept = left
      ? { ...left, draft: now.draft || left.draft, pending: [...left.pending, ...now.pending] }
      : { ...now, era: tokens.era(), owner: ownerOf(customer()) };
    const isEmpty = kept.draft === "" && kept.pending.length === 0;
    if (isEmpty && !isWritten) return;
    isWritten = !isEmpty;
    isRefused.value = !writeTo(tabStorage, KEY, isEmpty ? undefined : JSON.stringify(kept)) && !isEmpty;
  };
  effect(save);

  return {
    save,
    /** Something waits here that a reload would lose. */
    isAtRisk: computed(() => isRefused.value && pending.value.some(({ status }) => status !== "sending")),
    /** The messages that this customer left behind, once; what was under way is so again. The draft is put back. */
    restore(who: Customer): readonly Pending[] {
      const mine = left && left.owner === ownerOf(who) && left.era === tokens.era() ? left : undefined;
      left = undefined;
      if (mine && draft.value === "") draft.value = mine.draft;
      const known = new Set(log.state.value.pending.map(({ clientMessageId }) => clientMessageId));
      return (mine?.pending ?? [])
        .filter(({ clientMessageId }) => !known.has(clientMessageId))
        .map((one) => (one.status === "kept" ? { ...one, status: "sending" } : one));
    },
    forget() {
      left = undefined;
      save();
    },
  };
}
