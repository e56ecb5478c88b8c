import type { Context, Hono } from "hono";
import type * as z from "zod/mini";
import { Failure } from "../../shared/errors.ts";
import type { V1Operation } from "../../shared/operation.ts";
import { readBody } from "../../shared/server/read-body.ts";
import { readId } from "../../shared/server/read-id.ts";
import type { Callers, Gate } from "../auth/gate.ts";
import type { RequestFacts } from "./problems.ts";

/** A checked request: the caller is authenticated, the body matches the schema, and the id is valid in a path. */
export interface Checked<O extends V1Operation> {
  readonly c: Context<RequestFacts>;
  readonly caller: Callers[O["auth"]];
  readonly body: O["request"] extends z.ZodMiniType ? z.infer<O["request"]> : undefined;
  /** The `:id` of the path; empty if the path has none. */
  readonly id: string;
}

export type Handler<O extends V1Operation> = (request: Checked<O>) => Promise<Response>;

/** Adds the route of one operation, with its authentication. */
export type Mount = <O extends V1Operation>(operation: O, handler: Handler<O>) => void;

export function createMount(app: Hono<RequestFacts>, gate: Gate): Mount {
  const methods = new Map<string, string[]>();
  return (operation, handler) => {
    const allowed = methods.get(operation.path) ?? [];
    methods.set(operation.path, allowed);
    allowed.push(operation.method);
    app.on(operation.method, operation.path, async (c, next) => {
      // Hono runs GET handlers for HEAD too: a stream would get a reader that nobody ends.
      if (c.req.method !== operation.method) return next();
      const caller = await gate.authenticate<typeof operation.auth>(operation.auth, c.req.raw.headers);
      const { request, limits } = operation;
      const body = request ? await readBody(c.req.raw, request, limits.requestBytes) : undefined;
      return handler({ c, caller, body, id: readId(c, operation) } as Checked<typeof operation>);
    });
    app.all(operation.path, async (c, next) => {
      // Another operation of this path, which was mounted later.
      if (allowed.includes(c.req.method) && c.req.method !== operation.method) return next();
      c.header("allow", allowed.join(", "));
      throw new Failure("method_not_allowed");
    });
  };
}
