import {
  type FrameCommand,
  type PanelSettings,
  PORT_VERSION,
  type ToFrame,
  type ToLoader,
} from "../../shared/frame-port.ts";
import { codedError } from "./coded-error.ts";
import { createElement } from "./element.ts";
import { emit } from "./events.ts";
import { applyStyles, findPlace, frameReport, host, root } from "./host.ts";
import {
  button,
  followLauncher,
  note,
  ownSelector,
  paintLauncher,
  showUnreachable,
  unfollowLauncher,
} from "./launcher.ts";
import { readMark, watchMark, writeMark } from "./mark.ts";
import { forgetCustomer, settings } from "./settings.ts";
import { askSite, type Identity, takeIdentity } from "./site-token.ts";
import { whenVisited } from "./when-visited.ts";
import { words } from "./words.ts";

/** From the frame's creation, or the visit of a prerendered page, to its load event. */
const LOAD_LIMIT_MS = 10_000;
/** From the load event, which waits for the frame's script, to the frame's answer: an error page loads too, but never answers. */
const ANSWER_LIMIT_MS = 3000;
/** A page's script may remove the host each time that we insert it. This limit ends such a fight. */
const MAX_INSERTIONS = 200;
/** One more insertion is allowed in this time, because an application's routes move the host as long as its page lives. */
const INSERTION_MS = 5000;
/** In UTF-16 units. Escaped to six characters each, it stays below the port's limit. */
const MAX_WORDS = 1200;

/** How long after the page's load event a conversation is followed: the page's own work comes first. */
const REST_MS = 200;
/** Half of the time before the first new attempt. */
const MIN_RETRY_MS = 15_000;
/** A timer of more than 24 days would run at once. */
const MAX_RETRY_MS = 3_600_000;

type Settle = [resolve: () => void, reject: (reason?: object) => void];

export let isOpen = false;
let origin: string;
let press: () => void;
let isHidden = false;
let mayFocus = false;
/** Whether the panel should be open; the frame may not have answered yet. */
let isWanted = false;
/** Counts the calls of `identify` and `logout`. */
export let identityTurns = 1;
let focusedBefore: Element | null;
let isReady = false;
/**
 * Somebody was writing in the frame when the page called `identify`. Until it has covered the former customer's data it is
 * transparent instead of inert, so that it keeps the focus.
 */
let isTypedIn = false;
/** The frame or the stored mark has reported that there is a conversation. */
let isMarked = false;
const watching = new AbortController();
let frame: HTMLIFrameElement | undefined;
let port: MessagePort | undefined;
let timer: ReturnType<typeof setTimeout> | undefined;
let connecting: Promise<void> | undefined;
/** The latest logout. */
let leaving: Promise<void> | undefined;
/** Promises that wait for the frame: the connection's own is the first, then each command's, by its id. */
const waiting: Settle[] = [];

const observer = new MutationObserver(() => {
  // After `document.open()` the page has no body until it writes one, below a new root.
  if (!document.body) observer.observe(document, { childList: true, subtree: true });
  else if (findPlace() !== host.parentNode) configure();
});
let insertions = 0;
/** Doubled before each attempt, because a page's policy may forbid the frame and report each one. */
let retryMs = MIN_RETRY_MS;

/** Shows the launcher of the chat on `chatOrigin`. */
export function startPanel(chatOrigin: string, onPress: () => void): void {
  origin = chatOrigin;
  press = onPress;
  // Only once: an element that is added again loses the focus.
  root.append(button, note);
  configure();
  // A panel that opens in another tab must not open here.
  watchMark(() => followMark(false), watching);
  whenVisited(() => followMark(true), watching);
}

/** If an earlier page or another tab set the mark: adds the frame when the page is idle, and restores an open panel. */
function followMark(mayOpen: boolean): void {
  if (!readMark() || isMarked) return;
  isMarked = true;
  settings["followed"] = "true";
  const follow = () => {
    // Read again: the page may have closed or hidden the panel since, or ended the session.
    if (mayOpen && readMark() === "open" && mayReopen()) void open(false);
    else void connect();
  };
  const rest = () => setTimeout(() => watching.signal.aborted || follow(), REST_MS);
  if (document.readyState === "complete") rest();
  else addEventListener("load", rest, watching);
}

/** On a small screen the panel covers the page, so there only a reload restores an open panel. */
function mayReopen(): boolean {
  const [visit] = performance.getEntriesByType("navigation") as PerformanceNavigationTiming[];
  return !matchMedia("(max-width:480px)").matches || visit?.type === "reload";
}

/** Applies changed settings. */
export function configure(): void {
  const place = findPlace();
  // The document, because a page may replace all of it.
  for (const node of [document, place])
    observer.observe(node, { childList: true, subtree: !!settings["container"] });
  const allowed = performance.now() / INSERTION_MS;
  if (document.body && place !== host.parentNode && insertions < MAX_INSERTIONS + allowed) {
    // Unused ones don't add up: a fight of two scripts after a week would block the page for all of them.
    insertions = Math.max(insertions, allowed) + 1;
    place.append(host);
  }
  // `document.open()` removes every handler.
  if (frame) frame.onload = shakeHands;
  // In an element of the page the panel is visible at once. It makes no API call before the visitor focuses it.
  if (settings["inline"]) void connect();
  applyStyles();
  followLauncher(connect, press);
  sendSettings();
  paint();
}

