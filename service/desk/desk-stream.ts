import type { DeskEvent } from "../../shared/desk.ts";
import type { ServiceEvent } from "../../shared/event.ts";
import { HEARTBEAT_MS } from "../../shared/limits.ts";
import { errorFacts } from "../../shared/server/log.ts";
import { createByteQueue } from "../http/byte-queue.ts";
import type { DeskSessionRecord } from "../store/accounts.ts";
import type { DeskTarget } from "../store/desk.ts";
import type { DeskDeps } from "./desk-deps.ts";
import type { DeskSessions } from "./desk-sessions.ts";
import { withPresence } from "./with-presence.ts";

const encoder = new TextEncoder();
/** A comment: not an event, only a sign of life. */
const HEARTBEAT = encoder.encode(": \n\n");

/**
 * The desk's event stream for one session: every event of its workspace and, after each durable one and when its
 * customer comes or leaves, the current queue row. It ends when the session ends, when the process stops, or when its
 * reader does not read.
 */
export function openDeskStream(
  deps: DeskDeps,
  sessions: DeskSessions,
  session: DeskSessionRecord,
): ReadableStream<Uint8Array> {
  const { workspaceId } = session.user;
  const undo: (() => void)[] = [];
  const queue = createByteQueue(() => {
    for (const step of undo.splice(0)) step();
  });
  const end = () => queue.end();
  const say = (event: DeskEvent) => queue.push(encoder.encode(`data: ${JSON.stringify(event)}\n\n`));
  const fail = (error: unknown) => {
    deps.log.warn({ ...errorFacts(error), workspaceId }, "a desk stream was ended by an error");
    end();
  };
  const sayNote = async (target: DeskTarget, seq: number) => {
    const note = await deps.store.desk.readNote(target, seq);
    if (note) say({ type: "answer.noted", conversationId: target.conversationId, note });
  };
  const beat = async () => {
    if (await sessions.isAlive(session)) queue.push(HEARTBEAT);
    else end();
  };
  const rowChanged = createRowWriter(deps, session, say, fail);
  undo.push(
    deps.hub.subscribeWorkspace(workspaceId, ({ conversationId, event }) => {
      say({ type: "conversation.event", conversationId, event });
      if (event.type === "message.created" && event.message.role === "agent")
        void sayNote({ workspaceId, conversationId }, event.seq).catch(fail);
      if (changesRow(event)) rowChanged(conversationId);
    }),
    deps.hub.subscribeRows(workspaceId, rowChanged),
    deps.clock.every(HEARTBEAT_MS, () => void beat().catch(fail)),
    sessions.onClose(session, end),
    () => deps.stopping?.removeEventListener("abort", end),
  );
  deps.stopping?.addEventListener("abort", end, { once: true });
  // Sends the first bytes immediately, so that the client knows that the connection is open.
  queue.push(HEARTBEAT);
  if (deps.stopping?.aborted) end();
  return queue.stream;
}

/** Entries of the log do; and another window of the person who answers shows that they have read it. */
function changesRow(event: ServiceEvent): boolean {
  return "seq" in event || (event.type === "conversation.read" && event.by === "human");
}

/** Sends a conversation's row once for all the events that arrive while it is being read. */
function createRowWriter(
  deps: DeskDeps,
  { user: { id: readerId, workspaceId } }: DeskSessionRecord,
  say: (event: DeskEvent) => void,
  fail: (error: unknown) => void,
): (conversationId: string) => void {
  const waiting = new Set<string>();
  let writing = false;
  const writeRows = async () => {
    writing = true;
    try {
      for (const conversationId of waiting) {
        waiting.delete(conversationId);
        const conversation = await deps.store.desk.readDeskSummary({ workspaceId, conversationId }, readerId);
        if (conversation) say({ type: "queue.changed", conversation: withPresence(deps, conversation) });
      }
    } finally {
      writing = false;
    }
  };
  return (conversationId) => {
    waiting.add(conversationId);
    if (!writing) void writeRows().catch(fail);
  };
}
