import type { ContactChange } from "../../shared/contact.ts";
import type { Route } from "../../shared/route.ts";
import type { Traits } from "../../shared/traits.ts";
import type { Owner } from "./owner.ts";

export interface Profile {
  readonly externalId: string;
  readonly email?: string | undefined;
  readonly displayName?: string | undefined;
  readonly attributes?: Traits | undefined;
}

export interface CustomerStore {
  /** Creates or updates by `externalId`. Absent fields stay; traits are merged by name, and the oldest of over 50 dropped. */
  upsert(workspaceId: string, profile: Profile): Promise<{ id: string; externalId: string }>;
  /**
   * Stores where the owner of a conversation can be written to, unverified and beside what the site says, and publishes it
   * there. @throws Failure `not_found` for a missing and for a foreign id alike
   */
  setContact(owner: Owner, conversationId: string, contact: ContactChange): Promise<void>;
  keepSelection(
    owner: Owner,
    selection: { sessionId: string; route: Route; locale: string | undefined },
  ): Promise<void>;
  /** This session's last selection, or else the customer's most recent one. */
  findSelection(
    owner: Owner,
    sessionId: string,
  ): Promise<{ route: Route; locale: string | undefined } | undefined>;
}
