"use client";

import { type BootOptions, boot, type Chat, type Parley as ParleyApi } from "@parley/js";
import { useEffect, useSyncExternalStore } from "react";

/** The options of each mounted `<Parley>`. A page has one chat, so the last ones apply. */
const mounted = new Set<BootOptions>();
let applied: BootOptions | undefined;
let chat: Chat | undefined;
let loaded: ParleyApi | undefined;
const listeners = new Set<() => void>();

function setLoaded(parley: ParleyApi | undefined): void {
  loaded = parley;
  for (const listener of listeners) listener();
}

function apply(): void {
  const last = [...mounted].at(-1);
  if (last === applied) return;
  const names = Object.keys(applied ?? {}).filter((name) => !(name in SOURCE));
  applied = last;
  if (last) {
    // A property that is gone restores its default.
    start({ ...Object.fromEntries(names.map((name) => [name, ""])), ...last });
  } else {
    void chat?.destroy();
    chat = undefined;
    setLoaded(undefined);
  }
}

function start(options: BootOptions): void {
  const started = boot(options);
  if (started === chat) return;
  chat = started;
  setLoaded(undefined);
  started.ready.then((parley) => chat === started && setLoaded(parley)).catch(() => undefined);
}

/** The chat while it is mounted. Changed properties update the settings; the last `<Parley>` unmounted removes the chat. */
export function Parley(options: BootOptions): null {
  const text = textOf(options);
  useEffect(() => {
    const mine = { ...options };
    mounted.add(mine);
    apply();
    return () => {
      mounted.delete(mine);
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
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** The loaded chat; undefined on a server, until it has loaded, and when it can't be loaded. */
export function useParley(): ParleyApi | undefined {
  return useSyncExternalStore(
    subscribe,
    () => loaded,
    () => undefined,
  );
}
