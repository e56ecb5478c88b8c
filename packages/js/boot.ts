import type { Parley, ParleyErrorCode, ParleySettings } from "../../widget/parley.d.ts";
import { type Chat, queueCalls } from "./chat.ts";

export type * from "../../widget/parley.d.ts";
export type { Chat };

/** The source of the chat: the origin of its server, or the address of one version of the script (`/v/…/widget.js`). */
type Source =
  | { readonly origin: string; readonly src?: undefined }
  | { readonly src: string; readonly origin?: undefined };

export type BootOptions = Source &
  ParleySettings & {
    /** The hash of the script at `src`: the browser does not run a file that differs by one byte. */
    readonly integrity?: string | undefined;
    /** The nonce of the page's content security policy. */
    readonly nonce?: string | undefined;
  };

interface State {
  running?: { readonly address: string; readonly chat: Chat; loaded?: Parley } | undefined;
  /** Resolves when the previous chat is gone: two scripts that load at once could remove each other's chat. */
  isFree: Promise<unknown>;
}

/** On the page, because each of its bundles may contain a copy of this package, and a page has one chat. */
const KEY = Symbol.for("@parley/js");
const page = globalThis as { [KEY]?: State };
page[KEY] ??= { isFree: Promise.resolve() };
const state = page[KEY];

/**
 * Loads the chat into this page. Called again with the same address it updates the settings, with another one it
 * replaces the chat. On a server it does nothing, and its calls reject with `not_available`. Never throws.
 */
export function boot({ src, origin, integrity, nonce, ...settings }: BootOptions): Chat {
  if (typeof document === "undefined") {
    return queueCalls(Promise.reject(codedError("not_available", "Call boot in a browser.")));
  }
  // JavaScript may leave both out, for instance by a variable of the build that is not set.
  const address = src ?? (origin && `${origin.replace(/\/$/, "")}/widget.js`) ?? "";
  const { running } = state;
  // The page may have called `Parley.destroy()` itself.
  const isThere = !running?.loaded || running.loaded === window.Parley;
  if (running?.address === address && isThere) {
    void running.chat.update(settings);
    return running.chat;
  }
  void running?.chat.destroy();
  const tag = document.createElement("script");
  if (integrity) Object.assign(tag, { integrity, crossOrigin: "anonymous" });
  if (nonce) tag.nonce = nonce;
  const queue = queueCalls(state.isFree.then(() => load(tag, address, settings)));
  const forget = () => {
    tag.remove();
    if (state.running?.chat === chat) state.running = undefined;
  };
  const chat: Chat = {
    ...queue,
    destroy: () => {
      forget();
      const destroyed = queue.destroy();
      // Again, because the tag may have been added meanwhile.
      state.isFree = destroyed.then(forget, forget);
      return destroyed;
    },
  };
  const started: State["running"] = { address, chat };
  state.running = started;
  // After a failure a later boot tries again.
  queue.ready.then((parley) => {
    started.loaded = parley;
  }, forget);
  return chat;
}

async function load(tag: HTMLScriptElement, address: string, settings: ParleySettings): Promise<Parley> {
  if (window.Parley?.version) return update(window.Parley, settings);
  if (!address) {
    const sentence = "Parley did not load: set origin or src.";
    warn(sentence);
    throw codedError("bad_call", sentence);
  }
  // In the tag, so that the launcher is right from its first frame and a logout restores these settings.
  for (const [name, value] of Object.entries(settings)) {
    try {
      // As for `update`, null is the default.
      if (value === undefined || value === null) continue;
      if (typeof value === "function") throw new TypeError("A function is no setting.");
      tag.dataset[name] = Object(value) === value ? JSON.stringify(value) : `${value}`;
    } catch (cause) {
      // An attribute has no such name (JSX takes `data-testid`), or the value is no JSON.
      warn(`Parley left out the setting "${name}".`, cause);
    }
  }
  await new Promise((resolve, reject) => {
    tag.onload = resolve;
    tag.onerror = () => reject(codedError("unreachable", `The chat's script did not load from ${address}.`));
    tag.async = true;
    tag.src = address;
    document.head.append(tag);
  });
  if (window.Parley?.version) {
    // A tag of the page's own may have run first, without these settings; `parleySettings` win over those of any tag.
    const hasOwn = [...document.scripts].some((one) => one !== tag && one.src.includes("widget.js"));
    return hasOwn || window.parleySettings ? update(window.Parley, settings) : window.Parley;
  }
  throw codedError(
    "not_available",
    `${address} is not the chat's script, or this browser is too old for the chat.`,
  );
}

/** Gives the settings to the chat that a tag of the page's own has loaded. It names a setting that it leaves out. */
async function update(present: Parley, settings: ParleySettings): Promise<Parley> {
  await present.update(settings).catch(() => undefined);
  return present;
}

/** Tells the site's developer what was left out. */
function warn(sentence: string, ...causes: unknown[]): void {
  // biome-ignore lint/suspicious/noConsole: a rejection that nobody handles is not reported
  console.warn(sentence, ...causes);
}

function codedError(code: ParleyErrorCode, message: string): Error {
  return Object.assign(new Error(message), { code });
}
