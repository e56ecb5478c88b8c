export interface DeskUserRecord {
  readonly id: string;
  readonly workspaceId: string;
  readonly email: string;
  readonly name: string;
  /** Undefined while the person has not used their link: nothing opens such an account. */
  readonly passwordHash: string | undefined;
  readonly role: "agent" | "admin";
}

export interface DeskSessionRecord {
  readonly hash: string;
  readonly csrfHash: string;
  readonly createdAt: number;
  readonly seenAt: number;
  readonly expiresAt: number;
  readonly user: DeskUserRecord;
}

/** Who may sit at the desk. Times are milliseconds since 1970; e-mail addresses come in lower case. */
export interface DeskAccountStore {
  countUsers(workspaceId: string): Promise<number>;
  /** Nobody who is disabled. */
  findUserByEmail(workspaceId: string, email: string): Promise<DeskUserRecord | undefined>;
  /** @throws Failure `bad_request` when the address is taken */
  addUser(user: Omit<DeskUserRecord, "id">): Promise<DeskUserRecord>;
  /** @throws Failure `unauthenticated` when the account was disabled, or its password changed, since it was looked at */
  addSession(
    session: Omit<DeskSessionRecord, "user"> & { userId: string; passwordHash: string | undefined },
  ): Promise<void>;
  /** No session of somebody who is disabled. */
  findSession(hash: string): Promise<DeskSessionRecord | undefined>;
  touchSession(hash: string, seenAt: number): Promise<void>;
  removeSession(hash: string): Promise<void>;
  /** A new one-time set-up secret; earlier ones of the workspace that were not used are dead. */
  replaceSetup(setup: { hash: string; workspaceId: string; expiresAt: number }): Promise<void>;
  /** Whether the secret would still set up the first account. */
  isSetup(hash: string): Promise<boolean>;
  /** Uses the secret and adds the first admin in one transaction. Undefined when the secret is wrong, old, used, or somebody is there already. */
  setUpFirstUser(
    hash: string,
    user: { email: string; name: string; passwordHash: string },
  ): Promise<DeskUserRecord | undefined>;
  audit(entry: {
    workspaceId: string;
    userId: string | undefined;
    action: string;
    target: string | undefined;
  }): Promise<void>;
}
