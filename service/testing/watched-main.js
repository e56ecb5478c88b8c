import { registerHooks } from "node:module";

/**
 * Loaded before a program's own main: replaces `service/app.ts` by `watched-app.ts`, which wraps it, and the passwords'
 * hashes by cheap ones. The report's name makes the address of this file a new one at each start, so Node's compile
 * cache never knows it: as TypeScript, it would be stripped each time.
 */
const REPLACED = [
  ["/service/app.ts", "./watched-app.ts"],
  ["/service/desk/password.ts", "./quick-passwords.ts"],
].map(([file, by]) => ({ file, url: new URL(by, import.meta.url).href }));

const report = new URL(import.meta.url).searchParams.get("report");
if (report !== null) process.env["WATCHED_REPORT"] = report;

registerHooks({
  resolve(specifier, context, next) {
    const found = next(specifier, context);
    const url = REPLACED.find(({ file }) => found.url.endsWith(file))?.url;
    return url ? { ...found, url } : found;
  },
});
