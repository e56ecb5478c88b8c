import { createModel, type ReadonlySignal, signal } from "@preact/signals";
import type { Attachment } from "../../shared/attachment.ts";
import type { Failure } from "../../shared/errors.ts";
import { MAX_ATTACHMENTS } from "../../shared/limits.ts";
import type { Announcer } from "../client/announcer.ts";
import { isFinalRefusal } from "../client/final-refusal.ts";
import type { DeskClient } from "./desk-client.ts";
import { failureText } from "./failure-texts.ts";
import { texts } from "./texts.ts";

/** A file for the next reply, and its state. `stored`: the service verifiably has it. */
export interface DeskFile {
  /** Its idempotency key. */
  readonly key: string;
  readonly conversationId: string;
  readonly file: File;
  /** For a picture, an address in this page's memory. */
  readonly preview: string | undefined;
  /** `refused`: the same file would be refused again. */
  readonly state:
    | { readonly kind: "uploading"; readonly share: number }
    | { readonly kind: "stored"; readonly attachment: Attachment }
    | { readonly kind: "failed" | "refused"; readonly failure: Failure };
}

export interface FilesModelDeps {
  readonly client: Pick<DeskClient, "upload">;
  readonly newId: () => string;
  readonly addresses: Pick<typeof URL, "createObjectURL" | "revokeObjectURL">;
  readonly announcer: Announcer;
  readonly openedId: ReadonlySignal<string | undefined>;
  readonly noteFailure: (cause: unknown) => Failure;
}

export type FilesModel = InstanceType<typeof FilesModel>;

/** The files of the next reply in each conversation. */
export const FilesModel = createModel((deps: FilesModelDeps) => {
  const { client, announcer, openedId } = deps;
  const files = signal<readonly DeskFile[]>([]);
  const running = new Map<string, AbortController>();
  const setState = (key: string, next: DeskFile["state"]) => {
    files.value = files.peek().map((known) => (known.key === key ? { ...known, state: next } : known));
  };
  const drop = (isDropped: (file: DeskFile) => boolean) => {
    for (const { key, preview } of files.peek().filter(isDropped)) {
      if (preview) deps.addresses.revokeObjectURL(preview);
      running.get(key)?.abort();
      running.delete(key);
    }
    files.value = files.peek().filter((file) => !isDropped(file));
  };
  const upload = async ({ key, conversationId, file }: DeskFile) => {
    const abort = new AbortController();
    running.set(key, abort);
    setState(key, { kind: "uploading", share: 0 });
    try {
      const attachment = await client.upload(conversationId, { key, file }, abort.signal, (share) => {
        if (running.get(key) === abort) setState(key, { kind: "uploading", share });
      });
      setState(key, { kind: "stored", attachment });
      announcer.say(texts.said.attached(file.name));
    } catch (cause) {
      if (abort.signal.aborted) return;
      const failure = deps.noteFailure(cause);
      setState(key, { kind: isFinalRefusal(failure) ? "refused" : "failed", failure });
      announcer.say(`${texts.fileFailed(file.name)} ${failureText(failure.code, failure)}`, true);
    } finally {
      running.delete(key);
    }
  };
  const countOf = (id: string) =>
    files.peek().filter(({ conversationId, state }) => conversationId === id && state.kind !== "refused")
      .length;

  return {
    files: files as ReadonlySignal<readonly DeskFile[]>,
    /** Adds files to the open conversation's reply, and uploads them at once. */
    addFiles(given: Iterable<File>): void {
      const conversationId = openedId.peek();
      if (conversationId === undefined) return;
      const room = MAX_ATTACHMENTS - countOf(conversationId);
      const all = [...given];
      if (all.length > room) announcer.say(texts.tooManyFiles, true);
      const added = all.slice(0, room).map(
        (file): DeskFile => ({
          key: deps.newId(),
          conversationId,
          file,
          // Drawn as a picture or not at all, whatever its name says.
          preview: file.type.startsWith("image/") ? deps.addresses.createObjectURL(file) : undefined,
          state: { kind: "uploading", share: 0 },
        }),
      );
      files.value = [...files.peek(), ...added];
      for (const file of added) void upload(file);
    },
    retryFile(key: string): void {
      const known = files.peek().find((file) => file.key === key);
      if (known?.state.kind === "failed") void upload(known);
    },
    removeFile: (key: string): void => drop((file) => file.key === key),
    /** They went with a reply. A refused file stays, with its reason, because it did not. */
    dropStoredFilesOf: (id: string): void =>
      drop(({ conversationId, state }) => conversationId === id && state.kind === "stored"),
    /** The conversation is gone for good, and its files can't be sent any more. */
    dropFilesOf: (id: string): void => drop(({ conversationId }) => conversationId === id),
    clearFiles: (): void => drop(() => true),
  };
});

/** The stored files of a conversation's next reply; undefined while one of them is unconfirmed. A refused one never goes. */
export function storedFiles(
  files: readonly DeskFile[],
  conversationId: string,
): readonly Attachment[] | undefined {
  const own = files.filter((file) => file.conversationId === conversationId && file.state.kind !== "refused");
  const stored = own.flatMap(({ state }) => (state.kind === "stored" ? [state.attachment] : []));
  return stored.length === own.length ? stored : undefined;
}
