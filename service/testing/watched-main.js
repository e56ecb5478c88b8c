import { registerHooks } from "node:module";

/**
 * Loaded before a program's own main: `service/app.ts` is replaced by `watched-app.ts`, which wraps it. The report's
 * name makes the address of this file a new one at each start, so Node's compile cache never knows it: as TypeScript,
 * it would be stripped each time.
 */
const WATCHED = new URL("./watched-app.ts", import.meta.url).href;

const report = new URL(import.meta.url).searchParams.get("report");
if (report !== null) process.env["WATCHED_REPORT"] = report;

registerHooks({
  resolve(specifier, context, next) {
    const found = next(specifier, context);
    return found.url.endsWith("/service/app.ts") ? { ...found, url: WATCHED } : found;
  },
});
