import type { DeskSession } from "../../shared/desk.ts";
import { readSession, signIn, signOut } from "../../shared/desk-operations.ts";
import { Failure } from "../../shared/errors.ts";
import { errorFacts } from "../../shared/server/log.ts";
import type { DeskUserRecord } from "../store/accounts.ts";
import type { DeskDeps } from "./desk-deps.ts";
import type { DeskMount } from "./desk-route.ts";
import { csrfOf, type DeskSessions } from "./desk-sessions.ts";
import { dropSessionCookie, setSessionCookie } from "./session-cookie.ts";
import type { Attempt, SignInLimits } from "./sign-in-limits.ts";

/** One answer for a wrong address and a wrong password, so that nobody can find out who has an account. */
const WRONG = "The e-mail address or the password is wrong.";

/** `login`, `logout` and `session`. */
export function addSignIn(
  mount: DeskMount,
  deps: DeskDeps,
  sessions: DeskSessions,
  limits: SignInLimits,
): void {
  const accounts = deps.store.deskAccounts;
  const audit = (user: DeskUserRecord, action: string) =>
    accounts.audit({ workspaceId: user.workspaceId, userId: user.id, action, target: user.id });

  mount(signIn, async ({ c, body: form }) => {
    const email = form.email.toLowerCase();
    const attempt = limits.begin(deps.addressOf(c), email);
    const user = await findUser(deps, email, form.password, attempt);
    if (!user) throw new Failure("unauthenticated", { detail: WRONG });
    const { token, csrf } = await sessions.open(user);
    await audit(user, "desk.login");
    setSessionCookie(c, token);
    return sessionOf(user, csrf);
  });

  mount(signOut, async ({ c }) => {
    const session = c.get("session");
    await sessions.close(session);
    dropSessionCookie(c);
    await audit(session.user, "desk.logout");
    return { revoked: true };
  });

  mount(readSession, ({ c }) => sessionOf(c.get("session").user, csrfOf(c.get("token"))));
}

/**
 * Returns the account that address and password prove, in any workspace of this service. A known address with a wrong
 * password is written to the audit log; an unknown one takes as long and leaves no trace.
 */
async function findUser(
  deps: DeskDeps,
  email: string,
  password: string,
  attempt: Attempt,
): Promise<DeskUserRecord | undefined> {
  const { workspaces, deskAccounts } = deps.store;
  const found = await Promise.all(
    (await workspaces.list()).map(({ id }) => deskAccounts.findUserByEmail(id, email)),
  );
  const users = found.filter((user) => user !== undefined);
  for (const user of users.length > 0 ? users : [undefined]) {
    const isRight = await attempt.check(deps.passwords.verify(password, user?.passwordHash));
    if (!user) continue;
    if (isRight) {
      // The accounts of several workspaces may be those of different people: each attempt is a guess at the others.
      if (users.length === 1) attempt.succeeded();
      return user;
    }
    const { workspaceId, id } = user;
    // Not awaited: an unknown address does not wait for the store either, or fail with it.
    deskAccounts
      .audit({ workspaceId, userId: undefined, action: "desk.login_failed", target: id })
      .catch((error: unknown) =>
        deps.log.warn({ workspaceId, ...errorFacts(error) }, "a failed sign-in could not be recorded"),
      );
  }
  return undefined;
}

/** Field by field: a column that is added later, or the password's hash, can't leak. */
export function sessionOf({ id, email, name, role }: DeskUserRecord, csrf: string): DeskSession {
  return { user: { id, email, name, role }, csrf };
}
