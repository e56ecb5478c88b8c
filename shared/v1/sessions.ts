import * as z from "zod/mini";
import { v1 } from "../operation.ts";
import { nothingToEcho } from "./echo.ts";
import { Profile } from "./identify.ts";
import { CALL } from "./limits.ts";

/** Opens an SDK session, which binds the customer. Contract, endpoint 2. */
export const sessions = v1({
  id: "sessions",
  method: "POST",
  path: "/v1/sdk/sessions",
  auth: "application",
  summary: "Open a session for a customer",
  headers: ["publicKey"],
  request: Profile,
  answer: z.object({
    token: z.string().check(z.minLength(1), z.maxLength(8192), z.regex(/^[\x21-\x7e]+$/)),
    /** Seconds from now. If absent, the token is renewed when the service refuses it. */
    expiresIn: z.optional(z.number().check(z.positive())),
  }),
  echo: nothingToEcho,
  status: 201,
  retry: "never",
  limits: CALL,
});
