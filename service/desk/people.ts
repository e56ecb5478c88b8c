import type { Context } from "hono";
import type { DeskAuditEntry, DeskLinkMade, DeskPerson } from "../../shared/desk.ts";
import {
  disablePerson,
  enablePerson,
  invitePerson,
  listPeople,
  readAudit,
  renewLink,
} from "../../shared/desk-operations.ts";
import { Failure } from "../../shared/errors.ts";
import { Id } from "../../shared/id.ts";
import { createSecret } from "../../shared/server/random.ts";
import { sha256 } from "../ids.ts";
import type { AuditEntry, DeskLink, PersonRecord, PersonTarget } from "../store/people.ts";
import type { DeskDeps, DeskEnv } from "./desk-deps.ts";
import type { DeskMount } from "./desk-route.ts";
import type { DeskSessions } from "./desk-sessions.ts";

type DeskContext = Context<DeskEnv>;

/** As long as the first link: an invitation may sit in anybody's mailbox. */
export const LINK_MS = 24 * 60 * 60 * 1000;
const AUDIT_PAGE = 100;

/** What admins do: decide who can use the desk, and read the audit log. The workspace comes from the session only. */
export function addPeople(mount: DeskMount, deps: DeskDeps, sessions: DeskSessions): void {
  const { deskPeople } = deps.store;
  const targetOf = (c: DeskContext, userId: string): PersonTarget => {
    const { workspaceId, id: by } = c.get("session").user;
    return { workspaceId, userId, by };
  };

  mount(listPeople, async ({ c }) => ({
    users: (await deskPeople.list(c.get("session").user.workspaceId)).map(personOf),
  }));

  mount(invitePerson, async ({ c, body: { email, name, role } }) => {
    const { workspaceId, id: by } = c.get("session").user;
    const link = createLink(deps);
    const person = await deskPeople.invite({ workspaceId, email: email.toLowerCase(), name, role, by }, link);
    return madeOf(person, link);
  });

  mount(renewLink, async ({ c, params }) => {
    const link = createLink(deps);
    const person = await deskPeople.renewLink(targetOf(c, params.id), link);
    sessions.dropStreams(params.id);
    return madeOf(person, link);
  });

  mount(disablePerson, async ({ c, params }) => {
    const person = await deskPeople.disable(targetOf(c, params.id));
    sessions.dropStreams(params.id);
    return { user: personOf(person) };
  });

  mount(enablePerson, async ({ c, params }) => ({
    user: personOf(await deskPeople.enable(targetOf(c, params.id))),
  }));

  mount(readAudit, async ({ c }) => {
    const { workspaceId } = c.get("session").user;
    const entries = await deskPeople.readAudit(workspaceId, readBefore(c), AUDIT_PAGE);
    const next = entries.length === AUDIT_PAGE ? entries.at(-1)?.id : undefined;
    return { entries: entries.map(entryOf), ...(next === undefined ? {} : { next }) };
  });
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

/** Field by field, so that a column added later can't leak. */
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