/** Adds the frame, invisible, unless it exists; resolves once it answered. @throws coded `unreachable` */
export function connect(): Promise<void> {
  if (!connecting) {
    connecting = new Promise((resolve, reject) => {
      waiting.push([resolve, reject]);
    });
    // Intent does not wait for the result; without this its failure would be logged on the page.
    connecting.catch(() => undefined);
    frame = createElement("iframe", {
      // For the Copy button of a block of code, and for the sound before anybody pressed something in the frame.
      allow: "autoplay;clipboard-write",
      title: words.frame,
      lang: words.lang,
      referrerPolicy: "origin",
      sandbox:
        "allow-downloads allow-forms allow-same-origin allow-scripts allow-popups allow-popups-to-escape-sandbox",
      // On every load: the frame may reload itself, or the page may move it.
      onload: shakeHands,
      inert: true,
      src: `${origin}/frame`,
    });
    root.append(frame);
    whenVisited(() => {
      clearTimeout(timer);
      // One of the page's own origin has loaded before the visit.
      if (!isReady) timer = setTimeout(dropFrame, LOAD_LIMIT_MS);
    }, watching);
  }
  return connecting;
}

function shakeHands(): void {
  const channel = new MessageChannel();
  disconnect(1);
  // Loaded again, the frame gets back the focus that it had, also when the page moved it, which leaves the focus to the
  // body. It takes none from a field of the page.
  const { activeElement, body } = document;
  if (isOpen || settings["inline"]) mayFocus = activeElement === host || (mayFocus && activeElement === body);
  port = channel.port1;
  port.onmessage = ({ data }: MessageEvent) => handle[data?.type as "close"]?.(data as never);
  frame?.contentWindow?.postMessage({ parley: PORT_VERSION, type: "connect" }, origin, [channel.port2]);
  timer = setTimeout(dropFrame, ANSWER_LIMIT_MS);
}

/** Closes the port and rejects the promises from index `from`: 0 all of them, 1 the commands. */
function disconnect(from = 0): void {
  clearTimeout(timer);
  port?.close();
  isReady = isTypedIn = false;
  // A page can't tell these apart: browsers report nothing about a frame of another origin.
  const sentence = `${origin} is down or blocked (frame-src, ALLOWED_ORIGINS)`;
  for (const [, reject] of waiting.splice(from)) reject(codedError("unreachable", sentence));
}

/** Removes the frame, which can't be reached or is no longer needed; the next `connect` adds another. */
function dropFrame(): void {
  disconnect();
  frameReport.status = "unreachable";
  if (isWanted || settings["inline"]) showUnreachable();
  // While the frame still has the focus, and before the focused launcher could add another.
  close();
  frame?.remove();
  frame = connecting = undefined;
  if (watching.signal.aborted) return;
  // A conversation is followed once the frame can be reached.
  retryMs = Math.min(2 * retryMs, MAX_RETRY_MS);
  timer = setTimeout(() => void (isMarked && connect()), retryMs);
}

/**
 * Handles each message of the frame by its type; unknown types are ignored. The port went to the frame's exact origin, so
 * every message comes from there. Sizes are checked at the other end, which receives what the page says.
 */
const handle: { readonly [T in ToLoader["type"]]: (message: Extract<ToLoader, { type: T }>) => void } = {
  ready(message) {
    clearTimeout(timer);
    isReady = true;
    retryMs = MIN_RETRY_MS;
    note.textContent = "";
    Object.assign(frameReport, message);
    // Otherwise each later frame would repeat this logout and end the next visitor's session.
    if (`${message.logout}` === settings["logout"]) settings["logout"] = "";
    configure();
    if (isWanted) reveal();
    // In an element of the page: the visitor was using it when it reloaded itself.
    else if (settings["inline"] && mayFocus) enter();
    waiting[0]?.[0]();
  },
  css({ css }) {
    frameReport.css = css;
    applyStyles();
  },
  close: () => close(true),
  mark({ hasConversation }) {
    isMarked = hasConversation;
    mark();
  },
  forget({ before }) {
    forgetCustomer(before);
    configure();
  },
  event({ event }) {
    Object.assign(frameReport, event);
    paint();
    emit(event.type, event);
  },
  result({ id, error }) {
    waiting[id]?.[error ? 1 : 0](error);
  },
  token({ id }) {
    // The frame may reload meanwhile and number its requests from the start, so the answer goes to the port that asked.
    const asking = port;
    const answer = (token?: string) => asking?.postMessage({ type: "token", id, token });
    void askSite().then(answer, () => answer());
  },
};

