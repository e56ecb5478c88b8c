import type { Context, Hono } from "hono";
import { DeskRead, DeskReply, type DeskSummary, DeskTyping } from "../../shared/desk.ts";
import { Failure } from "../../shared/errors.ts";
import { Id } from "../../shared/id.ts";
import { readBody } from "../../shared/server/read-body.ts";
import { fileAnswer } from "../http/file-answer.ts";
import { createTyping } from "../live/typing.ts";
import type { DeskTarget, Person } from "../store/desk.ts";
import type { DeskDeps, DeskEnv } from "./desk-deps.ts";

type DeskContext = Context<DeskEnv>;

/** The queue and what a person does with one conversation. The workspace comes from the session, never from the call. */
export function addConversations(app: Hono<DeskEnv>, deps: DeskDeps): void {
  const { desk } = deps.store;
  const typing = createTyping(deps);

  app.get("/api/conversations", async (c) =>
    c.json({ conversations: await desk.listDeskConversations(c.get("session").user.workspaceId) }),
  );

  app.get("/api/conversations/:id", async (c) => {
    const conversation = await desk.readDeskConversation(targetOf(c));
    if (!conversation) throw new Failure("not_found");
    return c.json(conversation);
  });

  app.post("/api/conversations/:id/take", async (c) => {
    const taken = await desk.acceptHandoff(targetOf(c), personOf(c));
    if (taken.taken) return c.json({ handoff: taken.handoff });
    throw new Failure("handoff_unavailable", { detail: `${taken.by.name} has taken this conversation.` });
  });

  app.post("/api/conversations/:id/messages", async (c) => {
    const reply = await readBody(c.req.raw, DeskReply);
    const message = await desk.replyAsHuman(targetOf(c), personOf(c), reply);
    return c.json({ message }, 201);
  });

  app.get("/api/conversations/:id/attachments/:attachmentId", async (c) => {
    const attachmentId = Id.safeParse(c.req.param("attachmentId"));
    if (!attachmentId.success) throw new Failure("not_found");
    return fileAnswer(c, await deps.store.attachments.openForDesk(targetOf(c), attachmentId.data));
  });

  app.post("/api/conversations/:id/read", async (c) => {
    const { seq } = await readBody(c.req.raw, DeskRead);
    return c.json({ read: { seq: await desk.markReadByHuman(targetOf(c), seq) } });
  });

  app.post("/api/conversations/:id/typing", async (c) => {
    await readBody(c.req.raw, DeskTyping);
    const target = targetOf(c);
    const person = personOf(c);
    requireHeld(await desk.readDeskSummary(target), person);
    typing.tell({ ...target, role: "human", name: person.name });
    return c.json({ typing: { conversationId: target.conversationId } });
  });

  app.post("/api/conversations/:id/return", async (c) =>
    c.json({ handoff: await desk.returnToAgent(targetOf(c), personOf(c)) }),
  );

  app.post("/api/conversations/:id/resolve", async (c) => {
    const target = targetOf(c);
    const person = personOf(c);
    const resolve = () => desk.resolveConversation(target, person);
    return c.json({ conversation: await deps.interrupting(target.conversationId, resolve) });
  });
}

/** @throws Failure `not_found` for what can't be an id: it is answered like one that is not there */
function targetOf(c: DeskContext): DeskTarget {
  const id = Id.safeParse(c.req.param("id"));
  if (!id.success) throw new Failure("not_found");
  return { workspaceId: c.get("session").user.workspaceId, conversationId: id.data };
}

/** A customer sees only the dots of who may answer them. @throws Failure `not_found`, `conversation_ended`, `forbidden` */
function requireHeld(row: DeskSummary | undefined, person: Person): void {
  if (!row) throw new Failure("not_found");
  if (row.state === "ended")
    throw new Failure("conversation_ended", { detail: "This conversation has ended." });
  if (row.state !== "taken" || row.takenBy?.id !== person.id) {
    throw new Failure("forbidden", { detail: "Take this conversation first." });
  }
}

function personOf(c: DeskContext): Person {
  const { id, name } = c.get("session").user;
  return { id, name };
}
