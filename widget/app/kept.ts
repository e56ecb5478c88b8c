import { computed, effect, type Signal, signal } from "@preact/signals";
import type { Environment } from "./environment.ts";
import type { Log } from "./log.ts";
import type { Pending } from "./log-state.ts";
import { readFrom, type TokenStore, writeTo } from "./session-storage.ts";
import { readKept } from "./wire.ts";

const KEY = "parley.kept";

/** What one customer wrote on one page of this tab, and nobody has confirmed. */
export interface Kept {
  /** This browser's last logout when it was written. */
  readonly era: string;
  /** The customer whom the site named; empty for a visitor. */
  readonly owner: string;
  readonly draft: string;
  readonly pending: readonly Pending[];
}

export interface KeptDeps {
  readonly environment: Pick<Environment, "tabStorage">;
  readonly tokens: Pick<TokenStore, "era">;
  readonly log: Log;
  readonly draft: Signal<string>;
  /** Who writes: whom the session or else the site's last token names, empty for a visitor, undefined while nobody says. */
  readonly owner: () => string | undefined;
}

/**
 * Keeps draft and unconfirmed messages in this tab's own storage, over a reload, under the name of who wrote them. They come
 * back when the session says that the customer is this one, and for nobody else.
 */
export function createKept({ environment, tokens, log, draft, owner }: KeptDeps) {
  const { tabStorage } = environment;
  // What was there before the last logout is nobody's any more.
  let left = readKept(readFrom(tabStorage, KEY) ?? "").filter(({ era }) => era === tokens.era());
  const shown = new Set<string>();
  let shownDraft = "";
  let suggested = "";
  const isRefused = signal(false);
  const pending = computed(() => log.state.value.pending);
  const isShown = ({ clientMessageId }: Pending) => shown.has(clientMessageId);
  /** The draft, where it is not the page's. */
  const own = () => (draft.value === suggested ? "" : draft.value);

  const add = (name: string, words: string, messages: readonly Pending[]) => [
    ...left,
    { era: tokens.era(), owner: name, draft: words, pending: messages },
  ];
  const save = () => {
    const name = owner();
    const now = add(name ?? "", own(), pending.value);
    // Kept without a name it might come back for another.
    const kept = (name === undefined ? left : now).filter((one) => one.draft || one.pending.length > 0);
    const write = (all: readonly Kept[]) =>
      writeTo(tabStorage, KEY, all.length > 0 ? JSON.stringify(all) : undefined);
    // Where there is no room for all of it, for the messages; else for nothing: what was written before is not so any more.
    const isDone = write(kept) || write(kept.map((one) => ({ ...one, draft: "" })));
    isRefused.value = name === undefined || !isDone;
    if (!isDone) write([]);
  };
  effect(save);

  const put = (next: readonly Pending[]) => log.replace({ ...log.state.value, pending: next });
  /** Takes back what `show` put on the screen, but for what the customer took up since. */
  const hide = () => {
    const words = draft.value === shownDraft ? shownDraft : "";
    left = add("", words, pending.value.filter(isShown));
    if (words) draft.value = "";
    put(pending.value.filter((one) => !isShown(one)));
    shown.clear();
    shownDraft = "";
  };

  return {
    save,
    hide,
    /** So many messages of an earlier page wait until it is known whose they are. */
    hidden: () => left.flatMap((one) => one.pending).length,
    /** Something waits here that a reload would lose. */
    isAtRisk: computed(() => isRefused.value && pending.value.some(({ status }) => status !== "sending")),
    /** The page's words for the box, where it has none of the customer's. */
    suggest: (text: string) => {
      if (!own()) draft.value = suggested = text;
    },
    /** The customer who is there wants this message sent. */
    take: (clientMessageId: string) => shown.delete(clientMessageId),
    /** Puts on the screen what a visitor left behind, while nothing answers and nobody would say who is there. */
    show() {
      const mine = left.filter((one) => !one.owner);
      const words = textOf(mine);
      left = left.filter((one) => one.owner);
      if (own()) left = add("", words, []);
      else if (words) draft.value = shownDraft = words;
      const messages = underWay(mine, "kept");
      for (const { clientMessageId } of messages) shown.add(clientMessageId);
      put([...messages, ...pending.value]);
    },
    /** The messages that this customer left behind, once; what was under way is so again. The draft is put back, before what was written since. */
    restore(name: string): readonly Pending[] {
      hide();
      const mine = left.filter((one) => one.owner === name);
      left = [];
      draft.value = textOf([...mine, { draft: own() }]) || draft.value;
      return underWay(mine, "sending");
    },
    /** Forgets what earlier pages left behind; or keeps that, and what is here, which `other` wrote. To be saved when the screen is empty. */
    forget(other?: string) {
      hide();
      left = other ? add(other, own(), pending.value) : [];
    },
  };
}

function textOf(all: readonly Pick<Kept, "draft">[]): string {
  return all.flatMap(({ draft }) => draft || []).join("\n");
}

/** The messages, of which what was not in doubt stands as `status`. */
function underWay(all: readonly Kept[], status: Pending["status"]): readonly Pending[] {
  return all.flatMap(({ pending }) =>
    pending.map((one) => (one.status === "not_confirmed" ? one : { ...one, status })),
  );
}
