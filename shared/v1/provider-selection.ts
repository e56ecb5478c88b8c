import * as z from "zod/mini";
import { v1 } from "../operation.ts";
import { RouteTarget } from "../route.ts";
import { atMost } from "../text.ts";
import { nothingToEcho } from "./echo.ts";
import { CALL } from "./limits.ts";

/** The older selection, for clients that know one combined provider. Contract, endpoint 3. */
export const providerSelection = v1({
  id: "providerSelection",
  method: "POST",
  path: "/v1/sdk/provider-selection",
  auth: "session",
  summary: "Select the combined provider for new conversations",
  headers: ["publicKey"],
  request: z.object({
    userID: z.string().check(z.minLength(1), atMost(255)),
    locale: z.optional(z.string().check(atMost(35))),
    appVersion: z.optional(z.string().check(atMost(64))),
    provider: z.optional(RouteTarget),
  }),
  answer: z.object({
    provider: RouteTarget,
    reason: z.optional(z.string()),
    ttlSeconds: z.optional(z.number().check(z.nonnegative())),
  }),
  echo: nothingToEcho,
  status: 200,
  retry: "never",
  limits: CALL,
});
