import { enableOwnCompileCache } from "../shared/server/compile-cache.ts";

// Runs the service on its own port. Its commands are in tools/service-main.ts.

// Files contain what customers wrote: only the owner may read them, even in a data folder that is open to others.
process.umask(0o077);
// With the cache, everything imported below loads in half the time.
enableOwnCompileCache(process);
const { StartError } = await import("../shared/server/start-error.ts");
const { runService } = await import("./run-service.ts");

await runService(process).catch((error: unknown) => {
  if (!(error instanceof StartError)) throw error;
  process.stderr.write(`${error.message}\n`);
  process.exitCode = 1;
});
