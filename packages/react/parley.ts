"use client";

import { type BootOptions, boot, type Chat, type Parley as ParleyApi } from "@parley/js";
import { useEffect, useRef, useSyncExternalStore } from "react";

/** A page has one chat, however many `<Parley>` are mounted. */
let mounted = 0;
let chat: Chat | undefined;
let loaded: ParleyApi | undefined;
const listeners = new Set<() => void>();

function setLoaded(parley: ParleyApi | undefined): void {
  loaded = parley;
  for (const listener of listeners) listener();
}

function start(options: BootOptions): void {
  const started = boot(options);
  if (started === chat) return;
  chat = started;
  setLoaded(undefined);
  started.ready.then((parley) => chat === started && setLoaded(parley)).catch(() => undefined);
}

function stop(): void {
  if (mounted > 0) return;
  void chat?.destroy();
  chat = undefined;
  setLoaded(undefined);
}

/** The chat while it is mounted. Changed properties update the settings; the last `<Parley>` unmounted removes the chat. */
export function Parley(options: BootOptions): null {
  const text = JSON.stringify(options);
  const names = useRef<readonly string[]>([]);
  useEffect(() => {
    mounted += 1;
    return () => {
      mounted -= 1;
      // One task later, because StrictMode and a route change mount again at once.
      setTimeout(stop);
    };
  }, []);
  useEffect(() => {
    const current = JSON.parse(text) as BootOptions;
    // A property that is gone restores its default.
    const gone = Object.fromEntries(names.current.map((name) => [name, ""]));
    names.current = Object.keys(current).filter((name) => !(name in SOURCE));
    start({ ...gone, ...current });
  }, [text]);
  return null;
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
