import * as z from "zod/mini";
import { v1 } from "../operation.ts";
import { RouteTarget } from "../route.ts";
import { atMost } from "../text.ts";
import { nothingToEcho } from "./echo.ts";
import { CALL } from "./limits.ts";

/** Selects channel, agent and hand-off target for new conversations. Contract, endpoint 4. */
export const supportSelection = v1({
  id: "supportSelection",
  method: "POST",
  path: "/v1/sdk/support-selection",
  auth: "session",
  summary: "Select channel, agent and hand-off target for new conversations",
  absent: [404, 405],
  headers: ["publicKey"],
  request: z.object({
    userID: z.string().check(z.minLength(1), atMost(255)),
    locale: z.optional(z.string().check(atMost(35))),
    appVersion: z.optional(z.string().check(atMost(64))),
    channel: z.optional(RouteTarget),
    agentProvider: z.optional(RouteTarget),
    humanHandoffAdapter: z.optional(RouteTarget),
  }),
  answer: z.object({
    channel: RouteTarget,
    agentProvider: RouteTarget,
    humanHandoffAdapter: z.optional(RouteTarget),
    reason: z.string(),
    ttlSeconds: z.number().check(z.nonnegative()),
  }),
  echo: nothingToEcho,
  status: 200,
  retry: "never",
  limits: CALL,
});
