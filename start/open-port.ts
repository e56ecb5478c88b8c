import { randomUUID } from "node:crypto";
import type { Config } from "../bff/config.ts";
import { problemFor } from "../bff/gate/answers.ts";
import type { FetchApp } from "../bff/upstream/fetch-transport.ts";
import { Failure } from "../shared/errors.ts";
import { systemClock } from "../shared/server/clock.ts";
import { type Listening, listen } from "../shared/server/listen.ts";
import { SILENT_LOG } from "../shared/server/log.ts";

/** Opens the port. It answers `unavailable`, without a log entry, until it gets an app to serve. */
export async function openPort({
  host,
  port,
  trustedProxies,
  limits,
  publicUrl,
}: Config): Promise<{ readonly listening: Listening; readonly serve: (app: FetchApp) => void }> {
  let app: FetchApp = { fetch: () => problemFor(new Failure("unavailable"), randomUUID(), SILENT_LOG) };
  const listening = await listen({
    app: { fetch: (request, peer) => app.fetch(request, peer) },
    host,
    port,
    clock: systemClock,
    isHttps: publicUrl?.startsWith("https:") ?? false,
    maxPerAddress: trustedProxies === 0 ? limits.addressConnections : undefined,
  });
  return {
    listening,
    serve(next) {
      app = next;
    },
  };
}
