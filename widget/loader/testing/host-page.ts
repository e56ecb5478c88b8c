import { vi } from "vitest";
import type { ToFrame, ToLoader } from "../../../shared/frame-port.ts";
import { readLoaderWords } from "../../loader-words.ts";
import type { Parley } from "../../parley.d.ts";

export const CHAT = "https://chat.example";

/** A port whose messages arrive at once, so that the test controls the timing. */
interface InstantPort {
  onmessage: ((event: { data: unknown }) => void) | null;
  postMessage(data: unknown): void;
  close(): void;
}

function createInstantChannel(): { port1: InstantPort; port2: InstantPort } {
  let isOpen = true;
  const make = (other: () => InstantPort): InstantPort => ({
    onmessage: null,
    postMessage: (data) => {
      if (isOpen) other().onmessage?.({ data: structuredClone(data) });
    },
    close: () => {
      isOpen = false;
    },
  });
  const port1: InstantPort = make(() => port2);
  const port2: InstantPort = make(() => port1);
  return { port1, port2 };
}

/** happy-dom reports support for everything; a browser parses. */
function supports(condition: string): boolean {
  const [, selector = ""] = /^selector\((.*)\)$/.exec(condition) ?? [];
  try {
    document.querySelector(selector);
    return true;
  } catch {
    // A fault in the selector, or none.
    return false;
  }
}

/** happy-dom would load a frame's address and complain, so an element with another name replaces the frame. */
const FRAME = "frame-stand-in";
let isKeptEmpty = false;

function keepFramesEmpty(): void {
  if (isKeptEmpty) return;
  isKeptEmpty = true;
  const create = document.createElement.bind(document);
  vi.spyOn(document, "createElement").mockImplementation((name: string) =>
    create(name === "iframe" ? FRAME : name),
  );
}

/** Runs the loader as its tag on a fresh page would; `attributes` are the tag's `data-*`. */
export async function runLoader(attributes: Record<string, string> = {}, lang = "en"): Promise<void> {
  const tag = document.createElement("script");
  tag.setAttribute("src", `${CHAT}/widget.js`);
  for (const [name, value] of Object.entries(attributes)) tag.setAttribute(name, value);
  await runAs(tag, lang);
}

/** happy-dom has no visual viewport: this is a window without a keyboard or zoom. */
export function standInViewport(): EventTarget & { scale: number; offsetTop: number; height: number } {
  return Object.assign(new EventTarget(), { scale: 1, offsetTop: 0, height: 800 });
}

/** Says that the browser prerenders the page; the returned function visits it. */
export function prerender(): () => void {
  Reflect.defineProperty(document, "prerendering", { value: true, configurable: true });
  return () => {
    Reflect.deleteProperty(document, "prerendering");
    document.dispatchEvent(new Event("prerenderingchange"));
  };
}

/** Runs the loader of a language with `tag` as the current script: null for a module script. */
export async function runAs(tag: HTMLScriptElement | null, lang = "en"): Promise<void> {
  vi.stubGlobal("__PARLEY_VERSION__", "1.2.3");
  vi.stubGlobal(
    "__PARLEY_WORDS__",
    readLoaderWords().find((words) => words.lang === lang),
  );
  keepFramesEmpty();
  vi.stubGlobal("CSS", { supports });
  vi.stubGlobal("visualViewport", window.visualViewport ?? standInViewport());
  vi.stubGlobal("MessageChannel", function MessageChannel() {
    return createInstantChannel();
  });
  Object.defineProperty(document, "currentScript", { value: tag, configurable: true });
  vi.resetModules();
  await import("../main.ts");
}

/** Restores the page: for `afterEach`. */
export async function leavePage(): Promise<void> {
  vi.useRealTimers();
  const isGone = (window as { Parley?: Partial<Parley> }).Parley?.destroy?.();
  // If a logout is under way, it waits for the frame. Loading the frame rejects a command that was already sent; a later
  // one is answered below.
  const frame = findFrame() && answerFrame();
  await new Promise((resolve) => setImmediate(resolve));
  for (const message of frame?.heard ?? []) {
    if (message.type === "command") frame?.say({ type: "result", id: message.id });
  }
  await isGone;
  Reflect.deleteProperty(window, "Parley");
  Reflect.deleteProperty(window, "parleySettings");
  document.body.replaceChildren();
  document.head.replaceChildren();
  vi.restoreAllMocks();
  isKeptEmpty = false;
  vi.unstubAllGlobals();
}

export function findHost(): Element | null {
  return document.querySelector("parley-chat");
}

function find<Type extends Element>(selector: string): Type | null {
  return findHost()?.shadowRoot?.querySelector<Type>(selector) ?? null;
}

export function findLauncher(): HTMLButtonElement {
  const button = find<HTMLButtonElement>("button");
  if (!button) throw new Error("there is no launcher");
  return button;
}

export const findFrame = () => find<HTMLIFrameElement>(FRAME);
export const findNote = () => find<HTMLElement>("[role=status], div");

/** Replaces the frame's side of the handshake and of the port. */
export interface FrameSide {
  /** The messages that the loader posted to the frame's window, with their target origin. */
  readonly greeting: { readonly data: unknown; readonly origin: string };
  readonly heard: ToFrame[];
  say(message: ToLoader | Record<string, unknown>): void;
}

/** The frame has loaded: takes the loader's greeting. Says nothing yet. */
export function loadFrame(): FrameSide {
  const frame = findFrame();
  if (!frame) throw new Error("there is no frame");
  const heard: ToFrame[] = [];
  let port: InstantPort | undefined;
  let greeting: FrameSide["greeting"] | undefined;
  Object.defineProperty(frame, "contentWindow", {
    configurable: true,
    value: {
      postMessage(data: unknown, origin: string, [given]: InstantPort[]) {
        greeting = { data, origin };
        port = given;
      },
    },
  });
  frame.onload?.(new Event("load"));
  if (!port || !greeting) throw new Error("the loader did not greet the frame");
  const ours = port;
  ours.onmessage = ({ data }) => heard.push(data as ToFrame);
  return { greeting, heard, say: (message) => ours.postMessage(message) };
}

/** The frame has loaded and answered. */
export function answerFrame(): FrameSide {
  const side = loadFrame();
  side.say({ type: "ready" });
  return side;
}
