import { install } from "./api.ts";

declare const __PARLEY_VERSION__: string;

// Only while the script itself runs does the page know which tag it came from. A module script has no current tag, and
// neither has text that a tag manager put into the page: then the first script whose address names widget.js.
const current = document.currentScript as HTMLScriptElement | null;
const tag = current?.src ? current : document.querySelector<HTMLScriptElement>('script[src*="widget.js"]');

// The loader of another tag has a version; the stub of the page has none.
if (tag && !window.Parley?.version) install(tag, __PARLEY_VERSION__);
