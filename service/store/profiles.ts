import type { Traits } from "../../shared/traits.ts";

/** A source's data about one customer, already limited to the traits that it may set. */
export interface TraitChange {
  readonly source: string;
  readonly externalId: string;
  readonly traits: Traits;
  /** When it happened at the source, in ms. */
  readonly at: number;
  readonly messageId: string;
}

/** Traits from sources, each with its source and its time. */
export interface ProfileStore {
  /**
   * Sets the traits that no newer change has set, and creates the customer if nobody has that id yet. Changes can arrive
   * twice and in any order: the outcome is the same. A trait that the application itself has set stays as it is.
   */
  apply(workspaceId: string, change: TraitChange): Promise<void>;
}
