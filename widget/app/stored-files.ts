import { createModel, effect, type ReadonlySignal, signal, untracked } from "@preact/signals";
import type { Attachment } from "../../shared/attachment.ts";
import type { Chat } from "./chat.ts";
import type { ExtrasClient } from "./extras-client.ts";

export interface StoredFilesDeps {
  readonly client: Pick<ExtrasClient, "read">;
  readonly chat: Pick<Chat, "session" | "conversation" | "report">;
  /** The reference of the past conversation whose files they are; without it, those of the current one. */
  readonly past?: ReadonlySignal<string | undefined>;
  readonly addresses: Pick<typeof URL, "createObjectURL" | "revokeObjectURL">;
  readonly save: SaveFile;
}

/** Saves a file for the customer, with the browser's own download. */
export type SaveFile = (file: Blob, name: string) => void;

export type StoredFilesModel = InstanceType<typeof StoredFilesModel>;

/** Files of a conversation: fetched with the session's token, held in this frame's memory, never under a URL. */
export const StoredFilesModel = createModel(({ client, chat, past, addresses, save }: StoredFilesDeps) => {
  const pictures = signal<ReadonlyMap<string, string>>(new Map());
  const failed = signal<ReadonlySet<string>>(new Set());
  const asked = new Set<string>();
  let conversationId: string | undefined;

  const clear = () => {
    for (const address of pictures.value.values()) addresses.revokeObjectURL(address);
    pictures.value = new Map();
    failed.value = new Set();
    asked.clear();
  };
  // Another conversation, or none: earlier files are released.
  effect(() => {
    const id = past ? past.value : chat.conversation.current.value?.id;
    if (id === conversationId) return;
    if (conversationId !== undefined) untracked(clear);
    conversationId = id;
  });

  const read = async (file: Attachment): Promise<Blob | undefined> => {
    const mine = conversationId;
    try {
      const blob = await chat.session.withToken((token) => client.read(token, file, past && mine));
      return mine === conversationId ? blob : undefined;
    } catch {
      // Shown as not loaded; nothing is claimed, and it can be retried.
      failed.value = new Set(failed.value).add(file.id);
      return undefined;
    }
  };

  return {
    /** URLs of pictures that can be drawn, by the file's id. */
    pictures: pictures as ReadonlySignal<ReadonlyMap<string, string>>,
    /** Files that could not be loaded, by id. */
    failed: failed as ReadonlySignal<ReadonlySet<string>>,
    /** A picture that was just sent from here. */
    take: ({ id }: Attachment, address: string): void => {
      asked.add(id);
      pictures.value = new Map(pictures.value).set(id, address);
    },
    /** Loads a picture to be drawn, once. */
    async draw(file: Attachment): Promise<void> {
      if (asked.has(file.id)) return;
      asked.add(file.id);
      const blob = await read(file);
      if (blob) pictures.value = new Map(pictures.value).set(file.id, addresses.createObjectURL(blob));
    },
    async download(file: Attachment): Promise<void> {
      const left = new Set(failed.value);
      left.delete(file.id);
      failed.value = left;
      const blob = await read(file);
      if (blob) save(blob, file.name);
      else chat.report({ type: "said", isUrgent: true, words: ({ fileNotLoaded }) => fileNotLoaded });
    },
  };
});
