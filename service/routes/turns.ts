import { Failure } from "../../shared/errors.ts";
import { NDJSON, sendTurn } from "../../shared/v1/turns.ts";
import type { Mount } from "../http/operation-route.ts";
import type { RouteDeps } from "./route-deps.ts";
import { streamAnswer } from "./turn-stream.ts";

/**
 * Takes a message of the customer. It is on disk before the answer; then the agent is started. `clientMessageId` is the
 * key: the same text again returns the same message, another text is 422.
 */
export function addTurnRoutes(mount: Mount, deps: RouteDeps): void {
  mount(sendTurn, async ({ c, caller, body, id }) => {
    if (body.content.body === "" && body.attachments.length === 0) {
      throw new Failure("bad_request", { detail: "content.body: must not be empty." });
    }
    const turn = await deps.store.conversations.addTurn(caller, id, {
      clientMessageId: body.clientMessageId,
      body: body.content.body,
      attachments: body.attachments.map((file) => file.id),
      lease: deps.answers.terms,
    });
    if (c.req.header("accept")?.includes(NDJSON)) {
      c.header("content-type", NDJSON);
      c.header("x-accel-buffering", "no");
      return c.body(
        await streamAnswer(deps, {
          owner: caller,
          conversationId: id,
          clientMessageId: body.clientMessageId,
          turn,
        }),
        200,
      );
    }
    if (turn.answerId !== undefined) deps.answers.wake(id);
    return c.json({ message: turn.message }, 201);
  });
}
