import {
  type FrameCommand,
  type PanelSettings,
  PORT_VERSION,
  type ToFrame,
  type ToLoader,
} from "../../shared/frame-port.ts";
import { codedError, demand } from "./coded-error.ts";
import { createElement } from "./element.ts";
import { emit } from "./events.ts";
import { applyStyles, findPlace, host, root, told } from "./host.ts";
import {
  button,
  followLauncher,
  note,
  own,
  paintLauncher,
  showUnreachable,
  unfollowLauncher,
} from "./launcher.ts";
import { settings } from "./settings.ts";

/** From the frame's creation to its load event. */
const LOAD_LIMIT_MS = 10_000;
/** From the load event, which waits for the frame's script, to its answer: an error page loads as well but says nothing. */
const ANSWER_LIMIT_MS = 3000;
/** A page that takes the host away again and again is left alone after so many times. */
const MAX_ATTACHMENTS = 200;
/** Twice this, with each character escaped, is below the port's limit. */
const MAX_WORDS = 1200;

type Settle = [resolve: () => void, reject: (reason: Error) => void];

export let isOpen = false;
let origin: string;
let press: () => void;
/** Asked to be open, though the frame may not have answered yet. */
let isHidden = false;
let mayFocus = false;
let isWanted = false;
/** How often it was said anew who vouches for the visitor. */
let turns = 1;
/** The site's word on its visitor: its own function's, or that of its server, asked with the site's own cookies. */
let getToken = async (): Promise<unknown> => {
  const answer = await fetch(settings["identityUrl"] as string, { credentials: "include" });
  demand(answer.ok);
  return answer.text();
};
let focusedBefore: Element | null;
let isReady = false;
let frame: HTMLIFrameElement | undefined;
let port: MessagePort | undefined;
let timer: ReturnType<typeof setTimeout> | undefined;
let connecting: Promise<void> | undefined;
/** Who waits for the frame: the connection itself first, then each command by its id. */
const waiting: Settle[] = [];

/** What a site gives to `identify`. */
export interface Identity {
  readonly token?: string;
  readonly getToken?: () => unknown;
}

const observer = new MutationObserver(() => {
  if (findPlace() !== host.parentNode) configure();
});
let attachments = 0;

/** Draws the launcher of the chat on `chatOrigin`. */
export function startPanel(chatOrigin: string, onPress: () => void): void {
  origin = chatOrigin;
  press = onPress;
  // Once: what is put in again loses the focus.
  root.append(button, note);
  configure();
}

/** Shows changed settings. */
export function configure(): void {
  const place = findPlace();
  observer.observe(document.documentElement, { childList: true, subtree: !!settings["container"] });
  if (document.body && place !== host.parentNode && attachments++ < MAX_ATTACHMENTS) place.append(host);
  // In a box of the page the panel is there for all to see. It asks the server nothing before somebody is in it.
  if (settings["inline"]) void connect();
  applyStyles();
  followLauncher(() => void connect(), press);
  sendSettings();
  paint();
}

/** Makes the frame, unseen, if there is none; resolves when it answered. @throws coded `unreachable` */
export function connect(): Promise<void> {
  if (!connecting) {
    connecting = new Promise((...both) => {
      waiting.push(both);
    });
    // Intent alone waits for nobody: without this its failure would make noise on the page.
    connecting.catch(Object);
    frame = createElement("iframe", {
      // Copying what the chat says, and nothing else.
      allow: "clipboard-write",
      title: "Chat",
      referrerPolicy: "origin",
      sandbox:
        "allow-downloads allow-forms allow-same-origin allow-scripts allow-popups allow-popups-to-escape-sandbox",
      // On every load, for the frame may reload itself or be moved by the page.
      onload: shakeHands,
      inert: true,
      src: `${origin}/frame`,
    });
    root.append(frame);
    timer = setTimeout(dropFrame, LOAD_LIMIT_MS);
  }
  return connecting;
}

function shakeHands(): void {
  const channel = new MessageChannel();
  disconnect(1);
  port = channel.port1;
  port.onmessage = receive;
  frame?.contentWindow?.postMessage({ parley: PORT_VERSION, type: "connect" }, origin, [channel.port2]);
  timer = setTimeout(dropFrame, ANSWER_LIMIT_MS);
}

/** Turns away whoever waits for this port: everyone, or the commands alone. */
function disconnect(from = 0): void {
  clearTimeout(timer);
  port?.close();
  isReady = false;
  // The two causes that look alike from here: a browser tells a page no more of a frame of another site.
  const sentence = `${origin} is down or blocked (frame-src)`;
  for (const [, reject] of waiting.splice(from)) reject(codedError("unreachable", sentence));
}

