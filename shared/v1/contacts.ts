import * as z from "zod/mini";
import { ContactChange } from "../contact.ts";
import { Id } from "../id.ts";
import { v1 } from "../operation.ts";
import { at } from "./echo.ts";
import { CALL } from "./limits.ts";

/** Stores where the customer of a conversation can be written to, open or ended. Idempotent; another address replaces it. */
export const setContact = v1({
  id: "contacts",
  method: "POST",
  path: "/v1/support/conversations/:id/contact",
  auth: "session",
  summary: "Set the customer's unverified e-mail address",
  needs: "contact",
  request: ContactChange,
  answer: z.object({ contact: z.object({ ...ContactChange.shape, conversationId: Id }) }),
  echo: ({ params, request }, answer) =>
    at(answer, "contact", "conversationId") === params.id && at(answer, "contact", "email") === request.email,
  status: 200,
  retry: "always",
  limits: CALL,
});
