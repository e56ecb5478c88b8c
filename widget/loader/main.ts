import { install } from "./api.ts";

declare const __PARLEY_VERSION__: string;

// The page knows the current tag only while the script itself runs. A module script, or text that a tag manager inserted,
// has none, and a posted image with the name "currentScript" takes its place, but must not name the chat's server. Then the
// first script whose address names widget.js is ours.
const current = document.currentScript;
const tag =
  current instanceof HTMLScriptElement && current.src
    ? current
    : document.querySelector<HTMLScriptElement>('script[src*="widget.js"]');

// Both came with the oldest browsers that the panel works in (docs/browsers.md). In an older one nothing is shown.
const isSupported = "toWellFormed" in String.prototype && "Segmenter" in Intl;

// A loader that another tag loaded has a version; the page's stub has none.
if (isSupported && tag && !window.Parley?.version) install(tag, __PARLEY_VERSION__);
