"use client";

import { useEffect, useSyncExternalStore } from "react";
import { type BootOptions, boot, type Chat, type Parley as ParleyApi } from "../js/boot.ts";

interface State {
  /** The options of each mounted `<Parley>`. A page has one chat, so the last ones apply. */
  readonly mounted: Set<BootOptions>;
  readonly listeners: Set<() => void>;
  applied?: BootOptions | undefined;
  chat?: Chat | undefined;
  loaded?: ParleyApi | undefined;
}

/** On the page, because each of its bundles may contain a copy of this package. */
const KEY = Symbol.for("@parley/react");
const page = globalThis as { [KEY]?: State };
page[KEY] ??= { mounted: new Set(), listeners: new Set() };
const state = page[KEY];

function setLoaded(parley: ParleyApi | undefined): void {
  state.loaded = parley;
  for (const listener of state.listeners) listener();
}

function apply(): void {
  const last = [...state.mounted].at(-1);
  if (last === state.applied) return;
  const names = Object.keys(state.applied ?? {}).filter((name) => !(name in SOURCE));
  state.applied = last;
  if (last) {
    // A property that is gone restores its default.
    start({ ...Object.fromEntries(names.map((name) => [name, ""])), ...last });
  } else {
    void state.chat?.destroy();
    state.chat = undefined;
    setLoaded(undefined);
  }
}

function start(options: BootOptions): void {
  const started = boot(options);
  if (started === state.chat) return;
  state.chat = started;
  setLoaded(undefined);
  started.ready.then((parley) => state.chat === started && setLoaded(parley)).catch(() => undefined);
}

/** The chat while it is mounted. Changed properties update the settings; the last `<Parley>` unmounted removes the chat. */
export function Parley(options: BootOptions): null {
  const text = textOf(options);
  useEffect(() => {
    const mine = { ...options };
    state.mounted.add(mine);
    apply();
    return () => {
      state.mounted.delete(mine);
      // One task later, because StrictMode, a changed property and a route change add others at once.
      setTimeout(apply);
    };
  }, [text]);
  return null;
}

/** Equal for equal options, which are new objects at each render. `boot` names a value that is no JSON. */
function textOf(options: BootOptions): string {
  const texts = Object.entries(options).map((entry) => {
    try {
      return JSON.stringify(entry);
    } catch {
      // A cyclic object or a BigInt: its changes are not noticed.
      return entry[0];
    }
  });
  return texts.join();
}

/** Not settings: what names the script. */
const SOURCE = { src: "", origin: "", integrity: "", nonce: "" };

function subscribe(listener: () => void): () => void {
  state.listeners.add(listener);
  return () => state.listeners.delete(listener);
}

/** The loaded chat; undefined on a server, until it has loaded, and when it can't be loaded. */
export function useParley(): ParleyApi | undefined {
  return useSyncExternalStore(
    subscribe,
    () => state.loaded,
    () => undefined,
  );
}
