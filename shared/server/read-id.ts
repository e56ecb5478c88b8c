import type { Context } from "hono";
import { Failure } from "../errors.ts";
import { isId } from "../id.ts";

/**
 * The `:id` of an operation's path; empty if the path has none. An id of a wrong form is answered like one that does not
 * exist.
 *
 * @throws Failure `not_found`
 */
export function readId(c: Context, { path }: { readonly path: string }): string {
  if (!path.includes(":id")) return "";
  const id = c.req.param("id");
  if (!isId(id)) throw new Failure("not_found");
  return id;
}
