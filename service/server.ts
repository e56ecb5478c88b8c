import type { Hono } from "hono";
import { systemClock } from "../shared/server/clock.ts";
import { type Listening, listen as listenOn } from "../shared/server/listen.ts";
import type { RequestFacts } from "./http/problems.ts";

/** Serves the service. @throws StartError */
export function listen(
  app: Hono<RequestFacts>,
  {
    host,
    port,
    publicUrl,
  }: { readonly host: string; readonly port: number; readonly publicUrl?: string | undefined },
): Promise<Listening> {
  return listenOn({
    app,
    host,
    port,
    clock: systemClock,
    isHttps: publicUrl?.startsWith("https:") ?? false,
  });
}
