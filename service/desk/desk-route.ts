import type { Context, Hono } from "hono";
import type * as z from "zod/mini";
import { Failure } from "../../shared/errors.ts";
import { Id } from "../../shared/id.ts";
import type { DeskOperation, ParamsOf } from "../../shared/operation.ts";
import { readBody } from "../../shared/server/read-body.ts";
import type { DeskEnv } from "./desk-deps.ts";

/** A request that passed the gate: its body matches the schema, and its ids are valid. */
export interface DeskRequest<O extends DeskOperation> {
  readonly c: Context<DeskEnv>;
  readonly params: ParamsOf<O>;
  readonly body: O extends { readonly request: infer S extends z.ZodMiniType } ? z.output<S> : undefined;
}

/** The answer of a call: the operation's JSON, or its own response for files and streams. */
type DeskAnswer<O extends DeskOperation> = z.input<O["answer"]> | Response;

/** Adds one call of the desk at its method and path, for those who may call it. */
export type DeskMount = <const O extends DeskOperation>(
  operation: O,
  handle: (request: DeskRequest<O>) => DeskAnswer<O> | Promise<DeskAnswer<O>>,
) => void;

export function createDeskMount(app: Hono<DeskEnv>): DeskMount {
  return (operation, handle) => {
    app.on(operation.method, `/api${operation.path}`, async (c) => {
      // Hono runs GET handlers for HEAD too: a stream would get a reader that nobody ends.
      if (c.req.method !== operation.method) throw new Failure("method_not_allowed");
      if (operation.access === "admin" && c.get("session").user.role !== "admin") {
        throw new Failure("forbidden", { detail: "Only an admin of this desk can do that." });
      }
      const body = operation.request && (await readBody(c.req.raw, operation.request));
      const request = { c, params: readParams(c), body } as unknown as DeskRequest<typeof operation>;
      const answer: unknown = await handle(request);
      return answer instanceof Response ? answer : c.json(answer as object, operation.status ?? 200);
    });
  };
}

/** @throws Failure `not_found` for an id of a wrong form, which is answered like one that does not exist */
function readParams(c: Context): Record<string, string> {
  const params: Record<string, string> = c.req.param();
  for (const value of Object.values(params)) if (!Id.safeParse(value).success) throw new Failure("not_found");
  return params;
}
