import * as z from "zod/mini";
import { ExternalId } from "../id.ts";
import { v1 } from "../operation.ts";
import { lineText } from "../text.ts";
import { Traits } from "../traits.ts";
import { at, isAbsentOr } from "./echo.ts";
import { CALL } from "./limits.ts";

/** Identifies the customer. `email` is a contact address and never a key. */
export const Profile = z.object({
  externalId: ExternalId,
  email: z.optional(z.email().check(z.maxLength(320))),
  displayName: z.optional(lineText(200)),
  attributes: z.optional(Traits),
});
export type Profile = z.infer<typeof Profile>;

/** Creates or updates a customer by `externalId`. Contract, endpoint 1. */
export const identify = v1({
  id: "identify",
  method: "POST",
  path: "/v1/customers/identify",
  auth: "application",
  summary: "Create or update a customer by externalId",
  request: Profile,
  /** Nothing is specified about the body; if it contains an `externalId`, it must be the one sent. */
  answer: z.looseObject({
    externalId: z.optional(z.unknown()),
    customer: z.optional(z.looseObject({ externalId: z.optional(z.unknown()) })),
  }),
  echo: ({ request }, answer) =>
    isAbsentOr(request.externalId, at(answer, "externalId")) &&
    isAbsentOr(request.externalId, at(answer, "customer", "externalId")),
  status: 200,
  retry: "always",
  limits: CALL,
});
