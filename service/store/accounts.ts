export interface DeskUserRecord {
  readonly id: string;
  readonly workspaceId: string;
  readonly email: string;
  readonly name: string;
  /** Undefined until the person has used their link; until then nothing opens the account. */
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

/** The accounts of the desk. Times are milliseconds since 1970; e-mail addresses are lower case. */
export interface DeskAccountStore {
  countUsers(workspaceId: string): Promise<number>;
  /** Does not return disabled people. */
  findUserByEmail(workspaceId: string, email: string): Promise<DeskUserRecord | undefined>;
  /** @throws Failure `bad_request` when the address is taken */
  addUser(user: Omit<DeskUserRecord, "id">): Promise<DeskUserRecord>;
  /** @throws Failure `unauthenticated` when the account was disabled or its password changed since it was read */
  addSession(
    session: Omit<DeskSessionRecord, "user"> & { userId: string; passwordHash: string | undefined },
  ): Promise<void>;
  /** Does not return sessions of disabled people. */
  findSession(hash: string): Promise<DeskSessionRecord | undefined>;
  /** False if the session has ended. */
  touchSession(hash: string, seenAt: number): Promise<boolean>;
  removeSession(hash: string): Promise<void>;
  /** Stores a new one-time set-up secret; earlier unused ones of the workspace become invalid. */
  replaceSetup(setup: { hash: string; workspaceId: string; expiresAt: number }): Promise<void>;
  /** Whether the secret is still valid for setting up the first account. */
  isSetup(hash: string): Promise<boolean>;
  /**
   * Uses the secret and adds the first admin in one transaction. Undefined when the secret is wrong, expired or used,
   * or somebody has an account already.
   */
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
