import { createModel, effect, type ReadonlySignal, signal, untracked } from "@preact/signals";
import type { Attachment, AttachmentType } from "../../shared/attachment.ts";
import { writeTo } from "../client/browser-storage.ts";
import { typeOf } from "../client/file-to-send.ts";
import { isFinalRefusal } from "../client/final-refusal.ts";
import type { Chat } from "./chat.ts";
import { ChatFailure, failureFrom } from "./chat-failure.ts";
import type { RefusedFile } from "./composer-model.ts";
import type { Environment } from "./environment.ts";
import type { ExtrasClient } from "./extras-client.ts";
import { problemText } from "./problem-texts.ts";
import { hasLeftFiles, LEFT_FILES } from "./session-storage.ts";
import type { Texts } from "./texts.ts";

/** Fewer than the contract's five: what fits above the composer of a phone. */
export const MAX_FILES = 4;

/** A file for the next message, and its state. `stored`: the service verifiably has it. */
export interface TrayFile {
  readonly key: string;
  readonly file: File;
  readonly type: AttachmentType;
  /** For a picture, an address in this frame's memory. */
  readonly preview: string | undefined;
  readonly state:
    | { readonly kind: "uploading"; readonly share: number }
    | { readonly kind: "stored"; readonly attachment: Attachment }
    | { readonly kind: "failed"; readonly failure: ChatFailure };
}

export interface AttachmentsDeps {
  readonly environment: Pick<Environment, "randomId" | "tabStorage">;
  readonly client: Pick<ExtrasClient, "upload">;
  readonly chat: Pick<Chat, "session" | "conversation" | "composer" | "report">;
  readonly addresses: Pick<typeof URL, "createObjectURL" | "revokeObjectURL">;
  /** A picture was sent: it can be shown without downloading it. */
  readonly onSent: (attachment: Attachment, preview: string) => void;
}

export type AttachmentsModel = InstanceType<typeof AttachmentsModel>;

