import * as z from "zod/mini";
import { api } from "../operation.ts";

/** The owner's configuration for every visitor. It is public: no secret, no allow-list. */
export const readConfig = api({
  method: "GET",
  path: "/api/config",
  session: "none",
  answer: z.object({
    version: z.string(),
    /** The loader of this version at an address that never changes, for a tag with an `integrity` attribute. */
    loader: z.object({ version: z.string(), integrity: z.string(), url: z.string() }),
    siteId: z.string(),
    identityPolicy: z.enum(["optional", "required"]),
    /** Another way to get help while support can't be reached. */
    fallback: z.optional(z.object({ kind: z.enum(["mail", "phone", "link"]), href: z.string() })),
  }),
});
export type PublicConfig = z.infer<typeof readConfig.answer>;
