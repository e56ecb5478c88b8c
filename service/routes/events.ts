import { Failure } from "../../shared/errors.ts";
import type { Wait } from "../../shared/handoff.ts";
import { HEARTBEAT_MS } from "../../shared/limits.ts";
import { errorFacts } from "../../shared/server/log.ts";
import { streamEvents } from "../../shared/v1/events.ts";
import { createByteQueue } from "../http/byte-queue.ts";
import type { Checked, Mount } from "../http/operation-route.ts";
import { eventFrame, HEARTBEAT_FRAME } from "../live/event-frame.ts";
import { follow } from "../live/follow.ts";
import { readPosition } from "./messages.ts";
import type { RouteDeps } from "./route-deps.ts";

/**
 * The events of a conversation after `Last-Event-ID`, or from the beginning without one. A position that this log does
 * not have (garbage, or from the future) is answered with 400 `bad_request`. This call has no other reason for a 400,
 * so it always means "read the transcript again".
 */
export function addEventRoutes(mount: Mount, deps: RouteDeps): void {
  mount(streamEvents, async (request) => {
    const { c, caller, id } = request;
    const { lastSeq } = await deps.store.conversations.readEvents(caller, id, 0, 0);
    const after = readPosition(c.req.header("last-event-id"));
    if (after === undefined || after > lastSeq) {
      throw new Failure("bad_request", { detail: "Last-Event-ID: this conversation has no such position." });
    }
    c.header("content-type", "text/event-stream; charset=utf-8");
    // Without it nginx delays events until its buffer is full.
    c.header("x-accel-buffering", "no");
    return c.body(await openStream(deps, request, after, isInProcess(c.env)), 200);
  });
}

/** A BFF in the same process needs no heartbeat: no connection between them can break. */
function isInProcess(env: unknown): boolean {
  return typeof env === "object" && env !== null && "isInProcess" in env && env.isInProcess === true;
}

async function openStream(
  deps: RouteDeps,
  { caller, id }: Checked<typeof streamEvents>,
  after: number,
  inProcess: boolean,
): Promise<ReadableStream<Uint8Array>> {
  const cleanUp: (() => void)[] = [];
  const left = new AbortController();
  const queue = createByteQueue(() => {
    left.abort();
    for (const undo of cleanUp.splice(0)) undo();
  });
  const onOpen = (undo: () => void) => {
    // The reader may have left while the log was being read.
    if (left.signal.aborted) undo();
    else cleanUp.push(undo);
  };
  queue.push(HEARTBEAT_FRAME);
  const following = follow(
    {
      hub: deps.hub,
      readEvents: (...where) => deps.store.conversations.readEvents(...where),
      readSnapshot: (of) => deps.answers.readSnapshot(of),
    },
    { owner: caller, conversationId: id, after, signal: left.signal },
    {
      onEvent: (event) => {
        queue.push(eventFrame(event));
        // No log is left that could continue.
        if (event.type === "conversation.erased") queue.end();
      },
      calm: () => queue.calm(),
      onError: (error) => {
        deps.log.warn(
          { conversationId: id, ...errorFacts(error) },
          "a stream ended because its log can't be read",
        );
        queue.end();
      },
    },
  );
  // Not awaited: a long replay is sent while it is read, and waits for its reader.
  const tellRead = async () => {
    const { read } = await deps.store.conversations.readEvents(caller, id, 0, 0);
    for (const by of ["customer", "human"] as const) {
      const upTo = read?.[by];
      if (upTo !== undefined) queue.push(eventFrame({ type: "conversation.read", by, upTo }));
    }
  };
  const tellWait = async () => {
    const say = (wait: Wait) => queue.push(eventFrame({ type: "handoff.wait", wait }));
    onOpen(deps.waits.follow(caller.workspaceId, id, say));
    const wait = await deps.store.handoffs.readWait(caller, id);
    if (wait) say(wait);
  };
  const opened = following.then(async () => {
    await tellRead();
    await tellWait();
  });
  opened.catch((error: unknown) => {
    deps.log.warn({ conversationId: id, ...errorFacts(error) }, "a stream could not be opened");
    queue.end();
  });
  onOpen(deps.streams.add(id, () => queue.end()));
  onOpen(deps.presence.join(caller.workspaceId, id));
  if (!inProcess) onOpen(deps.clock.every(HEARTBEAT_MS, () => queue.push(HEARTBEAT_FRAME)));
  return queue.stream;
}