/** Checks the files that the customer adds, and uploads them for the next message. */
export const AttachmentsModel = createModel((deps: AttachmentsDeps) => {
  const { environment, client, chat, addresses } = deps;
  const { picked, files, refused } = chat.composer;
  const tray = signal<readonly TrayFile[]>([]);
  const isTooMany = signal(false);
  const wasLeft = hasLeftFiles(environment);
  const isLost = signal(false);
  const running = new Map<string, AbortController>();
  /** Picks whose first bytes are being read. */
  const looking = new Set<object>();

  const set = (next: readonly TrayFile[]) => {
    tray.value = next;
    const stored = next.flatMap(({ state }) => (state.kind === "stored" ? [state.attachment] : []));
    files.value = looking.size === 0 && stored.length === next.length ? stored : undefined;
    writeTo(environment.tabStorage, LEFT_FILES, next.length > 0 ? "1" : undefined);
  };
  const setState = (key: string, next: TrayFile["state"]) =>
    set(tray.value.map((known) => (known.key === key ? { ...known, state: next } : known)));
  const drop = (known: TrayFile) => {
    running.get(known.key)?.abort();
    running.delete(known.key);
    if (known.preview) addresses.revokeObjectURL(known.preview);
  };

  const say = (words: (texts: Texts) => string, isUrgent = false) =>
    chat.report({ type: "said", isUrgent, words });

  const refuse = (given: RefusedFile) => {
    refused.value = [...refused.value, given];
    const { file, failure } = given;
    say((texts) => `${texts.says(file.name)} ${problemText(texts, failure)}`, true);
  };
  const fail = (key: string, failure: ChatFailure) => {
    const known = tray.value.find((each) => each.key === key);
    if (!known) return;
    const { file } = known;
    if (isFinalRefusal(failure)) {
      drop(known);
      set(tray.value.filter((each) => each !== known));
      refuse({ key, file, failure });
      return;
    }
    setState(key, { kind: "failed", failure });
    say((texts) => {
      const about = texts.sentence(texts.fileNotConfirmed(file.name));
      return `${about} ${problemText(texts, failure)}`;
    }, true);
  };

  const upload = async ({ key, file, type }: TrayFile) => {
    const abort = new AbortController();
    running.set(key, abort);
    setState(key, { kind: "uploading", share: 0 });
    const onProgress = (share: number) => {
      const known = tray.value.find((each) => each.key === key);
      if (known?.state.kind === "uploading") setState(key, { kind: "uploading", share });
    };
    try {
      const stored = await chat.session.withToken((token) =>
        abort.signal.aborted
          ? Promise.reject(new ChatFailure("internal"))
          : client.upload(token, { key, file, type }, abort.signal, onProgress),
      );
      if (abort.signal.aborted) return;
      setState(key, { kind: "stored", attachment: stored });
      say((texts) => texts.fileAttached(file.name));
    } catch (error) {
      const failure = failureFrom(error);
      if (!abort.signal.aborted) fail(key, failure);
    } finally {
      if (running.get(key) === abort) running.delete(key);
    }
  };

  const add = async (given: readonly File[]) => {
    isTooMany.value = isLost.value = false;
    refused.value = [];
    looking.add(given);
    const accepted: Pick<TrayFile, "key" | "file" | "type">[] = [];
    const others: RefusedFile[] = [];
    for (const file of given) {
      const key = environment.randomId();
      try {
        accepted.push({ key, file, type: await typeOf(file, (code) => new ChatFailure(code)) });
      } catch (error) {
        others.push({ key, file, failure: failureFrom(error) });
      }
    }
    if (!looking.delete(given)) return;
    const room = MAX_FILES - tray.value.length;
    const added = accepted.slice(0, room).map(
      (each): TrayFile => ({
        ...each,
        // Drawn as a picture or not at all, whatever its name says.
        preview: each.file.type.startsWith("image/") ? addresses.createObjectURL(each.file) : undefined,
        state: { kind: "uploading", share: 0 },
      }),
    );
    set([...tray.value, ...added]);
    others.forEach(refuse);
    if (accepted.length > room) {
      isTooMany.value = true;
      say(({ tooManyFiles }) => tooManyFiles, true);
    }
    for (const each of added) void upload(each);
  };

  const isOnItsWay = ({ id }: Attachment) =>
    chat.conversation.log.value.pending.some((waiting) =>
      waiting.attachments?.some((file) => file.id === id),
    );

  effect(() => {
    const given = picked.value;
    if (given.length === 0) return;
    untracked(() => {
      picked.value = [];
      void add(given);
    });
  });
  // Emptied from outside: the files were sent, or their owner is no longer known.
  effect(() => {
    if (files.value?.length !== 0) return;
    untracked(() => {
      isLost.value = isTooMany.value = false;
      looking.clear();
      for (const known of tray.value) {
        const { state: last, preview } = known;
        if (last.kind === "stored" && preview && isOnItsWay(last.attachment))
          deps.onSent(last.attachment, preview);
        else drop(known);
      }
      if (tray.value.length > 0) set([]);
    });
  });

  if (tray.value.length === 0) {
    isLost.value = wasLeft;
    writeTo(environment.tabStorage, LEFT_FILES, undefined);
  }

  return {
    tray: tray as ReadonlySignal<readonly TrayFile[]>,
    isTooMany: isTooMany as ReadonlySignal<boolean>,
    isLost: isLost as ReadonlySignal<boolean>,
    /** Removes a file; an upload in progress is aborted. */
    remove(key: string) {
      const known = [...tray.value, ...refused.value].find((each) => each.key === key);
      if (!known) return;
      isTooMany.value = false;
      refused.value = refused.value.filter((each) => each !== known);
      if ("state" in known) {
        drop(known);
        set(tray.value.filter((each) => each !== known));
      }
      say((texts) => texts.fileRemoved(known.file.name));
    },
    /** Sends an unconfirmed file again, with the same key. */
    retry(key: string) {
      const known = tray.value.find((each) => each.key === key);
      if (known?.state.kind === "failed") void upload(known);
    },
  };
});
