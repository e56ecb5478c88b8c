import type { Context } from "hono";
import type { DeskSummary } from "../../shared/desk.ts";
import {
  answerAction,
  describeCustomer,
  draftReply,
  listConversations,
  listEarlier,
  markRead,
  readConversation,
  readFile,
  reopenConversation,
  reply,
  resolveConversation,
  returnConversation,
  takeConversation,
  tellTyping,
  uploadFile,
} from "../../shared/desk-operations.ts";
import { Failure } from "../../shared/errors.ts";
import { DEFAULT_PAST } from "../../shared/v1/history.ts";
import { fileAnswer } from "../http/file-answer.ts";
import { historyPage, readHistoryPlace } from "../http/history-page.ts";
import { takeUpload } from "../http/upload.ts";
import { createTyping } from "../live/typing.ts";
import type { DeskTarget, Person } from "../store/desk.ts";
import { createAttemptLimit } from "./attempt-limit.ts";
import type { DeskDeps, DeskEnv } from "./desk-deps.ts";
import type { DeskMount } from "./desk-route.ts";
import { placesAfter, readPlace } from "./queue-places.ts";
import { withPresence } from "./with-presence.ts";

/** Each draft may cost the owner money: as many as a busy person needs. */
const DRAFTS = { attempts: 30, windowMs: 10 * 60 * 1000 };

type DeskContext = Context<DeskEnv>;

/**
 * The queue, and what a person does with one conversation. The workspace comes from the session, never from the call.
 */
export function addConversations(mount: DeskMount, deps: DeskDeps): void {
  const { desk, epoch } = deps.store;
  const typing = createTyping(deps);
  const drafts = createAttemptLimit({ clock: deps.clock, ...DRAFTS });

  mount(listConversations, async ({ c }) => {
    const { workspaceId, id } = c.get("session").user;
    const place = readPlace(c.req.query("state"), c.req.query("after"));
    const rows = await desk.listDeskConversations(workspaceId, place, id);
    const listed = new Set(rows.map((row) => row.id));
    // They may be far down among those with the agent.
    const decisions = place ? [] : await desk.listDecisions(workspaceId, id);
    const all = [...rows, ...decisions.filter((row) => !listed.has(row.id))];
    return { conversations: all.map((row) => withPresence(deps, row)), next: placesAfter(rows), epoch };
  });

  mount(readConversation, async ({ c, params }) => {
    const conversation = await desk.readDeskConversation(targetOf(c, params.id), personOf(c).id);
    if (!conversation) throw new Failure("not_found");
    return withPresence(deps, conversation);
  });

  mount(listEarlier, async ({ c, params }) => {
    const after = readHistoryPlace(c.req.query("after"));
    const page = await desk.listEarlier(targetOf(c, params.id), after, DEFAULT_PAST);
    return { conversationId: params.id, ...historyPage(page) };
  });

  mount(describeCustomer, async ({ c, params, body }) => {
    const target = targetOf(c, params.id);
    const typed = await desk.describeCustomer(target, personOf(c), body);
    deps.hub.touch(target.workspaceId, target.conversationId);
    return { customer: { conversationId: params.id, ...typed } };
  });

  mount(takeConversation, async ({ c, params }) => {
    const take = () => desk.takeConversation(targetOf(c, params.id), personOf(c));
    const taken = await deps.interrupting(params.id, take);
    if (taken.taken) return { handoff: taken.handoff };
    throw new Failure("handoff_unavailable", { detail: `${taken.by.name} has taken this conversation.` });
  });

  mount(reopenConversation, async ({ c, params }) => ({
    handoff: await desk.reopenConversation(targetOf(c, params.id), personOf(c)),
  }));

  mount(reply, async ({ c, params, body }) => ({
    message: await desk.replyAsHuman(targetOf(c, params.id), personOf(c), {
      ...body,
      attachments: (body.attachments ?? []).map(({ id }) => id),
    }),
  }));

  mount(draftReply, async ({ c, params }) => {
    const target = targetOf(c, params.id);
    const person = personOf(c);
    requireHeld(await desk.readDeskSummary(target), person);
    drafts.take(person.id);
    const draft = await deps.draft(target, c.req.raw.signal);
    if (!draft) throw new Failure("not_found");
    // While the agent wrote, the conversation may have gone to somebody else.
    requireHeld(await desk.readDeskSummary(target), person);
    return { draft };
  });

  mount(uploadFile, ({ c, params }) =>
    takeUpload(c, (file) => deps.store.attachments.addForDesk(targetOf(c, params.id), personOf(c), file)),
  );

  mount(readFile, async ({ c, params }) =>
    fileAnswer(c, await deps.store.attachments.openForDesk(targetOf(c, params.id), params.attachmentId)),
  );

  mount(markRead, async ({ c, params, body }) => ({
    read: { seq: await desk.markReadByHuman(targetOf(c, params.id), personOf(c), body.seq) },
  }));

  mount(tellTyping, async ({ c, params }) => {
    const target = targetOf(c, params.id);
    const person = personOf(c);
    requireHeld(await desk.readDeskSummary(target), person);
    typing.tell({ ...target, role: "human", name: person.name });
    return { typing: { conversationId: target.conversationId } };
  });

  mount(answerAction, async ({ c, params, body }) => {
    await deps.actions.answerAsPerson(targetOf(c, params.id), personOf(c), body);
    return { action: { id: body.actionId, approved: body.approved } };
  });

  mount(returnConversation, async ({ c, params }) => {
    const handoff = await desk.returnToAgent(targetOf(c, params.id), personOf(c));
    deps.wake(params.id);
    return { handoff };
  });

  mount(resolveConversation, async ({ c, params }) => {
    const resolve = () => desk.resolveConversation(targetOf(c, params.id), personOf(c));
    return { conversation: await deps.interrupting(params.id, resolve) };
  });
}

function targetOf(c: DeskContext, conversationId: string): DeskTarget {
  return { workspaceId: c.get("session").user.workspaceId, conversationId };
}

/**
 * A customer sees only the typing signal of the person who may answer. @throws Failure `not_found`,
 * `conversation_ended`, `forbidden`
 */
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
