import { registerHooks } from "node:module";

/** Loaded before a program's own main: `service/app.ts` is replaced by `watched-app.ts`, which wraps it. */
const WATCHED = new URL("./watched-app.ts", import.meta.url).href + new URL(import.meta.url).search;

registerHooks({
  resolve(specifier, context, next) {
    const found = next(specifier, context);
    return found.url.endsWith("/service/app.ts") ? { ...found, url: WATCHED } : found;
  },
});
