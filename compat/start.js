/**
 * The code that every file of this folder shares: the stub of `Parley`, loading the chat, and a console message for
 * each call that has no counterpart.
 */
const current = document.currentScript;
// An <img name="currentScript"> that somebody posted takes the property's place, but must not name the chat's server.
const tag =
  current instanceof HTMLScriptElement ? current : document.querySelector('script[src*="/compat/"]');
const warned = new Set();
let traits = {};
/** The handlers that the page gave to the former chat's API. */
const handlers = new Set();

/** Packages load the file again when they start again: the handlers of the copy before would then be called too. */
const again = `parley:${tag?.src}`;
window.dispatchEvent(new Event(again));
window.addEventListener(again, removeHandlers, { once: true });

if (!window.Parley) {
  window.Parley = (...call) => {
    window.Parley.q = window.Parley.q ?? [];
    window.Parley.q.push(call);
  };
}

/** Calls `Parley`; a failure is reported by the event `error`, as everywhere. */
export function parley(...call) {
  return window.Parley?.(...call);
}

/**
 * Loads the chat once, from the same address as this file, with the page's own nonce and the `data-*` of this file's
 * tag.
 */
export function load() {
  if (!tag || tag.hasAttribute("data-loaded")) return;
  tag.setAttribute("data-loaded", "");
  const src = new URL("/widget.js", tag.src).href;
  try {
    const script = Object.assign(document.createElement("script"), { src, async: true, nonce: tag.nonce });
    for (const [name, value] of Object.entries(tag.dataset))
      if (name !== "loaded") script.dataset[name] = value;
    document.head.append(script);
  } catch (error) {
    // With Trusted Types no script may add another, so the page has to have the chat's own tag.
    if (!Array.from(document.scripts).some((each) => each.src === src))
      report(
        src,
        `the chat could not be added (${String(error)}). If a policy of the page blocks it, put <script async src="${src}"></script> above this file.`,
      );
  }
}

/** Reports once that `call` of the former chat does nothing here, and what to use instead. */
export function warn(call, instead) {
  report(call, `${call} has no counterpart and did nothing. ${instead}`);
}

function report(call, sentence) {
  if (warned.has(call)) return;
  warned.add(call);
  // biome-ignore lint/suspicious/noConsole: the site's developer must learn which calls no longer work
  console.warn(`Parley: ${sentence}`);
}

/**
 * Sets traits that the page states about its visitor; the team sees them as unverified. Only plain values are set; any
 * other is reported once.
 */
export function addTraits(given, from) {
  for (const [name, value] of Object.entries(Object(given) === given ? given : {})) {
    if (value === undefined) delete traits[name];
    else if (value === null || ["string", "number", "boolean"].includes(typeof value)) traits[name] = value;
    else
      warn(
        `${from} ${name}`,
        "A trait is a text, a number, true, false or null: see docs/api.md, setTraits.",
      );
  }
  parley("setTraits", { ...traits });
}

/** A trait that was set before. */
export function traitOf(name) {
  return traits[name] ?? null;
}

/** The settings that have a value. */
export function settingsOf(entries) {
  return Object.fromEntries(Object.entries(entries).filter(([, value]) => value !== undefined));
}

/** Calls a function of the page without letting it throw into ours. */
export function tell(handler, ...given) {
  if (typeof handler === "function") queueMicrotask(() => handler(...given));
}

export const PROVE =
  "Who the visitor is must be proven by a token of your server: Parley('identify', {getToken}), docs/identity.md.";

/** The id of the customer whom the page named last, in the page's own storage: the next may come by a page load. */
const CUSTOMER = "parley.customer";
let customer;
try {
  customer = localStorage.getItem(CUSTOMER);
} catch {
  // The page has no storage.
}

/** A logout that no panel has done yet: the next page load has to repeat it, so the customer before stays stored. */
let isLeaving = false;
let isPanelThere = false;
// Each panel reports its count once it is there. A queued logout has no promise.
listen("unread", notePanel);

function notePanel() {
  isPanelThere = true;
  if (isLeaving) storeCustomer();
  isLeaving = false;
}

function setCustomer(id) {
  customer = id;
  if (!isLeaving) storeCustomer();
}

function storeCustomer() {
  try {
    if (customer) localStorage.setItem(CUSTOMER, customer);
    else localStorage.removeItem(CUSTOMER);
  } catch {
    // Then this page load alone knows it.
  }
}

/** Ends the visitor's session, and forgets what the page said of them: the next visitor may be another person. */
export function logOut() {
  traits = {};
  isLeaving = !isPanelThere;
  setCustomer();
  for (const each of handlers) each.isFormer = true;
  const done = parley("logout");
  // Every other failure comes from a panel that is there.
  done?.then?.(notePanel, ({ code }) => code === "unreachable" || notePanel());
  return done;
}

/**
 * Ends the session if the page names another customer than the last one, by their id; null is nobody.
 * @returns whether it ended
 */
export function noteCustomer(id) {
  if (id === undefined) return false;
  const now = String(id ?? "");
  // Unchanged in this tab. Storing it again would overwrite the customer that another tab named since.
  if (now === (customer ?? "")) return false;
  const isAnother = Boolean(customer);
  if (isAnother) logOut();
  setCustomer(now);
  return isAnother;
}

/**
 * Calls `handler`, made of the page's own handler, on an event of Parley; returns what removes it. Some pages give their
 * handlers again after each logout, others never: one with the same code as before the logout replaces it.
 */
export function listen(type, handler, own) {
  const code = String(own);
  for (const each of handlers) if (each.isFormer && each.type === type && each.code === code) each.remove();
  parley("on", type, handler);
  const entry = {
    type,
    code,
    remove() {
      handlers.delete(entry);
      parley("off", type, handler);
    },
  };
  handlers.add(entry);
  return () => entry.remove();
}

/** Removes every handler: the file that loads again has its own. */
function removeHandlers() {
  for (const each of handlers) each.remove();
}

/** `run`, which never throws into the page: a malformed call does nothing, and the console names it once. */
export function guarded(name, run) {
  return (...given) => {
    try {
      return run(...given);
    } catch (error) {
      report(`malformed ${name}`, `a malformed call of ${name} did nothing: ${String(error)}`);
    }
  };
}
