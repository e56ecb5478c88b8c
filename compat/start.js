/**
 * What every file of this folder does alike: the stub of `Parley`, the script of the chat, and a message for whoever reads
 * the console about each call that has no counterpart.
 */
const tag = document.currentScript;
const warned = new Set();
const traits = {};

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

/** Loads the chat, once, from where this file came, under the page's own nonce and with the `data-*` of this file's tag. */
export function load() {
  if (!tag || tag.hasAttribute("data-loaded")) return;
  tag.setAttribute("data-loaded", "");
  const script = Object.assign(document.createElement("script"), {
    src: new URL("/widget.js", tag.src).href,
    async: true,
    nonce: tag.nonce,
  });
  for (const [name, value] of Object.entries(tag.dataset))
    if (name !== "loaded") script.dataset[name] = value;
  document.head.append(script);
}

/** Says once that `call` of the former chat does nothing here, and what does. */
export function warn(call, instead) {
  if (warned.has(call)) return;
  warned.add(call);
  // biome-ignore lint/suspicious/noConsole: the site's developer must learn what does nothing any more
  console.warn(`Parley: ${call} has no counterpart and did nothing. ${instead}`);
}

/** What the page says of its visitor: shown to people as unverified. Only plain values; the others are named once. */
export function addTraits(given, from) {
  for (const [name, value] of Object.entries(given ?? {})) {
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

/** A trait that was given before. */
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
