import type { DeskAccountStore } from "./accounts.ts";
import type { AnswerStore } from "./answers.ts";
import type { AttachmentStore } from "./attachments.ts";
import type { ConversationStore } from "./conversations.ts";
import type { CustomerStore } from "./customers.ts";
import type { DeskStore } from "./desk.ts";
import type { ErasureStore } from "./erasure.ts";
import type { HandoffStore } from "./handoffs.ts";
import type { DeskPeopleStore } from "./people.ts";
import type { ProfileStore } from "./profiles.ts";
import type { CredentialStore, WorkspaceStore } from "./workspaces.ts";

/** Everything that the service keeps. A promise of a write resolves only after its commit is on disk. */
export interface Store {
  readonly workspaces: WorkspaceStore;
  readonly credentials: CredentialStore;
  readonly customers: CustomerStore;
  readonly profiles: ProfileStore;
  readonly conversations: ConversationStore;
  readonly attachments: AttachmentStore;
  readonly answers: AnswerStore;
  readonly handoffs: HandoffStore;
  readonly desk: DeskStore;
  readonly deskAccounts: DeskAccountStore;
  readonly deskPeople: DeskPeopleStore;
  readonly erasure: ErasureStore;
  /** Changes when the log itself was replaced: positions of another epoch mean nothing. */
  readonly epoch: string;
  /** Writes for real and commits. @throws Failure `storage_full`, `unavailable` */
  probe(): Promise<void>;
  close(): Promise<void>;
}
