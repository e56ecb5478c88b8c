import type { DeskUserRecord } from "./accounts.ts";

/** invited: no password yet, only a link. disabled: nothing opens the account. */
export type PersonState = "invited" | "active" | "disabled";

/** An account as an admin sees it, without its password's hash. Times are milliseconds since 1970. */
export interface PersonRecord {
  readonly id: string;
  readonly email: string;
  readonly name: string;
  readonly role: "agent" | "admin";
  readonly state: PersonState;
  /** When the person's open link expires; undefined if no link is valid. */
  readonly linkExpiresAt: number | undefined;
}

/** invite: the first password of a new account. reset: a new password for somebody who has lost theirs. */
export type LinkPurpose = "invite" | "reset";

/** A one-time link, by the SHA-256 of its secret. */
export interface DeskLink {
  readonly hash: string;
  readonly expiresAt: number;
}

/** One account of one workspace, and the person who changes it. */
export interface PersonTarget {
  readonly workspaceId: string;
  readonly userId: string;
  readonly by: string;
}

export interface AuditEntry {
  readonly id: string;
  readonly at: number;
  readonly action: string;
  /** The person who acted; undefined if the caller was not signed in. */
  readonly by: { readonly id: string; readonly name: string } | undefined;
  /** A person or a conversation. */
  readonly target: string | undefined;
  /** The target's name, if it is a person. */
  readonly targetName: string | undefined;
}

/**
 * The people of a desk and what they did. Each action writes its audit entry in its own transaction, and the acting
 * person must still be an admin in that transaction.
 * @throws Failure `not_found` for a missing account and for another workspace's alike; `forbidden` for a caller who is not (or no longer) an admin
 */
export interface DeskPeopleStore {
  /** Sorted by name; at most 500. */
  list(workspaceId: string): Promise<PersonRecord[]>;
  /** @throws Failure `bad_request` when the address is taken */
  invite(
    person: { workspaceId: string; email: string; name: string; role: "agent" | "admin"; by: string },
    link: DeskLink,
  ): Promise<PersonRecord>;
  /**
   * Creates another link and invalidates the previous one, the password and every session: only the link opens the
   * account then.
   * @throws Failure `forbidden` for one's own account and for a disabled one
   */
  renewLink(target: PersonTarget, link: DeskLink): Promise<PersonRecord>;
  /** Ends the sessions and the link, and puts what the person had taken back into the queue. @throws Failure `forbidden` for one's own account, so that the last admin stays */
  disable(target: PersonTarget): Promise<PersonRecord>;
  enable(target: PersonTarget): Promise<PersonRecord>;
  /**
   * Restores access for the operator of the service: like `renewLink`, but by address, for anybody, and enables the
   * account.
   * @throws Failure `not_found`
   */
  renewByOperator(
    account: { workspaceId: string; email: string },
    link: { hash: string; lifeMs: number },
  ): Promise<PersonRecord>;
  /** The account of a link, if the link is still valid. */
  findLink(hash: string): Promise<{ user: DeskUserRecord; purpose: LinkPurpose } | undefined>;
  /** Uses the link up and sets the password, in one transaction. Undefined when it is no longer valid. */
  useLink(hash: string, passwordHash: string): Promise<DeskUserRecord | undefined>;
  /**
   * Ends every session of the person except the given one.
   * @throws Failure `session_expired` when the password changed after it was checked
   */
  changePassword(change: {
    userId: string;
    checkedHash: string;
    passwordHash: string;
    keepSession: string;
  }): Promise<void>;
  /** Newest first, after the entry `before` if given. */
  readAudit(workspaceId: string, before: string | undefined, limit: number): Promise<AuditEntry[]>;
}
