import type { Hono } from "hono";
import { type DeskSession, SetUp, SignIn } from "../../shared/desk.ts";
import { Failure } from "../../shared/errors.ts";
import { readBody } from "../http/read-body.ts";
import { sha256 } from "../ids.ts";
import type { DeskUserRecord } from "../store/store.ts";
import { addressKey, createAttemptLimit } from "./attempt-limit.ts";
import type { DeskDeps, DeskEnv } from "./desk-deps.ts";
import { csrfOf, type DeskSessions } from "./desk-sessions.ts";
import { dropSessionCookie, setSessionCookie } from "./session-cookie.ts";
import { weaknessOf } from "./weak-password.ts";

/** OWASP: few enough that guessing is hopeless, enough for a person with a bad memory. */
const WINDOW_MS = 15 * 60 * 1000;
const ATTEMPTS_PER_ACCOUNT = 10;
const ATTEMPTS_PER_ADDRESS = 20;

/** One answer for a wrong address and a wrong password: it tells nobody who has an account here. */
const WRONG = "The e-mail address or the password is wrong.";
const OLD_LINK =
  "This set-up link is not valid any more. If nobody has set up the desk yet, start the service again for a new one.";

/** `setup`, `login`, `logout` and `session`. */
export function addSignIn(app: Hono<DeskEnv>, deps: DeskDeps, sessions: DeskSessions): void {
  const accounts = deps.store.deskAccounts;
  const limit = (attempts: number) =>
    createAttemptLimit({ now: () => deps.clock.now(), attempts, windowMs: WINDOW_MS });
  const byAddress = limit(ATTEMPTS_PER_ADDRESS);
  const byAccount = limit(ATTEMPTS_PER_ACCOUNT);
  const audit = (user: DeskUserRecord, action: string) =>
    accounts.audit({ workspaceId: user.workspaceId, userId: user.id, action, target: user.id });

  app.post("/api/setup", async (c) => {
    const form = await readBody(c, SetUp);
    const email = form.email.toLowerCase();
    const address = addressKey(deps.addressOf(c));
    const workspaces = await deps.store.workspaces.list();
    const weakness = weaknessOf(form.password, [email, form.name, ...workspaces.map(({ name }) => name)]);
    if (weakness !== undefined) throw new Failure("bad_request", { detail: weakness });
    byAddress.take(address);
    const passwordHash = await deps.passwords.hash(form.password);
    const user = await accounts.setUpFirstUser(sha256(form.token), { email, name: form.name, passwordHash });
    if (!user) throw new Failure("forbidden", { detail: OLD_LINK });
    byAddress.giveBack(address);
    await audit(user, "desk.setup");
    const { token, csrf } = await sessions.open(user);
    setSessionCookie(c, token);
    return c.json(sessionOf(user, csrf), 201);
  });

  app.post("/api/login", async (c) => {
    const form = await readBody(c, SignIn);
    const email = form.email.toLowerCase();
    const address = addressKey(deps.addressOf(c));
    byAddress.take(address);
    byAccount.take(email);
    const user = await findUser(deps, email, form.password);
    if (!user) throw new Failure("unauthenticated", { detail: WRONG });
    byAddress.giveBack(address);
    byAccount.forget(email);
    await audit(user, "desk.login");
    const { token, csrf } = await sessions.open(user);
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

/** Field by field: a column that is added later, or the password's hash, can't slip out (R31). */
function sessionOf({ id, email, name, role }: DeskUserRecord, csrf: string): DeskSession {
  return { user: { id, email, name, role }, csrf };
}
