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
  const found = raw === undefined ? undefined : readKept(raw);
  // What was there before the last logout is nobody's any more.
  let left = found?.era === tokens.era() ? found : undefined;
  let shown: readonly Pending[] = [];
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

  const put = (next: readonly Pending[]) => log.replace({ ...log.state.value, pending: next });
  /** So many messages of an earlier page wait until it is known whose they are. */
  const hidden = () => left?.pending.length ?? 0;
  /** Takes back what `show` put on the screen, but for what the customer took up since. */
  const hide = () => {
    if (left && shown.length > 0) {
      left = { ...left, pending: pending.value.filter((one) => shown.includes(one)) };
      put(pending.value.filter((one) => !shown.includes(one)));
    }
    shown = [];
  };

  return {
    save,
    hidden,
    hide,
    /** Something waits here that a reload would lose. */
    isAtRisk: computed(() => isRefused.value && pending.value.some(({ status }) => status !== "sending")),
    /** Puts on the screen what a visitor left behind, while nothing answers and nobody would say who is there. */
    show() {
      if (left?.owner !== "" || hidden() === 0) return;
      shown = underWay(left, "kept");
      left = { ...left, pending: [] };
      put([...shown, ...pending.value]);
    },
    /** The messages that this customer left behind, once; what was under way is so again. The draft is put back. */
    restore(who: Customer): readonly Pending[] {
      hide();
      const last = left;
      left = undefined;
      if (last?.owner !== ownerOf(who)) return [];
      draft.value ||= last.draft;
      return underWay(last, "sending");
    },
    forget() {
      left = undefined;
      shown = [];
      save();
    },
  };
}

/** The messages, of which what was not in doubt stands as `status`. */
function underWay({ pending }: Kept, status: Pending["status"]): readonly Pending[] {
  return pending.map((one) => (one.status === "not_confirmed" ? one : { ...one, status }));
}
