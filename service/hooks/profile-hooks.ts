import type { Hono } from "hono";
import { Failure } from "../../shared/errors.ts";
import type { RequestFacts } from "../http/problems.ts";
import { readRaw } from "../http/raw-request.ts";
import type { ApplyChange } from "../profiles/apply-change.ts";
import type { ProfileSource } from "../profiles/source.ts";

/** `POST /hooks/profiles/NAME`: what a source knows about customers. Answered after everything is stored. */
export function addProfileHooks(
  app: Hono<RequestFacts>,
  deps: { readonly sources: readonly ProfileSource[]; readonly applyChange: ApplyChange },
): void {
  app.post("/hooks/profiles/:name", async (c) => {
    const source = deps.sources.find(({ name }) => name === c.req.param("name"));
    if (!source) throw new Failure("not_found");
    const changes = await source.receive(await readRaw(c.req.raw));
    for (const change of changes) await deps.applyChange(source, change);
    return c.json({ received: changes.length });
  });
}
