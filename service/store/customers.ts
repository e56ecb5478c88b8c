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
  /** Creates or updates by `externalId`. What is absent stays; traits are merged by name. @throws Failure `bad_request` over 50 traits */
  upsert(workspaceId: string, profile: Profile): Promise<{ id: string; externalId: string }>;
  keepSelection(
    owner: Owner,
    selection: { sessionId: string; route: Route; locale: string | undefined },
  ): Promise<void>;
  /** This session's last selection, or else the customer's newest. */
  findSelection(
    owner: Owner,
    sessionId: string,
  ): Promise<{ route: Route; locale: string | undefined } | undefined>;
}
