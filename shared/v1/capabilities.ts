import * as z from "zod/mini";
import { v1 } from "../operation.ts";
import { nothingToEcho } from "./echo.ts";
import { CALL } from "./limits.ts";

/** The service's capabilities beyond the seven endpoints; a 404 here means that it has only the seven. */
export const capabilities = v1({
  id: "capabilities",
  method: "GET",
  path: "/v1/support/capabilities",
  auth: "session",
  summary: "What the service offers beyond the seven endpoints",
  absent: [404],
  /** A reader ignores unknown names, so that a newer service stays usable. */
  answer: z.object({ capabilities: z.array(z.string()).check(z.maxLength(100)) }),
  echo: nothingToEcho,
  status: 200,
  retry: "never",
  limits: CALL,
});
