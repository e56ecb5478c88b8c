import type { Clock } from "../../shared/server/clock.ts";
import type { Random } from "../../shared/server/random.ts";
import type { Shelf } from "../files/shelf.ts";
import type { Published } from "../live/hub.ts";
import type { DeskAccountStore } from "./accounts.ts";
import type { ActionStore } from "./actions.ts";
import type { AnswerStore } from "./answers.ts";
import { type Attachments, createAttachments } from "./attach.ts";
import type { AttachmentRows } from "./attachments.ts";
import type { ConversationLimits, ConversationStore } from "./conversations.ts";
import type { CustomerStore } from "./customers.ts";
import type { DeskStore } from "./desk.ts";
import { createErasure, type Erasure } from "./erase.ts";
import type { ErasureRows } from "./erasure.ts";
import type { HandoffStore } from "./handoffs.ts";
import type { DeskPeopleStore } from "./people.ts";
import type { ProfileStore } from "./profiles.ts";
import type { SummaryStore } from "./summaries.ts";
import type { CredentialStore, WorkspaceStore } from "./workspaces.ts";

/** How much may be stored, as the configuration says. */
export interface StoreLimits {
  /** For all files of one workspace, in bytes. */
  readonly fileQuotaBytes: number;
  /** How long a conversation may get. */
  readonly conversationLimits: ConversationLimits;
}

/** What every driver gets. Without a limit it applies its usual one. */
export interface StoreDeps extends Partial<StoreLimits> {
  readonly clock: Clock;
  readonly random: Random;
  /** Receives every durable event after its commit and before the write's promise resolves. */
  readonly publish: (published: Published) => void;
}

/**
 * The interface of a driver, such as SQLite in `sqlite/`. Each call is one transaction by itself, and no caller holds
 * one open over an await. A write resolves only after its commit is on disk.
 */
export interface StoreDriver {
  readonly workspaces: WorkspaceStore;
  readonly credentials: CredentialStore;
  readonly customers: CustomerStore;
  readonly profiles: ProfileStore;
  readonly conversations: ConversationStore;
  readonly attachments: AttachmentRows;
  readonly actions: ActionStore;
  readonly answers: AnswerStore;
  readonly handoffs: HandoffStore;
  readonly summaries: SummaryStore;
  readonly desk: DeskStore;
  readonly deskAccounts: DeskAccountStore;
  readonly deskPeople: DeskPeopleStore;
  readonly erasure: ErasureRows;
  /** Changes when the log itself was replaced: positions of another epoch are meaningless. */
  readonly epoch: string;
  /** Writes for real and commits. @throws Failure `storage_full`, `unavailable`; its detail is for operators */
  probe(): Promise<void>;
  close(): Promise<void>;
}

/** Everything that the service stores: a driver, and the files on the shelf. */
export interface Store extends Omit<StoreDriver, "attachments" | "erasure"> {
  readonly attachments: Attachments;
  readonly erasure: Erasure;
}

export function createStore(
  driver: StoreDriver,
  deps: { readonly shelf: Shelf; readonly clock: Clock; readonly random: Random },
): Store {
  return {
    ...driver,
    attachments: createAttachments({ ...deps, rows: driver.attachments }),
    erasure: createErasure(driver.erasure, deps.shelf),
  };
}
