import { createHmac, timingSafeEqual } from "node:crypto";
import { createSecret, type Random } from "../../shared/server/random.ts";
import { sha256 } from "../ids.ts";
import type { DeskAccountStore, DeskSessionRecord, DeskUserRecord } from "../store/accounts.ts";

/** OWASP ASVS 7.3: at most one working day, and two hours without activity. */
export const SESSION_MS = 12 * 60 * 60 * 1000;
export const SESSION_IDLE_MS = 2 * 60 * 60 * 1000;

/** Reading the queue must not write to disk each time; a minute is precise enough for two hours. */
const TOUCH_MS = 60_000;

export interface OpenedSession {
  /** Goes into the cookie only. */
  readonly token: string;
  readonly csrf: string;
}

export interface DeskSessions {
  open(user: DeskUserRecord): Promise<OpenedSession>;
  /** Returns the session of a cookie's token if it is live; counts as activity. */
  use(token: string): Promise<DeskSessionRecord | undefined>;
  /** Whether the session is still live, without counting as activity: an open stream is not a person at work. */
  isAlive(session: DeskSessionRecord): Promise<boolean>;
  /** Ends the session and all its streams. */
  close(session: DeskSessionRecord): Promise<void>;
  /** Closes the streams of a person's sessions, which the store has already ended; all of them, or all but one. */
  dropStreams(userId: string, keep?: DeskSessionRecord): void;
  /** Calls `end` when the session is closed; the returned function unsubscribes. */
  onClose(session: DeskSessionRecord, end: () => void): () => void;
}

export interface DeskSessionsDeps {
  readonly accounts: DeskAccountStore;
  readonly now: () => number;
  readonly random: Random;
}

/** Sessions of people at the desk: 256 random bits in a cookie; only their hash is stored. */
export function createDeskSessions({ accounts, now, random }: DeskSessionsDeps): DeskSessions {
  const ends = new Map<string, { userId: string; group: Set<() => void> }>();
  const endGroup = (hash: string) => {
    for (const end of ends.get(hash)?.group ?? []) end();
    ends.delete(hash);
  };
  const isFresh = (session: DeskSessionRecord) =>
    session.expiresAt > now() && session.seenAt + SESSION_IDLE_MS > now();
  return {
    async open(user) {
      const token = createSecret(random);
      const csrf = csrfOf(token);
      await accounts.addSession({
        hash: sha256(token),
        csrfHash: sha256(csrf),
        createdAt: now(),
        seenAt: now(),
        expiresAt: now() + SESSION_MS,
        userId: user.id,
        passwordHash: user.passwordHash,
      });
      return { token, csrf };
    },
    async use(token) {
      const session = await accounts.findSession(sha256(token));
      if (!session || !isFresh(session)) return undefined;
      if (now() - session.seenAt < TOUCH_MS) return session;
      return (await accounts.touchSession(session.hash, now())) ? session : undefined;
    },
    async isAlive({ hash }) {
      const session = await accounts.findSession(hash);
      return session !== undefined && isFresh(session);
    },
    async close({ hash }) {
      await accounts.removeSession(hash);
      endGroup(hash);
    },
    dropStreams(userId, keep) {
      for (const [hash, of] of ends) if (of.userId === userId && hash !== keep?.hash) endGroup(hash);
    },
    onClose({ hash, user }, end) {
      const of = ends.get(hash) ?? { userId: user.id, group: new Set() };
      ends.set(hash, of);
      of.group.add(end);
      return () => {
        of.group.delete(end);
        if (of.group.size === 0 && ends.get(hash) === of) ends.delete(hash);
      };
    },
  };
}

/**
 * Derived from the token by a one-way function: a reloaded page gets the same one, and a page that can't read the
 * cookie gets none.
 */
export function csrfOf(token: string): string {
  return createHmac("sha256", token).update("parley desk csrf").digest("base64url");
}

/** Whether a header carries the session's CSRF token, compared in constant time. */
export function isCsrfOf(session: DeskSessionRecord, header: string | undefined): boolean {
  return timingSafeEqual(Buffer.from(sha256(header ?? ""), "hex"), Buffer.from(session.csrfHash, "hex"));
}