/** The frame can't be reached, or is not wanted any more: the next `connect` makes another. */
function dropFrame(): void {
  disconnect();
  frame?.remove();
  frame = connecting = undefined;
  told.status = "unreachable";
  if (isWanted || settings["inline"]) showUnreachable();
  close();
}

/**
 * What the frame says, by its type; any other is passed over. The port went to the frame's exact origin alone, so nobody
 * else speaks here, and sizes are checked at the other end, which hears the page.
 */
const heard: { readonly [T in ToLoader["type"]]: (message: Extract<ToLoader, { type: T }>) => void } = {
  ready(message) {
    clearTimeout(timer);
    isReady = true;
    Object.assign(told, message);
    configure();
    if (isWanted) reveal();
    waiting[0]?.[0]();
  },
  close: () => close(true),
  event({ event }) {
    Object.assign(told, event);
    paint();
    emit(event.type, event);
  },
  result({ id, error }) {
    waiting[id]?.[error ? 1 : 0](Object.assign(new Error(), error));
  },
  token({ id }) {
    // What fails becomes no text, which the frame takes for what it is: the site said nothing.
    const send = (token: unknown) => post({ type: "token", id, token } as ToFrame);
    void getToken().then(String).catch(Number).then(send);
  },
};

function receive({ data }: MessageEvent): void {
  heard[data?.type as "close"]?.(data as never);
}

/**
 * Has the connected frame do something; it takes the one of both that the command has. Longer words it would drop unread,
 * and nobody would ever know: they are cut. @throws coded by the frame's answer; `unreachable` when it vanished meanwhile
 */
export async function ask(name: string, words: string | undefined, connected: Promise<void>): Promise<void> {
  const text = `${words ?? ""}`.slice(0, MAX_WORDS);
  await connected;
  await new Promise<void>((...both) => {
    post({ type: "command", id: waiting.push(both) - 1, command: { name, text } as FrameCommand });
  });
}

/** The site vouches for its visitor from now on; nothing is asked of it before the chat is open. */
export function identify(given: Identity): void {
  demand(given.token || given.getToken);
  getToken = async () => given.token ?? (given.getToken as () => unknown)();
  say(1);
}

/** Whatever the frame keeps is over, now or as soon as there is a frame. */
export function logout(): Promise<void> {
  close();
  say(-1);
  return ask("logout", "", connect());
}

function say(sign: number): void {
  settings["identity"] = `${sign * ++turns}`;
  // Unseen, and without a new claim to the focus, until the frame has covered what may not be the next customer's.
  mayFocus = isReady = false;
  configure();
}

function post(message: ToFrame): void {
  port?.postMessage(message);
}

/** Resolves when the panel is on the screen. @throws coded `unreachable` */
export function open(): Promise<void> {
  note.textContent = "";
  if (!isWanted) focusedBefore = document.activeElement;
  isWanted = true;
  // Only a person's gesture may move focus into the panel.
  mayFocus = navigator.userActivation?.isActive ?? true;
  const connected = connect();
  if (isReady) reveal();
  paint();
  return connected;
}

function reveal(): void {
  const wasOpen = isOpen;
  isOpen = true;
  sendSettings();
  paint();
  if (mayFocus) frame?.focus();
  post({ type: "opened", focus: mayFocus });
  if (!wasOpen) emit("open");
}

export function close(takeFocus = document.activeElement === host): void {
  const wasOpen = isOpen;
  isWanted = isOpen = false;
  paint();
  // A message above the launcher has been closed as well.
  if (takeFocus) (button.hidden ? (focusedBefore as HTMLElement | null) : button)?.focus();
  post({ type: "closed" });
  if (wasOpen) emit("close");
}

export function toggle(): unknown {
  return isWanted ? close() : open();
}

export function hide(hidden: boolean): void {
  isHidden = hidden;
  if (hidden) close();
  else paint();
}

export function removePanel(): void {
  observer.disconnect();
  dropFrame();
  unfollowLauncher();
  host.remove();
}

/** Settings, and where the customer is. Queries stay on the page: they hold tokens and searches. */
function sendSettings(): void {
  const page = {
    url: location.href.replace(/[?#].*/, ""),
    title: document.title.slice(0, 300),
  };
  // The frame takes the settings that it knows and checks each.
  post({ type: "settings", settings: settings as PanelSettings, page });
}

function paint(): void {
  // Closed, with something unread, it may show that as a message above the launcher; by its own rules, else it is hidden.
  if (frame) frame.inert = !isReady || (!isOpen && (isHidden || !(settings["inline"] || told.count)));
  paintLauncher(isOpen || isHidden || !!(own || settings["inline"]), isWanted, isReady ? told : {});
}
