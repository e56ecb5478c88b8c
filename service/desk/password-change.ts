import { changePassword } from "../../shared/desk-operations.ts";
import { Failure } from "../../shared/errors.ts";
import type { DeskDeps } from "./desk-deps.ts";
import type { DeskMount } from "./desk-route.ts";
import type { DeskSessions } from "./desk-sessions.ts";
import { requireStrength } from "./links.ts";
import type { SignInLimits } from "./sign-in-limits.ts";

/** `password`: changes one's own password, given the current one, and ends the account's other sessions. */
export function addPasswordChange(
  mount: DeskMount,
  deps: DeskDeps,
  sessions: DeskSessions,
  limits: SignInLimits,
): void {
  mount(changePassword, async ({ c, body: { password, newPassword } }) => {
    const session = c.get("session");
    const { user } = session;
    // Limited by account id: a person who finds an open desk gets no more guesses than at sign-in, and locks nobody
    // out.
    const attempt = limits.begin(deps.addressOf(c), user.id);
    const { passwordHash: checkedHash } = user;
    const isRight = await attempt.check(deps.passwords.verify(password, checkedHash));
    if (checkedHash === undefined || !isRight) {
      throw new Failure("bad_request", { detail: "The current password is wrong." });
    }
    attempt.succeeded();
    if (newPassword === password)
      throw new Failure("bad_request", { detail: "This is your current password." });
    await requireStrength(deps, newPassword, [user.email, user.name]);
    const passwordHash = await deps.passwords.hash(newPassword);
    const keepSession = session.hash;
    await deps.store.deskPeople.changePassword({ userId: user.id, checkedHash, passwordHash, keepSession });
    sessions.dropStreams(user.id, session);
    return { changed: true as const };
  });
}
