import type { Context } from "hono";
import type { LinkOffer } from "../../shared/desk.ts";
import { join, openLink, setUp } from "../../shared/desk-operations.ts";
import { Failure } from "../../shared/errors.ts";
import { sha256 } from "../ids.ts";
import type { DeskDeps } from "./desk-deps.ts";
import type { DeskMount } from "./desk-route.ts";
import type { DeskSessions } from "./desk-sessions.ts";
import { setSessionCookie } from "./session-cookie.ts";
import { sessionOf } from "./sign-in.ts";
import type { SignInLimits } from "./sign-in-limits.ts";
import { weaknessOf } from "./weak-password.ts";

const OLD_SETUP =
  "This set-up link is not valid any more. If nobody has set up the desk yet, start the service again for a new one.";
const OLD_LINK = "This link is not valid any more. Ask an admin of the desk for a new one.";

/** The kinds of one-time links: `setup` creates the first account, `link` and `join` are for invited people. */
export function addLinks(
  mount: DeskMount,
  deps: DeskDeps,
  sessions: DeskSessions,
  limits: SignInLimits,
): void {
  const { deskAccounts, deskPeople } = deps.store;
  const begin = (c: Context) => limits.beginNameless(deps.addressOf(c));

  mount(setUp, async ({ c, body: form }) => {
    const attempt = begin(c);
    const hash = sha256(form.token);
    if (!(await deskAccounts.isSetup(hash))) throw new Failure("forbidden", { detail: OLD_SETUP });
    attempt.succeeded();
    const email = form.email.toLowerCase();
    await requireStrength(deps, form.password, [email, form.name]);
    const made = { email, name: form.name, passwordHash: await deps.passwords.hash(form.password) };
    const user = await deskAccounts.setUpFirstUser(hash, made);
    if (!user) throw new Failure("forbidden", { detail: OLD_SETUP });
    const { token, csrf } = await sessions.open(user);
    setSessionCookie(c, token);
    return sessionOf(user, csrf);
  });

  mount(openLink, async ({ c, body: { token } }) => {
    const attempt = begin(c);
    const hash = sha256(token);
    const found = await deskPeople.findLink(hash);
    const offer: LinkOffer | undefined = found
      ? { purpose: found.purpose, email: found.user.email, name: found.user.name }
      : (await deskAccounts.isSetup(hash))
        ? { purpose: "first" }
        : undefined;
    if (!offer) throw new Failure("forbidden", { detail: OLD_LINK });
    attempt.succeeded();
    return offer;
  });

  mount(join, async ({ c, body: form }) => {
    const attempt = begin(c);
    const hash = sha256(form.token);
    const found = await deskPeople.findLink(hash);
    if (!found) throw new Failure("forbidden", { detail: OLD_LINK });
    attempt.succeeded();
    await requireStrength(deps, form.password, [found.user.email, found.user.name]);
    const user = await deskPeople.useLink(hash, await deps.passwords.hash(form.password));
    if (!user) throw new Failure("forbidden", { detail: OLD_LINK });
    const { token, csrf } = await sessions.open(user);
    setSessionCookie(c, token);
    return sessionOf(user, csrf);
  });
}

/** @throws Failure `bad_request` with the reason why the password is refused */
export async function requireStrength(
  deps: DeskDeps,
  password: string,
  known: readonly string[],
): Promise<void> {
  const workspaces = await deps.store.workspaces.list();
  const weakness = await weaknessOf(password, [...known, ...workspaces.map(({ name }) => name)]);
  if (weakness !== undefined) throw new Failure("bad_request", { detail: weakness });
}
