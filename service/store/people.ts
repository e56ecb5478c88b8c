import type { DeskUserRecord } from "./accounts.ts";

/** invited: no password yet, only a link. disabled: nothing opens the account. */
export type PersonState = "invited" | "active" | "disabled";

/** An account as an admin sees it: never its password's hash. Times are milliseconds since 1970. */
export interface PersonRecord {
  readonly id: string;
  readonly email: string;
  readonly name: string;
  readonly role: "agent" | "admin";
  readonly state: PersonState;
  /** When the person's open link expires; undefined without one that works. */
  readonly linkExpiresAt: number | undefined;
}

/** invite: the first password of a new account. reset: another one for somebody who has lost theirs. */
export type LinkPurpose = "invite" | "reset";

/** A one-time link, by the SHA-256 of its secret. */
export interface DeskLink {
  readonly hash: string;
  readonly expiresAt: number;
}

/** One account of one workspace, and who acts on it. */
export interface PersonTarget {
  readonly workspaceId: string;
  readonly userId: string;
  readonly by: string;
}

export interface AuditEntry {
  readonly id: string;
  readonly at: number;
  readonly action: string;
  /** The person who did it; undefined if the caller was not signed in. */
  readonly by: { readonly id: string; readonly name: string } | undefined;
  /** A person or a conversation. */
  readonly target: string | undefined;
  /** The target's name, where it is a person. */
  readonly targetName: string | undefined;
}

/**
 * The people of a desk and what they did. Each action writes its line of the audit log in its own transaction; who acts
 * must still be an admin in that transaction.
 * @throws Failure `not_found` for a missing account and for another workspace's alike; `forbidden` for who is no admin (any more)
 */
export interface DeskPeopleStore {
  /** By name; at most 500. */
  list(workspaceId: string): Promise<PersonRecord[]>;
  /** @throws Failure `bad_request` when the address is taken */
  invite(
    person: { workspaceId: string; email: string; name: string; role: "agent" | "admin"; by: string },
    link: DeskLink,
  ): Promise<PersonRecord>;
  /**
   * Another link, which kills the one before, the password and every session: the link is the only way in then.
   * @throws Failure `forbidden` for one's own account and for one that is disabled
   */
  renewLink(target: PersonTarget, link: DeskLink): Promise<PersonRecord>;
  /** Ends the sessions and the link, and puts what the person had taken back into the queue. @throws Failure `forbidden` for one's own account, so that the last admin stays */
  disable(target: PersonTarget): Promise<PersonRecord>;
  enable(target: PersonTarget): Promise<PersonRecord>;
  /**
   * The way back for whoever runs the service: as `renewLink`, by address, for anybody, and enables the account.
   * @throws Failure `not_found`
   */
  renewByOperator(
    account: { workspaceId: string; email: string },
    link: { hash: string; lifeMs: number },
  ): Promise<PersonRecord>;
  /** Whose link it is, if it still works. */
  findLink(hash: string): Promise<{ user: DeskUserRecord; purpose: LinkPurpose } | undefined>;
  /** Uses the link up and sets the password, in one transaction. Undefined when it does not work any more. */
  useLink(hash: string, passwordHash: string): Promise<DeskUserRecord | undefined>;
  /**
   * Ends every session of the person but the one that is named.
   * @throws Failure `session_expired` when the password is not the one that was checked any more
   */
  changePassword(change: {
    userId: string;
    checkedHash: string;
    passwordHash: string;
    keepSession: string;
  }): Promise<void>;
  /** Newest first, after the entry `before` where one is named. */
  readAudit(workspaceId: string, before: string | undefined, limit: number): Promise<AuditEntry[]>;
}
