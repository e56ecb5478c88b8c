import { randomUUID } from "node:crypto";
import type { IncomingMessage } from "node:http";
import { uploadAttachment } from "../shared/api/conversation.ts";
import { Failure } from "../shared/errors.ts";
import { systemClock } from "../shared/server/clock.ts";
import { type Listening, listen as listenOn } from "../shared/server/listen.ts";
import { createLog } from "../shared/server/log.ts";
import type { Config } from "./config.ts";
import { problemFor } from "./gate/on-error.ts";
import type { FetchApp } from "./upstream/fetch-transport.ts";

const isUpload = ({ method, url }: IncomingMessage) =>
  method === uploadAttachment.method && url === uploadAttachment.path;

/** Serves the BFF. Its only slow request is the upload of a file. @throws StartError */
export const listen = (options: Omit<Parameters<typeof listenOn>[0], "isUpload">) =>
  listenOn({ ...options, isUpload });

/** Opens the port. It answers `unavailable`, without a log entry, until it gets an app to serve. */
export async function openPort({
  host,
  port,
  trustedProxies,
  limits,
  publicUrl,
}: Config): Promise<{ readonly listening: Listening; readonly serve: (app: FetchApp) => void }> {
  const silent = createLog("silent", { clock: systemClock, write: () => undefined });
  let app: FetchApp = { fetch: () => problemFor(new Failure("unavailable"), randomUUID(), silent) };
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