/**
 * Sends the connected frame a command and resolves when it is executed. A longer `given` is cut, because the frame
 * would drop the whole message without an answer. @throws coded by the frame's answer; `unreachable` when the frame
 * went away
 */
export async function ask(name: FrameCommand["name"], given?: unknown, connected = connect()): Promise<void> {
  // `onclick = Parley.requestHuman` passes an event, which is not a text.
  const text = typeof given === "string" ? given.slice(0, MAX_WORDS) : "";
  await connected;
  await new Promise<void>((resolve, reject) => {
    const id = waiting.push([resolve, reject]) - 1;
    post({ type: "command", id, command: { name, text } });
  });
}

export function identify(given: Identity): void {
  takeIdentity(given);
  setTurn("identity");
}

/**
 * Ends the visitor's session, removes the frame's stored data, now or as soon as there is a frame, and forgets the
 * page's data about the customer.
 */
export function logout(): Promise<void> {
  isMarked = false;
  close();
  forgetCustomer(Infinity);
  frameReport.count = 0;
  // After it a later `identify`, also in a frame that has seen neither.
  settings["identity"] = "";
  setTurn("logout");
  leaving = ask("logout");
  return leaving;
}

function setTurn(name: "identity" | "logout"): void {
  settings[name] = `${++identityTurns}`;
  // Invisible until the frame has hidden the former customer's data. Somebody who was writing in it keeps the focus, and
  // it is not taken from somebody elsewhere on the page. After a logout nobody is writing any more.
  mayFocus = isTypedIn = name === "identity" && document.activeElement === host;
  isReady = false;
  configure();
  // A frame that does not answer becomes inert: until then its content can be found in the page and read aloud.
  setTimeout(() => {
    isTypedIn = false;
    paint();
  }, ANSWER_LIMIT_MS);
}

function post(message: ToFrame): void {
  port?.postMessage(message);
}

/**
 * Resolves when the panel is on the screen. The page's own script must not move the focus; a person's gesture may.
 * @throws coded `unreachable`
 */
export function open(withFocus = navigator.userActivation?.isActive ?? true): Promise<void> {
  note.textContent = "";
  if (!isWanted) focusedBefore = findFocused(document);
  isWanted = true;
  mayFocus = withFocus;
  mark();
  const connected = connect();
  if (isReady) reveal();
  paint();
  return connected;
}

/** Also inside the page's own components, whose host would not take the focus back. */
function findFocused({ activeElement }: DocumentOrShadowRoot): Element | null {
  const inside = activeElement?.shadowRoot && findFocused(activeElement.shadowRoot);
  return inside ?? activeElement;
}

function reveal(): void {
  const wasOpen = isOpen;
  isOpen = true;
  sendSettings();
  paint();
  enter();
  if (!wasOpen) emit("open");
}

function enter(): void {
  if (mayFocus) frame?.focus();
  post({ type: "opened", focus: mayFocus });
}

export function close(takeFocus = document.activeElement === host): void {
  const wasOpen = isOpen;
  isWanted = isOpen = false;
  mark();
  paint();
  if (takeFocus) (button.hidden ? (focusedBefore as HTMLElement | null) : button)?.focus();
  post({ type: "closed" });
  if (wasOpen) emit("close");
}

/** Updates the mark to this page's state. */
function mark(): void {
  if (isMarked) writeMark(isWanted ? "open" : "closed");
  else if (readMark()) writeMark();
}

export function toggle(): unknown {
  return isWanted ? close() : open();
}

export function hide(hidden: boolean): void {
  isHidden = hidden;
  if (hidden) close();
  else paint();
}

/** Removes all of it, after a logout that is under way: without its frame the server would not learn of it. */
export async function removePanel(): Promise<void> {
  hide(true);
  // The page's own launcher works as without the chat from now on.
  settings["launcher"] = note.textContent = "";
  followLauncher(press, press);
  if (leaving) await leaving.catch(() => undefined);
  observer.disconnect();
  watching.abort();
  dropFrame();
  unfollowLauncher();
  host.remove();
}

/** Sends the settings and the page's address, without its query and fragment: those may hold tokens and searches. */
function sendSettings(): void {
  const page = {
    url: location.href.replace(/[?#].*/, "").slice(0, 2048),
    title: `${document.title}`.slice(0, 300),
  };
  // The frame checks each setting that it knows and ignores the others.
  post({ type: "settings", settings: settings as PanelSettings, page });
}

function paint(): void {
  // While closed, the frame may show an unread message above the launcher, with the rules that it sent
  // (teaser-in-page.css).
  if (frame) {
    frame.inert =
      !(isReady || isTypedIn) || (!isOpen && (isHidden || !(settings["inline"] || frameReport.count)));
    frame.style.opacity = isReady ? "" : "0";
    // in-page.css animates both. A frame that was never open gets neither.
    frame.className = isOpen ? "in" : isReady ? frame.className && "out" : "";
  }
  paintLauncher(
    isOpen || isHidden || !!(ownSelector || settings["inline"]),
    isWanted,
    isReady ? frameReport : {},
  );
}
