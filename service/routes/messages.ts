import { Failure } from "../../shared/errors.ts";
import { readMessages } from "../../shared/v1/messages.ts";
import type { Mount } from "../http/operation-route.ts";
import type { RouteDeps } from "./route-deps.ts";

/** The transcript after `?after=SEQ`, with the position and the epoch from which the events go on. */
export function addMessageRoutes(mount: Mount, { store }: RouteDeps): void {
  mount(readMessages, async ({ c, caller, id }) => {
    const after = readPosition(c.req.query("after"));
    if (after === undefined)
      throw new Failure("bad_request", { detail: "after: must be a whole number from 0." });
    const transcript = await store.conversations.readTranscript(caller, id, after);
    return c.json({ ...transcript, epoch: store.epoch }, 200);
  });
}

/** A position in a log as a client writes it; 0 where it writes none. Undefined when it is not one. */
export function readPosition(text: string | undefined): number | undefined {
  if (text === undefined) return 0;
  return /^\d{1,15}$/.test(text) ? Number(text) : undefined;
}
