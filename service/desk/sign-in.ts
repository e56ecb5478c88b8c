import type { Hono } from "hono";
import { type DeskSession, SignIn } from "../../shared/desk.ts";
import { Failure } from "../../shared/errors.ts";
import { readBody } from "../../shared/server/read-body.ts";
import type { DeskUserRecord } from "../store/accounts.ts";
import type { DeskDeps, DeskEnv } from "./desk-deps.ts";
import { csrfOf, type DeskSessions } from "./desk-sessions.ts";
import { dropSessionCookie, setSessionCookie } from "./session-cookie.ts";
import type { SignInLimits } from "./sign-in-limits.ts";

/** One answer for a wrong address and a wrong password: it tells nobody who has an account here. */
const WRONG = "The e-mail address or the password is wrong.";

/** `login`, `logout` and `session`. */
export function addSignIn(
  app: Hono<DeskEnv>,
  deps: DeskDeps,
  sessions: DeskSessions,
  limits: SignInLimits,
): void {
  const accounts = deps.store.deskAccounts;
  const audit = (user: DeskUserRecord, action: string) =>
    accounts.audit({ workspaceId: user.workspaceId, userId: user.id, action, target: user.id });

  app.post("/api/login", async (c) => {
    const form = await readBody(c.req.raw, SignIn);
    const email = form.email.toLowerCase();
    const attempt = limits.begin(deps.addressOf(c), email);
    const user = await findUser(deps, email, form.password);
    if (!user) throw new Failure("unauthenticated", { detail: WRONG });
    attempt.succeeded();
    const { token, csrf } = await sessions.open(user);
    await audit(user, "desk.login");
    setSessionCookie(c, token);
    return c.json(sessionOf(user, csrf));
  });

  app.post("/api/logout", async (c) => {
    const session = c.get("session");
    await sessions.close(session);
    dropSessionCookie(c);
    await audit(session.user, "desk.logout");
    return c.json({ revoked: true });
  });

  app.get("/api/session", (c) => c.json(sessionOf(c.get("session").user, csrfOf(c.get("token")))));
}

/**
 * Whom address and password prove, in any workspace of this service. A known address with a wrong password is written
 * to the audit log; an unknown one takes as long and leaves nothing.
 */
async function findUser(
  deps: DeskDeps,
  email: string,
  password: string,
): Promise<DeskUserRecord | undefined> {
  const { workspaces, deskAccounts } = deps.store;
  const found = await Promise.all(
    (await workspaces.list()).map(({ id }) => deskAccounts.findUserByEmail(id, email)),
  );
  const users = found.filter((user) => user !== undefined);
  if (users.length === 0) await deps.passwords.verify(password, undefined);
  for (const user of users) {
    if (await deps.passwords.verify(password, user.passwordHash)) return user;
    const { workspaceId, id } = user;
    await deskAccounts.audit({ workspaceId, userId: undefined, action: "desk.login_failed", target: id });
  }
  return undefined;
}

/** Field by field: a column that is added later, or the password's hash, can't slip out. */
export function sessionOf({ id, email, name, role }: DeskUserRecord, csrf: string): DeskSession {
  return { user: { id, email, name, role }, csrf };
}
