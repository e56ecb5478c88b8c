import type { Context, Hono } from "hono";
import { type DeskAuditEntry, DeskInvite, type DeskLinkMade, type DeskPerson } from "../../shared/desk.ts";
import { Failure } from "../../shared/errors.ts";
import { Id } from "../../shared/id.ts";
import { readBody } from "../../shared/server/read-body.ts";
import { createSecret, sha256 } from "../ids.ts";
import type { AuditEntry, DeskLink, PersonRecord, PersonTarget } from "../store/people.ts";
import type { DeskDeps, DeskEnv } from "./desk-deps.ts";
import { requireAdmin } from "./desk-gate.ts";
import type { DeskSessions } from "./desk-sessions.ts";

type DeskContext = Context<DeskEnv>;

/** As for the first link: longer, and it may be in anybody's mailbox. */
export const LINK_MS = 24 * 60 * 60 * 1000;
const AUDIT_PAGE = 100;

/** What admins do: who may sit at the desk, and the audit log. The workspace comes from the session alone. */
export function addPeople(app: Hono<DeskEnv>, deps: DeskDeps, sessions: DeskSessions): void {
  const { deskPeople } = deps.store;
  for (const path of ["/api/users", "/api/users/*", "/api/audit"]) app.use(path, requireAdmin);

  app.get("/api/users", async (c) =>
    c.json({ users: (await deskPeople.list(c.get("session").user.workspaceId)).map(personOf) }),
  );

  app.post("/api/users", async (c) => {
    const { email, name, role } = await readBody(c.req.raw, DeskInvite);
    const { workspaceId, id: by } = c.get("session").user;
    const link = createLink(deps);
    const person = await deskPeople.invite({ workspaceId, email: email.toLowerCase(), name, role, by }, link);
    return c.json(madeOf(person, link), 201);
  });

  app.post("/api/users/:id/link", async (c) => {
    const target = targetOf(c);
    const link = createLink(deps);
    const person = await deskPeople.renewLink(target, link);
    sessions.dropStreams(target.userId);
    return c.json(madeOf(person, link), 201);
  });

  app.post("/api/users/:id/disable", async (c) => {
    const target = targetOf(c);
    const person = await deskPeople.disable(target);
    sessions.dropStreams(target.userId);
    return c.json({ user: personOf(person) });
  });

  app.post("/api/users/:id/enable", async (c) =>
    c.json({ user: personOf(await deskPeople.enable(targetOf(c))) }),
  );

  app.get("/api/audit", async (c) => {
    const { workspaceId } = c.get("session").user;
    const entries = await deskPeople.readAudit(workspaceId, readBefore(c), AUDIT_PAGE);
    const next = entries.length === AUDIT_PAGE ? entries.at(-1)?.id : undefined;
    return c.json({ entries: entries.map(entryOf), ...(next === undefined ? {} : { next }) });
  });
}

/** @throws Failure `not_found` for what can't be an id: it is answered like one that is not there */
function targetOf(c: DeskContext): PersonTarget {
  const id = Id.safeParse(c.req.param("id"));
  if (!id.success) throw new Failure("not_found");
  const { workspaceId, id: by } = c.get("session").user;
  return { workspaceId, userId: id.data, by };
}

function readBefore(c: DeskContext): string | undefined {
  const before = c.req.queries("before");
  if (before === undefined) return undefined;
  const id = Id.safeParse(before.length === 1 ? before[0] : undefined);
  if (!id.success) throw new Failure("bad_request", { detail: "before: must be the id of an entry." });
  return id.data;
}

function createLink(deps: DeskDeps): DeskLink & { token: string } {
  const token = createSecret(deps.random);
  return { token, hash: sha256(token), expiresAt: deps.clock.now() + LINK_MS };
}

function madeOf(person: PersonRecord, link: DeskLink & { token: string }): DeskLinkMade {
  const { token, expiresAt } = link;
  return { person: personOf(person), token, expiresAt: new Date(expiresAt).toISOString() };
}

/** Field by field, so that nothing that is added later slips out. */
function personOf({ id, email, name, role, state, linkExpiresAt }: PersonRecord): DeskPerson {
  const until = linkExpiresAt === undefined ? {} : { linkExpiresAt: new Date(linkExpiresAt).toISOString() };
  return { id, email, name, role, state, ...until };
}

function entryOf({ id, at, action, by, target, targetName }: AuditEntry): DeskAuditEntry {
  return {
    id,
    at: new Date(at).toISOString(),
    action,
    ...(by === undefined ? {} : { by: { id: by.id, name: by.name } }),
    ...(target === undefined ? {} : { target }),
    ...(targetName === undefined ? {} : { targetName }),
  };
}
